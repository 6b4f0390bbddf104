/** Schemas of a group and version, as OpenAPI v3 has them. */
import type { JsonObject, JsonValue } from '@lifeline/core';
import type { Resource } from '../../resources/resource.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { apiVersion, kind, metadata, metaName, reference } from './envelope.ts';
import { metaSchemas, typedSchemas } from './typed-schemas.ts';

/** `com.example.v1.Foo`, `io.k8s.api.core.v1.ConfigMap` */
export function schemaName({ group, decoding }: Resource, version: string, kind: string): string {
  const path =
    decoding === 'typed' ? `io.k8s.api.${group.split('.')[0] || 'core'}` : group.split('.').reverse().join('.');
  return `${path}.${version}.${kind}`;
}

/** Of a resource's kind, its lists, and what these refer to. */
export function resourceSchemas(resource: Resource, version: string): JsonObject {
  const { group, kind: ownKind, listKind, plural, schema, verbs, messageType } = resource;
  const name = schemaName(resource, version, ownKind);
  const tag = (taggedKind: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind: taggedKind, version }],
  });
  const list: JsonObject = {
    description: `A list of ${plural}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion,
      items: { type: 'array', items: reference(name) },
      kind,
      metadata: { description: 'What every list has.', allOf: [reference(metaName('ListMeta'))] },
    },
    ...tag(listKind),
  };
  return {
    ...(messageType
      ? typedSchemas(messageType, { name, tag: tag(ownKind), prefix: name.slice(0, -ownKind.length) })
      : { [name]: { ...objectSchema(schema.schema), ...tag(ownKind) } }),
    ...(verbs.includes('list') ? { [schemaName(resource, version, listKind)]: list } : {}),
  };
}

/** The metadata of the whole is everyone's, whatever the schema says of it. */
function objectSchema(schema: Schema): JsonObject {
  const { properties = {}, ...rest } = schema;
  const shown = openApi({ ...rest, type: 'object' });
  const others = Object.entries(properties).filter(([name]) => name !== 'metadata');
  return {
    ...shown,
    properties: {
      apiVersion,
      kind,
      metadata,
      ...Object.fromEntries(others.map(([name, at]) => [name, openApi(at)])),
    },
  };
}

/** Our extensions are OpenAPI's, but for what kubectl reads in other words. */
function openApi(schema: Schema): JsonObject {
  const { properties, items, additionalProperties: rest, allOf, anyOf, oneOf, not, ...own } = schema;
  const branches = Object.entries({ allOf, anyOf: anyOf ?? intOrString(schema), oneOf }).flatMap(([name, schemas]) =>
    schemas ? [[name, schemas.map(openApi)] as const] : [],
  );
  return {
    ...(own as JsonObject),
    ...(properties ? { properties: openApis(properties) } : {}),
    ...(items ? { items: openApi(items) } : {}),
    ...(rest === undefined ? {} : { additionalProperties: typeof rest === 'object' ? openApi(rest) : rest }),
    ...Object.fromEntries(branches),
    ...(not ? { not: openApi(not) } : {}),
    ...(schema['x-kubernetes-embedded-resource'] ? embedded(properties) : {}),
  };
}

const openApis = (schemas: Readonly<Record<string, Schema>>): Record<string, JsonValue> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, openApi(schema)]));

const intOrString = (schema: Schema): readonly Schema[] | undefined =>
  schema['x-kubernetes-int-or-string'] ? [{ type: 'integer' }, { type: 'string' }] : undefined;

const embedded = (properties: Schema['properties']): JsonObject => ({
  properties: {
    ...openApis(properties ?? {}),
    apiVersion,
    kind,
    metadata,
  },
});

export const deleteOptions = metaName('DeleteOptions');
export const patch = metaName('Patch');
export const status = metaName('Status');
/** For `scale` subresources. */
export const scale = 'io.k8s.api.autoscaling.v1.Scale';

const text = { type: 'string' } as const;
const int32 = { type: 'integer', format: 'int32' } as const;

/** What every group's document refers to. */
export const commonSchemas = (): JsonObject => ({
  ...metaSchemas(),
  [metaName('ListMeta')]: {
    type: 'object',
    properties: { continue: text, remainingItemCount: { type: 'integer', format: 'int64' }, resourceVersion: text },
  },
  [patch]: { description: 'What is to change.', type: 'object' },
  [status]: {
    description: 'Why a request was refused, or that it was done.',
    type: 'object',
    properties: {
      apiVersion,
      kind,
      status: text,
      message: text,
      reason: text,
      code: int32,
      details: { type: 'object' },
    },
  },
  [scale]: {
    description: 'How many replicas there are, and how many there should be.',
    type: 'object',
    properties: {
      apiVersion,
      kind,
      metadata,
      spec: { type: 'object', properties: { replicas: int32 } },
      status: { type: 'object', required: ['replicas'], properties: { replicas: int32, selector: text } },
    },
    'x-kubernetes-group-version-kind': [{ group: 'autoscaling', kind: 'Scale', version: 'v1' }],
  },
});
