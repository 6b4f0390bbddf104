import { deepFreeze, type JsonValue } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { Schema } from './compiled-schema.ts';

const port: Schema = { type: 'integer', default: 80 };
const named: Schema = { type: 'string', default: 'x' };
const target: Schema = { type: 'object', properties: { port, host: { type: 'string' } } };

interface Row {
  name: string;
  spec: Schema;
  value: JsonValue;
  want: unknown;
}

const rows: readonly Row[] = [
  { name: 'an absent field', spec: target, value: { host: 'h' }, want: { host: 'h', port: 80 } },
  { name: 'not a field that is there', spec: target, value: { port: 0 }, want: { port: 0 } },
  { name: 'a null', spec: target, value: { port: null }, want: { port: 80 } },
  {
    name: 'not a null that is allowed',
    spec: { type: 'object', properties: { port: { ...port, nullable: true } } },
    value: { port: null },
    want: { port: null },
  },
  { name: 'nothing in an absent object', spec: { type: 'object', properties: { target } }, value: {}, want: {} },
  {
    name: 'what a default lacks of its own',
    spec: { type: 'object', properties: { target: { ...target, default: { host: 'h', stray: 1 } } } },
    value: {},
    want: { target: { host: 'h', port: 80 } },
  },
  {
    name: 'items of lists and values of maps',
    spec: {
      type: 'object',
      properties: {
        list: { type: 'array', items: target },
        map: { type: 'object', additionalProperties: target },
      },
    },
    value: { list: [{}, { port: 1 }, null], map: { a: {}, b: { port: 1 } } },
    want: { list: [{ port: 80 }, { port: 1 }, null], map: { a: { port: 80 }, b: { port: 1 } } },
  },
  {
    name: 'nulls in lists and maps',
    spec: {
      type: 'object',
      properties: { list: { type: 'array', items: port }, map: { type: 'object', additionalProperties: port } },
    },
    value: { list: [null, 1], map: { a: null } },
    want: { list: [80, 1], map: { a: 80 } },
  },
  {
    name: 'known fields of an open object',
    spec: { ...target, 'x-kubernetes-preserve-unknown-fields': true },
    value: { any: 1 },
    want: { any: 1, port: 80 },
  },
  {
    name: 'a field that every object has',
    spec: { type: 'object', properties: { constructor: named } },
    value: {},
    want: { constructor: 'x' },
  },
];

describe('applyDefaults', () => {
  it.each(rows)('fills in $name', ({ spec, value, want }) => {
    const schema = compileSchema({ type: 'object', properties: { spec: spec } });
    const filled = schema.applyDefaults(deepFreeze({ spec: value }));
    expect(filled).toStrictEqual({ spec: want });
    expect(schema.applyDefaults(filled)).toBe(filled);
  });

  it('gives frozen defaults, not copies', () => {
    const schema = compileSchema({ type: 'object', properties: { target: { ...target, default: {} } } });
    const [a, b] = [schema.applyDefaults({}), schema.applyDefaults({})];
    expect(a['target']).toBe(b['target']);
    expect(Object.isFrozen(a['target'])).toBe(true);
  });
});
