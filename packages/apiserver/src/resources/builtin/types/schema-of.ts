import type { Schema } from '../../../schema/compiled-schema.ts';
import type { Field, FieldType, MessageType, Scalar } from '../../../schema/message-type.ts';

/** Types are shared by many kinds, and so are their schemas. */
const schemas = new WeakMap<MessageType, Schema>();

/** A type as an OpenAPI schema, with what patches need to know. A type within itself (`JSONSchemaProps`) is not followed: any object. */
export const schemaOf = (type: MessageType): Schema => messageSchema(type, []);

function messageSchema(type: MessageType, within: readonly MessageType[]): Schema {
  if (within.includes(type)) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const known = schemas.get(type) ?? structSchema(type, [...within, type]);
  schemas.set(type, known);
  return known;
}

function structSchema(type: MessageType, within: readonly MessageType[]): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const field of type.fields.values()) {
    properties[field.name] = fieldSchema(field, within);
    if (field.required) required.push(field.name);
  }
  return {
    ...(type.description === undefined ? {} : { description: type.description }),
    type: 'object',
    ...(type.atomic ? ({ 'x-kubernetes-map-type': 'atomic' } as const) : {}),
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
}

function fieldSchema(field: Field, within: readonly MessageType[]): Schema {
  return { ...typeSchema(field.type, within), ...fieldHints(field) };
}

/** What is known of a field beside its type. */
export const fieldHints = (field: Field): Schema => ({
  ...(field.description === undefined ? {} : { description: field.description }),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...mergingSchema(field),
  ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
  ...(field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
});

function mergingSchema({ type, merging, mapKeys }: Field): Schema {
  if (merging === undefined) return {};
  if (type.form === 'list') {
    return { 'x-kubernetes-list-type': merging, ...(mapKeys ? { 'x-kubernetes-list-map-keys': mapKeys } : {}) };
  }
  return { 'x-kubernetes-map-type': 'atomic' };
}

function typeSchema(type: FieldType, within: readonly MessageType[]): Schema {
  switch (type.form) {
    case 'scalar':
      return scalarSchemas[type.scalar];
    case 'message':
      return messageSchema(type.message, within);
    case 'list':
      return { type: 'array', items: typeSchema(type.items, within) };
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.values, within) };
    case 'either':
      return { 'x-kubernetes-preserve-unknown-fields': true };
  }
}

/** Of values that hold nothing. */
export const scalarSchemas: Readonly<Record<Scalar, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Quantity: { type: 'string', format: 'quantity' },
  IntOrString: { 'x-kubernetes-int-or-string': true, format: 'int-or-string' },
  Json: { 'x-kubernetes-preserve-unknown-fields': true },
};
