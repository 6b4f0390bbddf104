import type { Resource } from '../resource.ts';
import { builtinResource } from './builtin-resource.ts';
import { coreTypes } from './types/core.ts';

export const serviceAccounts: Resource = builtinResource({
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  types: coreTypes,
  namespaced: true,
  shortNames: ['sa'],
  strategy: { returnsDeleted: true },
});
