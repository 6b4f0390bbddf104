import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  setOf,
  union,
  withoutTrees,
} from './field-set.ts';
import { parseFields } from './fields-v1.ts';

const paths = fc.uniqueArray(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), {
  selector: (path) => path.join('.'),
  maxLength: 8,
});

const set = (members: readonly (readonly string[])[]): FieldSet => setOf(...members);
const shown = (members: readonly (readonly string[])[]): readonly string[] =>
  members.map((path) => `.${path.join('.')}`).sort();
const membersOf = (fields: FieldSet): readonly string[] => [...pathsOf(fields)].sort();

const runs = { seed: 404, numRuns: 500 };

describe('field sets', () => {
  it('are what sets of paths are', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [left, right] = [shown(a), shown(b)];
        expect(membersOf(set(a))).toEqual(left);
        expect(membersOf(union(set(a), set(b)))).toEqual([...new Set([...left, ...right])].sort());
        expect(membersOf(intersection(set(a), set(b)))).toEqual(left.filter((path) => right.includes(path)));
        expect(membersOf(difference(set(a), set(b)))).toEqual(left.filter((path) => !right.includes(path)));
        expect(membersOf(withoutTrees(set(a), set(b)))).toEqual(
          left.filter((path) => !right.some((other) => path === other || path.startsWith(`${other}.`))),
        );
      }),
      runs,
    );
  });

  it('have one form: equal sets are equal objects, and as FieldsV1 the same sets again', () => {
    fc.assert(
      fc.property(paths, fc.nat(), (members, turn) => {
        const at = turn % (members.length + 1);
        const turned = [...members.slice(at), ...members.slice(0, at)];
        const text = JSON.stringify(set(members));
        expect(JSON.stringify(set(turned))).toBe(text);
        expect(JSON.stringify(parseFields(JSON.parse(text) as never))).toBe(text);
        expect(JSON.stringify(difference(union(set(members), set([['z']])), set([['z']])))).toBe(text);
      }),
      runs,
    );
  });

  it('share: an operation that changes nothing returns its first operand', () => {
    fc.assert(
      fc.property(paths, (members) => {
        const some = set(members);
        const part = set(members.slice(1));
        expect(union(some, part)).toBe(some);
        expect(difference(some, set([['z']]))).toBe(some);
        expect(withoutTrees(some, set([['z', 'y']]))).toBe(some);
        expect(isEmptySet(difference(some, some))).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    { name: 'a leaf', fields: { 'f:a': {} }, want: ['.a'] },
    { name: 'below', fields: { 'f:a': { 'f:b': {} } }, want: ['.a.b'] },
    { name: 'both', fields: { 'f:a': { '.': {}, 'f:b': {} } }, want: ['.a', '.a.b'] },
    { name: 'a dot alone', fields: { 'f:a': { '.': {} } }, want: ['.a'] },
    { name: 'a dot at the root', fields: { '.': {}, 'f:a': {} }, want: ['.a'] },
    { name: 'unknown steps', fields: { 'q:a': { 'f:b': {} }, 'f:a': { 'q:b': {} } }, want: ['.a'] },
    {
      name: 'one step in two spellings',
      fields: { 'k:{"a":1,"b":2}': { 'f:c': {} }, 'k:{"b":2,"a":1}': {} },
      want: ['[a=1,b=2]', '[a=1,b=2].c'],
    },
    { name: 'null', fields: { 'f:a': null }, want: ['.a'] },
    { name: 'nothing', fields: {}, want: [] },
  ])('of FieldsV1: $name', ({ fields, want }) => {
    expect(pathsOf(parseFields(fields))).toEqual(want);
  });

  it.each([[[]], ['x'], [{ x: {} }], [{ 'f:a': { 'v:': {} } }], [{ 'f:a': 1 }]])('%j is no FieldsV1', (fields) => {
    expect(() => parseFields(fields as never)).toThrow();
  });

  it('of nothing are empty', () => {
    expect(parseFields(undefined)).toBe(emptySet);
    expect(parseFields(null)).toBe(emptySet);
  });
});
