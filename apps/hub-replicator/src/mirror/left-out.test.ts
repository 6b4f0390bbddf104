import type { JsonObject, JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutFields } from './left-out.ts';

describe('withoutFields', () => {
  it.each<{ name: string; body: JsonObject; field: string; want: JsonObject | undefined }>([
    { name: 'of an object', body: { spec: { a: 1, b: 2 } }, field: 'spec.a', want: { spec: { b: 2 } } },
    { name: 'at the top', body: { spec: {}, data: {} }, field: 'data', want: { spec: {} } },
    {
      name: 'whose name holds dots',
      body: { spec: { 'a.b': { c: 1 } } },
      field: 'spec.a.b.c',
      want: { spec: { 'a.b': {} } },
    },
    {
      name: 'whose name begins like another',
      body: { spec: { a: 1, ab: 1 } },
      field: 'spec.ab',
      want: { spec: { a: 1 } },
    },
    {
      name: 'called __proto__',
      body: JSON.parse('{"spec":{"__proto__":1,"b":2}}') as JsonObject,
      field: 'spec.__proto__',
      want: { spec: { b: 2 } },
    },
    {
      name: 'of an item by its place',
      body: { spec: [{ a: 1 }, { a: 1 }] },
      field: 'spec[1].a',
      want: { spec: [{ a: 1 }, {}] },
    },
    {
      name: 'of an item by its key',
      body: {
        spec: [
          { name: 'x', a: 1 },
          { name: 'y].a', a: 1 },
        ],
      },
      field: 'spec[name="y].a"].a',
      want: { spec: [{ name: 'x', a: 1 }, { name: 'y].a' }] },
    },
    {
      name: 'of an item by keys of which one has its default',
      body: {
        spec: [
          { port: 2, a: 1 },
          { port: 1, a: 1 },
        ],
      },
      field: 'spec[port=1,protocol="TCP"].a',
      want: { spec: [{ port: 2, a: 1 }, { port: 1 }] },
    },
    { name: 'that is not there', body: { spec: { a: 1 } }, field: 'spec.b', want: undefined },
    { name: 'below what is no object', body: { spec: { a: 1 } }, field: 'spec.a.b', want: undefined },
    { name: 'of an item that is not there', body: { spec: [{ a: 1 }] }, field: 'spec[1].a', want: undefined },
    { name: 'that is an item itself', body: { spec: ['a'] }, field: 'spec[="a"]', want: undefined },
    { name: 'of metadata', body: { spec: {} }, field: 'metadata.labels', want: undefined },
  ])('a field $name', ({ body, field, want }) => {
    const before = JSON.stringify(body);
    expect(withoutFields(body, [field])).toEqual({ body: want ?? body, leftOut: want ? [field] : [] });
    expect(JSON.stringify(body)).toBe(before);
  });

  it('leaves out what was put in anywhere, and nothing else', () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.dictionary(name, tie('tree'), { maxKeys: 3 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 3 }), fc.nat(), (body, pick) => {
        const places = [...objectsIn(body, '')];
        const place = places[pick % places.length] ?? '';
        const { body: with_, leftOut } = withoutFields(extended(body, place), [`${place}.EXTRA`.replace(/^\./, '')]);
        expect(leftOut).toHaveLength(1);
        expect(with_).toEqual(body);
      }),
      { seed: 5 },
    );
  });
});

/** The paths of all objects. */
function* objectsIn(value: JsonValue, path: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) yield* objectsIn(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    yield path;
    for (const [key, member] of Object.entries(value)) yield* objectsIn(member as JsonValue, `${path}.${key}`);
  }
}

/** With one more field in the object at a path. */
function extended<T extends JsonValue>(value: T, place: string, path = ''): T {
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => extended(item, place, `${path}[${index}]`)) as never;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    extended(member as JsonValue, place, `${path}.${key}`),
  ]);
  return Object.fromEntries(path === place ? [...members, ['EXTRA', 1]] : members) as never;
}
