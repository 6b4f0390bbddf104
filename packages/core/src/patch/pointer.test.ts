import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/value.ts';
import { lookup } from './location.ts';
import { jsonPointer, pointerTokens } from './pointer.ts';

describe('pointerTokens', () => {
  // RFC 6901 section 5
  const document: JsonValue = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };

  it.each<[string, unknown]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j points where RFC 6901 says', (pointer, want) => {
    expect(lookup(document, pointerTokens(pointer) ?? [])).toEqual(want);
  });

  it.each(['foo', ' /foo', '#/foo', '/m~n', '/m~2', '/~', '/a~/b'])('%j is no pointer', (pointer) => {
    expect(pointerTokens(pointer)).toBeUndefined();
  });

  it('undoes jsonPointer', () => {
    expect(jsonPointer('metadata', 'annotations', 'lifeline.dev/a~1', 0)).toBe(
      '/metadata/annotations/lifeline.dev~1a~01/0',
    );
    expect(jsonPointer()).toBe('');
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.stringMatching(/^[~/01]*$/), fc.string({ unit: 'binary' }))), (tokens) => {
        expect(pointerTokens(jsonPointer(...tokens))).toEqual(tokens);
      }),
      { seed: 401, numRuns: 1000 },
    );
  });
});
