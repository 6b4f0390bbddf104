/** A custom resource with lists of every kind, and configurations of it. */
import type { JsonObject, JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { type Resource, resourceId, type StoredObject } from '../resources/resource.ts';
import { compileSchema } from '../schema/compile.ts';
import type { Schema } from '../schema/compiled-schema.ts';

const text: Schema = { type: 'string' };

const spec: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    mode: text,
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    words: { type: 'array', items: text },
    labels: { type: 'object', additionalProperties: text },
    whole: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    nested: { type: 'object', properties: { a: text, b: text } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, label: text },
      },
    },
  },
};

export const widgets: Resource = {
  id: resourceId('example.com', 'widgets'),
  group: 'example.com',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  singular: 'widget',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['create', 'get', 'patch', 'update'],
  versions: [{ name: 'v1', selectableFields: [] }],
  storageVersion: 'v1',
  statusSubresource: true,
  scaleSubresource: false,
  schema: compileSchema({
    type: 'object',
    properties: { spec, status: { type: 'object', properties: { phase: text } } },
  }),
  decoding: 'structural',
  strategy: {},
  hasGeneration: true,
};

export const widget = (fields: JsonObject = {}, metadata: JsonObject = {}): StoredObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', ...metadata },
  ...fields,
});

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const letter = fc.constantFrom('a', 'b', 'c');

const freeValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(1, 'x', true),
    fc.array(fc.constantFrom(1, 'x'), { maxLength: 2 }),
    fc.dictionary(letter, tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
})).value;

/** Keys of a list stand in it once. */
const ports = fc.uniqueArray(
  fc.record(
    { port: fc.constantFrom(1, 2, 10), protocol: fc.constantFrom('TCP', 'UDP'), label: letter },
    { requiredKeys: ['port'] },
  ),
  { minLength: 1, maxLength: 4, selector: ({ port, protocol = 'TCP' }) => `${port}/${protocol}` },
);

/**
 * The spec of a configuration. Small, so that they meet. No empty lists and maps: of these a real server makes nulls, when an applier
 * takes back what was in them, and nobody owns an empty list that he applies.
 */
export const specArbitrary: fc.Arbitrary<JsonObject> = fc
  .record({
    size: optional(fc.nat(2)),
    mode: optional(letter),
    tags: optional(fc.uniqueArray(letter, { minLength: 1 })),
    words: optional(fc.array(letter, { maxLength: 2 })),
    labels: optional(fc.dictionary(letter, letter, { minKeys: 1 })),
    whole: optional(fc.dictionary(letter, letter)),
    nested: optional(fc.record({ a: letter, b: letter }, { requiredKeys: ['a'] })),
    free: optional(fc.dictionary(letter, freeValue, { minKeys: 1, maxKeys: 3 })),
    ports: optional(ports),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject);
