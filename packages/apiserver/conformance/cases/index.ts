/** All cases, in the order in which they are reported. */
import type { TestCase } from '../test-case.ts';
import { bodyCases } from './bodies.ts';
import { concurrencyCases } from './concurrency.ts';
import { deletionCases } from './deletion.ts';
import { metadataCases } from './metadata.ts';
import { namespaceCases } from './namespaces.ts';
import { numberCases } from './numbers.ts';
import { objectCases } from './objects.ts';
import { patchCases } from './patches.ts';
import { statusCases } from './status.ts';
import { typeCases } from './types.ts';
import { validationCases } from './validation.ts';
import { listCases } from './lists.ts';
import { outputCases } from './output.ts';
import { watchCases } from './watches.ts';
import { applyCases } from './apply.ts';
import { discoveryCases } from './discovery.ts';
import { eventCases } from './events.ts';
import { accessCases } from './access.ts';
import { pathCases } from './paths.ts';
import { definitionCases } from './definitions.ts';
import { garbageCases } from './garbage.ts';

export const conformanceCases: readonly TestCase[] = [
  objectCases,
  metadataCases,
  concurrencyCases,
  statusCases,
  patchCases,
  validationCases,
  numberCases,
  typeCases,
  bodyCases,
  deletionCases,
  garbageCases,
  namespaceCases,
  listCases,
  watchCases,
  outputCases,
  applyCases,
  discoveryCases,
  eventCases,
  accessCases,
  pathCases,
  definitionCases,
].flat();
