/** All cases, in the order in which they are reported. */
import type { TestCase } from '../test-case.ts';
import { accessCases } from './access.ts';
import { applyCases } from './apply.ts';
import { bodyCases } from './bodies.ts';
import { concurrencyCases } from './concurrency.ts';
import { definitionCases } from './definitions.ts';
import { deletionCases } from './deletion.ts';
import { deploymentCases } from './deployments.ts';
import { discoveryCases } from './discovery.ts';
import { eventCases } from './events.ts';
import { fieldValidationCases } from './field-validation.ts';
import { garbageCases } from './garbage.ts';
import { initialEventCases } from './initial-events.ts';
import { listCases } from './lists.ts';
import { managedFieldsCases } from './managed-fields.ts';
import { metadataCases } from './metadata.ts';
import { nameCases } from './names.ts';
import { namespaceCases } from './namespaces.ts';
import { numberCases } from './numbers.ts';
import { objectCases } from './objects.ts';
import { openApiCases } from './openapi.ts';
import { outputCases } from './output.ts';
import { patchCases } from './patches.ts';
import { pathCases } from './paths.ts';
import { selectorCases } from './selectors.ts';
import { statusCases } from './status.ts';
import { strategicCases } from './strategic-patches.ts';
import { typeCases } from './types.ts';
import { validationCases } from './validation.ts';
import { watchCases } from './watches.ts';

export const conformanceCases: readonly TestCase[] = [
  objectCases,
  metadataCases,
  nameCases,
  concurrencyCases,
  statusCases,
  patchCases,
  strategicCases,
  validationCases,
  fieldValidationCases,
  numberCases,
  typeCases,
  bodyCases,
  deletionCases,
  garbageCases,
  namespaceCases,
  listCases,
  selectorCases,
  watchCases,
  initialEventCases,
  outputCases,
  applyCases,
  managedFieldsCases,
  discoveryCases,
  openApiCases,
  eventCases,
  deploymentCases,
  accessCases,
  pathCases,
  definitionCases,
].flat();
