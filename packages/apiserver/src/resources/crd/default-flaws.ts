/** Whether the defaults of a schema are values that the schema takes. */
import type { Cause } from '../../api-error.ts';
import { child, type FieldPath, invalidValue } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { prune } from '../../schema/prune.ts';
import { compileStructure } from '../../schema/structure.ts';
import { createValidator } from '../../schema/validate/validator.ts';

/** @param schema structural */
export function defaultFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const { items, properties = {}, additionalProperties: rest } = schema;
  return [
    ...ownFlaws(schema, child(path, 'default')),
    ...(items ? defaultFlaws(items, child(path, 'items')) : []),
    ...Object.entries(properties).flatMap(([name, at]) => defaultFlaws(at, `${child(path, 'properties')}[${name}]`)),
    ...(typeof rest === 'object' ? defaultFlaws(rest, child(path, 'additionalProperties')) : []),
  ];
}

function ownFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const { default: value } = schema;
  if (value === undefined || value === null) return [];
  const unknown = prune(value, compileStructure({ ...schema, default: null })) !== value;
  return [
    ...(unknown ? [invalidValue(path, value, 'must not have unknown fields')] : []),
    ...(createValidator(schema)(value)?.({ name: '', root: path }) ?? []),
  ];
}
