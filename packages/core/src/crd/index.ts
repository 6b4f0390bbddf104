/** Kinds as CustomResourceDefinitions. An entry point of its own: no app in production needs it. */
export { customResourceDefinition } from './custom-resource-definition.ts';
export { type StructuralOptions, type StructuralSchema, UnrepresentableError } from './structural-schema.ts';
