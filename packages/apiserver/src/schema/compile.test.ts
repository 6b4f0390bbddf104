import { readFileSync } from 'node:fs';
import {
  deepFreeze,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  JsonNumber,
  type JsonValue,
  parseJson,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Cause } from '../api-error.ts';
import { compileSchema } from './compile.ts';
import type { Schema } from './compiled-schema.ts';

const text: Schema = { type: 'string' };

interface Answer {
  readonly field: string;
  /** JSON, as it was sent. */
  readonly value: string;
  readonly causes: readonly (readonly [reason: string, message: string, field: string])[];
  /** A cause says that CEL rules were not looked at. */
  readonly rulesSkipped?: boolean;
}

/** A schema with every rule, and what a kube-apiserver 1.36.3 said of objects with `spec: { a1: 'x', [field]: value }`. */
const recorded = JSON.parse(readFileSync(new URL('testdata/answers.json', import.meta.url), 'utf8')) as {
  readonly schema: Schema;
  readonly answers: readonly Answer[];
};

/** Numbers as a server stores them: exact up to an int64, else doubles. */
const stored = (value: JsonValue): JsonValue => {
  if (value instanceof JsonNumber)
    return /^-?\d{1,19}$/.test(value.text) && value.text !== '9223372036854775808' ? value : Number(value.text);
  if (isJsonArray(value)) return value.map(stored);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, stored(item ?? null)]));
};

const skipped = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

describe('validate', () => {
  const compiled = compileSchema(recorded.schema);

  it.each(recorded.answers)(
    'says what a real server says of $field: $value',
    ({ field, value, causes, rulesSkipped }) => {
      const sent = stored(parseJson(`{"spec":{"a1":"x","${field}":${value}}}`)) as JsonObject;
      const object = deepFreeze(compiled.applyDefaults(compiled.prune(sent)));
      expect(compiled.validate(object)).toEqual([
        ...causes.map(([reason, message, at]) => ({ reason, message, field: at })),
        ...(rulesSkipped ? [skipped] : []),
      ]);
    },
  );
});

/** `field: reason message` of each cause, but that rules were not looked at. */
const told = (causes: readonly Cause[]): readonly string[] =>
  causes.map(({ field = '', reason, message }) => `${field}: ${reason.replace('FieldValue', '')} ${message}`);

describe('validate, statusOnly', () => {
  const schema = compileSchema({ type: 'object', properties: recorded.schema.properties ?? {} });

  it.each([
    {
      status: { n: 'x' },
      want: ['status.n: TypeInvalid Invalid value: "string": n in body must be of type integer: "string"'],
    },
    { status: { o: {} }, want: ['status.o.q: Required Required value'] },
    {
      status: { any: {} },
      want: [
        'status: Invalid Invalid value: "": "any" must validate at least one schema (anyOf)',
        'status.any.x: Required Required value',
      ],
    },
    { status: { set: ['a', 'a'] }, want: ['status.set[1]: Duplicate Duplicate value: "a"'] },
    { status: 5, want: ['status: TypeInvalid Invalid value: "integer":  in body must be of type object: "integer"'] },
    { status: { n: 1 }, want: [] },
  ])('$status', ({ status, want }) => {
    const causes = schema.validate({ spec: 'not looked at', status }, { statusOnly: true });
    expect(told(causes.filter(({ message }) => message !== skipped.message))).toEqual(want);
  });
});

describe('validate, with what was before', () => {
  const item: Schema = {
    type: 'object',
    properties: { name: { type: 'string' }, port: { type: 'integer', maximum: 9 } },
  };
  const listMap = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const;
  const schema = compileSchema({
    type: 'object',
    required: ['must'],
    properties: {
      port: { type: 'integer', maximum: 9 },
      list: { type: 'array', items: item },
      map: { type: 'array', items: item, ...listMap },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
  });
  const fields = (object: JsonObject, old: JsonObject): readonly (string | undefined)[] =>
    schema.validate(object, { old }).map(({ field }) => field);
  const must = true;

  it.each([
    { name: 'a field that did not change', old: { must, port: 10 }, next: { must, port: 10, x: 1 }, want: [] },
    { name: 'not a field that did', old: { must, port: 10 }, next: { must, port: 11 }, want: ['port'] },
    { name: 'not a field that is new', old: { must }, next: { must, port: 11 }, want: ['port'] },
    { name: 'not what the whole lacks', old: { port: 1 }, next: { port: 2 }, want: ['must'] },
    { name: 'a list as a whole', old: { must, list: [{ port: 10 }] }, next: { must, list: [{ port: 10 }] }, want: [] },
    {
      name: 'not items of a list that changed',
      old: { must, list: [{ port: 10 }] },
      next: { must, list: [{ port: 10 }, {}] },
      want: ['list[0].port'],
    },
    {
      name: 'items of a list map, wherever they are now',
      old: { must, map: [{ name: 'a', port: 10 }] },
      next: {
        must,
        map: [
          { name: 'b', port: 10 },
          { name: 'a', port: 10 },
        ],
      },
      want: ['map[0].port'],
    },
    { name: 'duplicates that there were', old: { must, set: ['a', 'a'] }, next: { must, set: ['b', 'b'] }, want: [] },
    {
      name: 'no duplicates that are new',
      old: { must, set: ['a'] },
      next: { must, set: ['a', 'a'] },
      want: ['set[1]'],
    },
  ])('forgives $name', ({ old, next, want }) => {
    expect(fields(next, old)).toEqual(want);
  });
});

describe('validate, compositions', () => {
  const kind = (name: string): Schema => ({ type: 'string', enum: [name] });
  const branches: readonly Schema[] = [
    { required: ['a'], properties: { kind: kind('A') } },
    { required: ['b'], properties: { kind: kind('B'), b: { type: 'integer' }, c: { type: 'integer' } } },
  ];

  it('tells of the branch that most checks were made for, and of the first of equals', () => {
    const schema = compileSchema({ type: 'object', properties: { spec: { type: 'object', anyOf: branches } } });
    const of = (spec: JsonObject): readonly string[] => told(schema.validate({ spec })).slice(1);
    expect(of({})).toEqual(['spec.a: Required Required value']);
    expect(of({ kind: 'B' })).toEqual([
      'spec.kind: NotSupported Unsupported value: "B": supported values: "A"',
      'spec.a: Required Required value',
    ]);
    expect(of({ c: 1 })).toEqual(['spec.b: Required Required value']);
  });
});

describe('compileSchema', () => {
  it('gives equal schemas one form', () => {
    const [a, b] = [
      compileSchema({ type: 'object', required: ['a'] }),
      compileSchema({ required: ['a'], type: 'object' }),
    ];
    expect(a).toBe(b);
    expect(compileSchema({ type: 'object', required: ['b'] })).not.toBe(a);
  });

  it('takes properties that every object has', () => {
    const schema = compileSchema({
      type: 'object',
      required: ['toString'],
      properties: { constructor: text },
    });
    expect(told(schema.validate({}))).toEqual(['toString: Required Required value']);
    expect(told(schema.validate({ toString: 1, constructor: 1 }))).toEqual([
      'constructor: TypeInvalid Invalid value: "integer": constructor in body must be of type string: "integer"',
    ]);
  });
});
