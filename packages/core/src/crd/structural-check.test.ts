import { describe, expect, it } from 'vitest';
import { platformKinds, thirdPartyKinds } from '../kinds/all-kinds.ts';
import type { CustomResourceDefinition } from '../kinds/kubernetes/custom-resource-definition.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { structuralViolations } from './structural-check.ts';

/** A sound definition whose `spec` is what a row says. */
const withSpec = (spec: object, version: object = {}): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...version,
      },
    ],
  },
});

const ports = (items: object, keys: readonly string[] = ['name']): object => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items,
});

describe('structuralViolations', () => {
  it.each([
    { name: 'a plain field', spec: { type: 'string' } },
    { name: 'an open object', spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    { name: 'anything', spec: { 'x-kubernetes-preserve-unknown-fields': true } },
    { name: 'a number or a string', spec: { 'x-kubernetes-int-or-string': true } },
    { name: 'a map', spec: { type: 'object', additionalProperties: { type: 'string' } } },
    {
      name: 'a list map with a required key',
      spec: ports({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
    },
    {
      name: 'a list map with a defaulted key',
      spec: ports({ type: 'object', properties: { name: { type: 'string', default: 'http' } } }),
    },
    {
      name: 'a field called like a forbidden keyword',
      spec: { type: 'object', properties: { id: { type: 'string' } } },
    },
  ])('takes $name', ({ spec }) => {
    expect(structuralViolations(withSpec(spec))).toEqual([]);
  });

  it.each([
    { name: 'no type', spec: { minLength: 1 }, want: 'no type' },
    {
      name: 'no type deep below',
      spec: { type: 'array', items: { type: 'object', properties: { a: {} } } },
      want: '[].a: no type',
    },
    { name: 'no type in a map', spec: { type: 'object', additionalProperties: {} }, want: '{}: no type' },
    {
      name: 'int-or-string with a type',
      spec: { type: 'string', 'x-kubernetes-int-or-string': true },
      want: 'excludes a type',
    },
    {
      name: 'preserve set to false',
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      want: 'may only be true',
    },
    {
      name: 'additionalProperties: false',
      spec: { type: 'object', additionalProperties: false },
      want: 'must be a schema',
    },
    {
      name: 'additionalProperties beside properties',
      spec: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
      want: 'exclude',
    },
    { name: '$ref', spec: { type: 'object', $ref: '#/definitions/x' }, want: '$ref is forbidden' },
    {
      name: 'uniqueItems',
      spec: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      want: 'uniqueItems is forbidden',
    },
    { name: 'nullable', spec: { type: 'string', nullable: true }, want: 'nullable is forbidden' },
    {
      name: 'anyOf',
      spec: { anyOf: [{ type: 'string' }, { type: 'null' }], type: 'string' },
      want: 'anyOf is forbidden',
    },
    { name: 'a list without items', spec: { type: 'array' }, want: 'no items' },
    { name: 'items of an object', spec: { type: 'object', items: { type: 'string' } }, want: 'items of no array' },
    {
      name: 'properties of a string',
      spec: { type: 'string', properties: { a: { type: 'string' } } },
      want: 'properties of no object',
    },
    {
      name: 'a required field that is not there',
      spec: { type: 'object', required: ['a'], properties: {} },
      want: 'requires a',
    },
    {
      name: 'an atomic list',
      spec: { type: 'array', items: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
      want: 'map-type on no object',
    },
    { name: 'a list map without keys', spec: ports({ type: 'object', properties: {} }, []), want: 'without keys' },
    {
      name: 'keys of no list map',
      spec: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['a'] },
      want: 'without list type map',
    },
    {
      name: 'a key that items may lack',
      spec: ports({ type: 'object', properties: { name: { type: 'string' } } }),
      want: 'neither required nor defaulted',
    },
    { name: 'a key that items do not have', spec: ports({ type: 'object', properties: {} }), want: 'no scalar' },
    {
      name: 'a key that is an object',
      spec: ports({ type: 'object', required: ['name'], properties: { name: { type: 'object' } } }),
      want: 'no scalar',
    },
  ])('refuses $name', ({ spec, want }) => {
    expect(structuralViolations(withSpec(spec)).join('\n')).toContain(want);
  });

  it.each([
    { name: 'no schema', version: { schema: null }, want: 'no schema' },
    { name: 'no stored version', version: { storage: false }, want: '0 stored versions' },
    {
      name: 'a root that is no object',
      version: { schema: { openAPIV3Schema: { type: 'string' } } },
      want: 'root is no object',
    },
    {
      name: 'a selectable field that is not there',
      version: { selectableFields: [{ jsonPath: '.spec.y' }] },
      want: '.spec.y is no plain field',
    },
    {
      name: 'a selectable object',
      version: { selectableFields: [{ jsonPath: '.spec' }] },
      want: '.spec is no plain field',
    },
    {
      name: 'nine selectable fields',
      version: { selectableFields: Array.from({ length: 9 }, () => ({ jsonPath: '.spec.x' })) },
      want: 'more than 8',
    },
  ])('refuses $name', ({ version, want }) => {
    const spec = { type: 'object', properties: { x: { type: 'string' } } };
    expect(structuralViolations(withSpec(spec, version)).join('\n')).toContain(want);
  });

  it.each([
    ...platformKinds.map((kind) => ({ id: kind.id, kind, open: false })),
    ...thirdPartyKinds.map((kind) => ({ id: kind.id, kind, open: true })),
  ])('finds nothing in $id', ({ kind, open }) => {
    expect(structuralViolations(customResourceDefinition(kind, { open }))).toEqual([]);
  });
});
