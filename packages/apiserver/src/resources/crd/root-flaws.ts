/** The schema of a whole object. */
import type { JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { child, type FieldPath, forbidden, invalidValue } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { defaultFlaws } from './default-flaws.ts';
import { schemaFlaws } from './schema-flaws.ts';
import { structuralFlaws } from './structural-flaws.ts';

/** By the names that Go has for them: so the message lists them. */
const rootKeywords: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
]);

/** Everything of one schema. */
export function rootFlaws(schema: Schema, path: FieldPath, hasStatus: boolean): readonly Cause[] {
  const structural = structuralFlaws(schema, path);
  return [
    ...(hasStatus ? statusRootFlaws(schema, path) : []),
    ...(schema.nullable ? [forbidden(child(path, 'nullable'), 'nullable cannot be true at the root')] : []),
    ...(structural.length > 0 ? structural : defaultFlaws(schema, path)),
    ...schemaFlaws(schema, path),
  ];
}

/** With a status subresource, the schema of the status must be all that is said of it. */
function statusRootFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  if (schema.type && schema.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(child(path, 'type'), schema.type, detail)];
  }
  if (Object.keys(schema).every((keyword) => rootKeywords.has(keyword))) return [];
  const names = [...rootKeywords.values()].join(' ');
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(path, schema as JsonValue, detail)];
}
