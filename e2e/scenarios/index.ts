/** Scenarios that every stage plays, in seconds each. */
import { comesAndGoes } from './comes-and-goes.ts';
import { hugeStatus } from './huge-status.ts';
import { mainJob } from './main-job.ts';
import { beforeAndAfter, hostnameTwice, httpsInside, twoBehindOne, weighted } from './proxies.ts';
import type { Scenario } from './stage.ts';

export const scenarios: readonly Scenario[] = [
  mainJob,
  comesAndGoes,
  beforeAndAfter,
  twoBehindOne,
  weighted,
  httpsInside,
  hostnameTwice,
  hugeStatus,
];
