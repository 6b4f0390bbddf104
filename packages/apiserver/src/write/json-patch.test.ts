import { applyJsonPatch, type JsonObject, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { patchDocument } from './json-patch.ts';

const document = { data: { x: '1', n: null }, list: ['a', 'b', 'c'], name: 'a' };
const patched = (...operations: readonly JsonValue[]): JsonValue => patchDocument(document, operations);

describe('patchDocument, beyond RFC 6902', () => {
  it.each<[string, JsonObject, object]>([
    [
      'a replace sets a missing member',
      { op: 'replace', path: '/data/y', value: '2' },
      { data: { x: '1', n: null, y: '2' } },
    ],
    ['a test finds null where nothing is', { op: 'test', path: '/data/none', value: null }, {}],
    ['a test without a value is one for null', { op: 'test', path: '/data/none' }, {}],
    ['a test finds null', { op: 'test', path: '/data/n' }, {}],
    ['an add without a value adds null', { op: 'add', path: '/data' }, { data: null }],
    ['a copy of nothing is null', { op: 'copy', from: '/none', path: '/data' }, { data: null }],
    [
      'an index below 0 counts from the end',
      { op: 'replace', path: '/list/-1', value: 'd' },
      { list: ['a', 'b', 'd'] },
    ],
    ['the first from the end', { op: 'remove', path: '/list/-3' }, { list: ['b', 'c'] }],
    ['what is beside is left alone', { op: 'test', path: '/name', value: 'a', beside: 1 }, {}],
  ])('%s', (_, operation, want) => {
    expect(patched(operation)).toEqual({ ...document, ...want });
  });

  it.each<[string, JsonValue]>([
    ['a test of another value', { op: 'test', path: '/data/x', value: '2' }],
    ['a test of a missing value', { op: 'test', path: '/data/none', value: '2' }],
    ['a test below what is missing', { op: 'test', path: '/none/x', value: null }],
    ['a remove of nothing', { op: 'remove', path: '/data/none' }],
    ['a move of nothing', { op: 'move', from: '/data/none', path: '/data/y' }],
    ['an add below nothing', { op: 'add', path: '/none/x', value: 1 }],
    ['a replace below nothing', { op: 'replace', path: '/none/x', value: 1 }],
    ['a replace past the end', { op: 'replace', path: '/list/3', value: 1 }],
    ['an index too far below 0', { op: 'remove', path: '/list/-4' }],
    ['a path that is no pointer', { op: 'add', path: 'data', value: {} }],
    ['a bad escape', { op: 'add', path: '/data/~2', value: 1 }],
    ['no path', { op: 'add' }],
    ['the removal of everything', { op: 'remove', path: '' }],
    ['an unknown op', { op: 'explode', path: '/data' }],
    ['no operation', {}],
    ['null', null],
  ])('%s is refused', (_, operation) => {
    const act = (): JsonValue => patched({ op: 'add', path: '/data/z', value: 1 }, operation);
    expect(act).toThrow(ApiError);
    expect(act).toThrow('422: the server rejected our request due to an error in our request');
  });

  it('the whole document may be replaced', () => {
    expect(patched({ op: 'replace', path: '', value: [1] })).toEqual([1]);
  });

  it('each operation sees what those before it did', () => {
    expect(
      patched({ op: 'add', path: '/list/-', value: 'd' }, { op: 'copy', from: '/list/-1', path: '/name' }),
    ).toMatchObject({ name: 'd' });
  });

  it('does what the RFC says wherever that lets it do anything', () => {
    const path = fc.constantFrom('', '/a', '/a/b', '/a/b/c', '/l', '/l/0', '/l/2', '/l/-', '/__proto__');
    const value = fc.constantFrom<JsonValue[]>(1, 'x', null, { b: { c: 1 } }, [1, 2]);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('move', 'copy'), path, from: path }),
    );
    const outcome = (patch: () => JsonValue): JsonValue | undefined => {
      try {
        return patch();
      } catch {
        return undefined;
      }
    };
    const start = { a: { b: { c: null } }, l: [0, { d: 1 }] };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 4 }), (operations) => {
        const byTheBook = outcome(() => applyJsonPatch(start, operations));
        if (byTheBook !== undefined) expect(patchDocument(start, operations)).toEqual(byTheBook);
      }),
      { seed: 411, numRuns: 2000 },
    );
  });
});
