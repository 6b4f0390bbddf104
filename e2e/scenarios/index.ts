/** Scenarios that every stage plays which has what they need. */
import { badNeighbour } from './bad-neighbour.ts';
import { comesAndGoes } from './comes-and-goes.ts';
import { mainJob } from './main-job.ts';
import { beforeAndAfter, hostnameTwice, twoBehindOne, weighted } from './proxies.ts';
import type { Scenario } from './stage.ts';

export const scenarios: readonly Scenario[] = [
  mainJob,
  comesAndGoes,
  beforeAndAfter,
  twoBehindOne,
  weighted,
  hostnameTwice,
  badNeighbour,
];
