import { deepFreeze, type JsonObject, type JsonValue } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { Schema } from './compiled-schema.ts';

const text: Schema = { type: 'string' };
const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const known: Schema = { type: 'object', properties: { a: text } };

const withSpec = (spec: Schema): Schema => ({ type: 'object', properties: { spec } });

interface Row {
  name: string;
  spec: Schema;
  value: JsonValue;
  want?: unknown;
  unknown?: string[];
}

const rows: readonly Row[] = [
  { name: 'an unknown field', spec: known, value: { a: 'x', b: 1 }, want: { a: 'x' }, unknown: ['spec.b'] },
  {
    name: 'below lists and maps',
    spec: {
      type: 'object',
      properties: {
        list: { type: 'array', items: known },
        map: { type: 'object', additionalProperties: known },
      },
    },
    value: { map: { 'x/y': { a: 'x', c: 1 } }, list: [{ a: 'x' }, { b: { c: 1 } }] },
    want: { map: { 'x/y': { a: 'x' } }, list: [{ a: 'x' }, {}] },
    unknown: ['spec.list[1].b', 'spec.map.x/y.c'],
  },
  { name: 'nothing of an open object', spec: { ...known, ...open }, value: { b: { c: 1 } } },
  {
    name: 'what a property of an open object does not know',
    spec: { type: 'object', ...open, properties: { p: known } },
    value: { p: { a: 'x', b: 1 }, q: { b: 1 } },
    want: { p: { a: 'x' }, q: { b: 1 } },
    unknown: ['spec.p.b'],
  },
  {
    name: 'nothing of the items of an open list, but of what they hold',
    spec: { type: 'array', ...open, items: { type: 'object', properties: { p: known } } },
    value: [{ q: 1, p: { b: 1 } }],
    want: [{ q: 1, p: {} }],
    unknown: ['spec[0].p.b'],
  },
  {
    name: 'fields of an envelope that is not the root',
    spec: known,
    value: { apiVersion: 'v1', kind: 'K', metadata: {}, a: 'x' },
    want: { a: 'x' },
    unknown: ['spec.apiVersion', 'spec.kind', 'spec.metadata'],
  },
  {
    name: 'metadata of an embedded object, told last',
    spec: { ...known, 'x-kubernetes-embedded-resource': true },
    value: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', zone: 1 }, zzz: 1 },
    want: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' } },
    unknown: ['spec.zzz', 'spec.metadata.zone'],
  },
  {
    name: 'nulls, without a word',
    spec: { type: 'object', properties: { a: text, b: { ...text, nullable: true }, c: { ...text, default: 'c' } } },
    value: { a: null, b: null, c: null },
    want: { b: null, c: null },
  },
  {
    name: 'nulls of a map, not of a list',
    spec: {
      type: 'object',
      properties: { map: { type: 'object', additionalProperties: text }, list: { type: 'array', items: text } },
    },
    value: { map: { a: null, b: 'x' }, list: [null] },
    want: { map: { b: 'x' }, list: [null] },
  },
  {
    name: 'names that every object has',
    spec: known,
    value: JSON.parse('{"a":"x","__proto__":{"b":1},"constructor":1}') as JsonObject,
    want: { a: 'x' },
    unknown: ['spec.__proto__', 'spec.constructor'],
  },
  {
    name: 'what is in members that `true` allows',
    spec: { type: 'object', additionalProperties: true },
    value: { a: { b: 1 }, c: 1, d: null },
    want: { a: {}, c: 1, d: null },
    unknown: ['spec.a.b'],
  },
];

describe('prune', () => {
  it.each(rows)('takes away $name', ({ spec, value, want = value, unknown = [] }) => {
    const schema = compileSchema(withSpec(spec));
    const object = deepFreeze({ spec: value });
    expect(schema.prune(object)).toStrictEqual({ spec: want });
    expect(schema.unknownFields(object)).toEqual(unknown);
    const pruned = schema.prune(object);
    expect(schema.prune(pruned)).toBe(pruned);
  });

  it('leaves the envelope of the whole alone, and nothing else that is at its side', () => {
    const object = { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', any: null }, spec: { a: 'x' }, other: 1 };
    const schema = compileSchema(withSpec(known));
    expect(schema.prune(object)).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name: 'n', any: null },
      spec: { a: 'x' },
    });
    expect(schema.unknownFields(object)).toEqual(['other']);
  });

  it('returns what it got when there is nothing to take away, and shares what it keeps', () => {
    const schema = compileSchema({
      type: 'object',
      properties: { spec: known, list: { type: 'array', items: known } },
    });
    const clean = { spec: { a: 'x' }, list: [{ a: 'y' }] };
    expect(schema.prune(clean)).toBe(clean);
    const dirty = { spec: { a: 'x' }, list: [{ a: 'y' }, { b: 1 }] };
    const pruned = schema.prune(dirty) as typeof dirty;
    expect(pruned.spec).toBe(dirty.spec);
    expect(pruned.list[0]).toBe(dirty.list[0]);
    expect(dirty.list[1]).toEqual({ b: 1 });
  });
});
