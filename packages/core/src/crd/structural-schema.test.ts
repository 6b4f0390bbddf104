import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Kind } from '../kinds/kind.ts';
import { serverRules } from '../kinds/server-rules.ts';
import { int64, objectMetaSchema } from '../meta/object.ts';
import { structuralSchema, UnrepresentableError } from './structural-schema.ts';

const kindWith = (spec: z.ZodType, listMapKeys: Kind['listMapKeys'] = {}): Kind =>
  ({
    id: 'Thing.example.com',
    listMapKeys,
    schema: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema, spec }),
  }) as unknown as Kind;

const specOf = (spec: z.ZodType, { open = false, listMapKeys = {} } = {}): unknown =>
  structuralSchema(kindWith(spec, listMapKeys), { open }).properties?.['spec'];

describe('structuralSchema', () => {
  it.each([
    { name: 'string', schema: z.string(), want: { type: 'string' } },
    { name: 'boolean', schema: z.boolean(), want: { type: 'boolean' } },
    { name: 'number', schema: z.number(), want: { type: 'number' } },
    { name: 'integer', schema: z.int(), want: { type: 'integer' } },
    { name: 'int32', schema: z.int32(), want: { type: 'integer', format: 'int32' } },
    { name: 'int64', schema: int64, want: { type: 'integer', format: 'int64' } },
    { name: 'enum', schema: z.enum(['A', 'B']), want: { type: 'string', enum: ['A', 'B'] } },
    { name: 'int or string', schema: z.union([z.int(), z.string()]), want: { 'x-kubernetes-int-or-string': true } },
    { name: 'unknown', schema: z.unknown(), want: { 'x-kubernetes-preserve-unknown-fields': true } },
    { name: 'nullish', schema: z.string().nullish(), want: { type: 'string' } },
    {
      name: 'object without fields',
      schema: z.looseObject({}),
      want: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    {
      name: 'string map',
      schema: z.record(z.string(), z.string()),
      want: { type: 'object', additionalProperties: { type: 'string' } },
    },
    { name: 'list', schema: z.array(z.string()), want: { type: 'array', items: { type: 'string' } } },
    {
      name: 'object: what is not optional is required',
      schema: z.looseObject({ a: z.string(), b: z.string().nullish(), c: z.string().nullable() }),
      want: {
        type: 'object',
        required: ['a', 'c'],
        properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
      },
    },
  ])('$name', ({ schema, want }) => {
    expect(specOf(schema)).toEqual(want);
  });

  it('leaves metadata to the server, and requires nothing that all objects have', () => {
    expect(structuralSchema(kindWith(z.string()), { open: false })).toEqual({
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: { type: 'string' },
      },
    });
  });

  it('writes the server rules of the field and of what it wraps, the outer ones last', () => {
    const text = z.string().register(serverRules, { minLength: 1, maxLength: 5, description: 'inner' });
    expect(specOf(text.nullish().register(serverRules, { maxLength: 9, default: 'x' }))).toEqual({
      description: 'inner',
      type: 'string',
      minLength: 1,
      maxLength: 9,
      default: 'x',
    });
  });

  it('writes rules under their Kubernetes names', () => {
    const spec = z.looseObject({ a: z.string().nullish() }).register(serverRules, {
      open: true,
      atomic: true,
      required: ['a'],
      cel: [{ rule: 'has(self.a)', message: 'a' }],
    });
    expect(specOf(spec)).toEqual({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'a' }],
      required: ['a'],
      properties: { a: { type: 'string' } },
    });
  });

  it('opens every object of an open kind but the root', () => {
    const spec = z.looseObject({ a: z.array(z.looseObject({ b: z.string() })) });
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    expect(specOf(spec, { open: true })).toMatchObject({ ...open, properties: { a: { items: open } } });
    expect(structuralSchema(kindWith(spec), { open: true })).not.toHaveProperty('x-kubernetes-preserve-unknown-fields');
    expect(JSON.stringify(specOf(spec))).not.toContain('preserve');
  });

  it('makes list maps where the descriptor says so, below lists too', () => {
    const inner = z.array(z.looseObject({ type: z.string() }));
    const spec = z.looseObject({ outer: z.array(z.looseObject({ name: z.string(), inner })) });
    const map = (key: string): object => ({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': [key],
    });
    expect(specOf(spec, { listMapKeys: { 'spec.outer': ['name'], 'spec.outer[].inner': ['type'] } })).toMatchObject({
      properties: { outer: { ...map('name'), items: { properties: { inner: map('type') } } } },
    });
    expect(JSON.stringify(specOf(spec))).not.toContain('list-type');
  });

  it.each([
    { name: 'a transform', schema: z.string().transform((text) => text.length) },
    { name: 'a default', schema: z.string().default('x') },
    { name: 'a tuple', schema: z.tuple([z.string()]) },
    { name: 'a union of shapes', schema: z.union([z.string(), z.boolean()]) },
  ])('refuses $name, and says where', ({ schema }) => {
    expect(() => specOf(schema)).toThrow(UnrepresentableError);
    expect(() => specOf(schema)).toThrow('Thing.example.com: spec');
  });

  it('refuses a list map that is no list of the schema', () => {
    expect(() => specOf(z.looseObject({}), { listMapKeys: { 'spec.gone': ['name'] } })).toThrow('list map spec.gone');
  });
});
