import type { Resource } from '../resource.ts';
import { crdStrategy } from '../crd-strategy.ts';
import { builtinResource, createdAtColumn } from './builtin-resource.ts';
import { apiextensionsTypes } from './types/apiextensions.ts';

export const customResourceDefinitions: Resource = builtinResource({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  types: apiextensionsTypes,
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  hasGeneration: true,
  statusSubresource: true,
  columns: [createdAtColumn],
  cells: ({ metadata }) => [metadata.creationTimestamp ?? null],
  strategy: crdStrategy,
});
