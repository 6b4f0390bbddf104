import fc from 'fast-check';
import { formatSelector, matchesSelector, parseSelector } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { matchesLabels, parseLabelSelector } from './label-selector.ts';

const messageOf = (text: string): string => {
  try {
    parseLabelSelector(text);
  } catch (error) {
    if (error instanceof ApiError && error.spec.code === 400) return error.spec.message;
  }
  return 'taken';
};

describe('parseLabelSelector', () => {
  it.each([
    ['', { a: '1' }, true],
    [' ', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '1' }, false],
    ['a=1', { a: '1' }, true],
    ['a==1', { a: '2' }, false],
    ['a!=1', {}, true],
    ['a != 1', { a: '1' }, false],
    ['a=', { a: '' }, true],
    ['a=,b', { a: '', b: 'x' }, true],
    ['a in (1, 2)', { a: '2' }, true],
    ['a in (1,2)', {}, false],
    ['a notin (1,2)', {}, true],
    ['a notin (1,2)', { a: '1' }, false],
    ['a in ()', { a: '' }, true],
    ['a in (,)', { a: '' }, true],
    ['a in (1,)', { a: '' }, true],
    ['in in (in,notin)', { in: 'notin' }, true],
    ['a>5', { a: '12' }, true],
    ['a>5', { a: 'x' }, false],
    ['a<5', { a: '-6' }, true],
    ['a>9007199254740993', { a: '9007199254740994' }, true],
    ['example.com/a=1,b!=2', { 'example.com/a': '1' }, true],
    ['constructor', {}, false],
  ])('%j on %j: %s', (text, labels, expected) => {
    expect(matchesLabels(parseLabelSelector(text), labels as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['a in', `unable to parse requirement: found '' expected: '('`],
    ['a in b', `unable to parse requirement: found 'b' expected: '('`],
    ['a in (-x,y-', `unable to parse requirement: found '', expected: ',' or ')'`],
    ['a in (-, =b)', `unable to parse requirement: found '=', expected: ',', or identifier`],
    ['a in (=', `unable to parse requirement: found '=', expected: ',', ')' or identifier`],
    ['a=b,,c', `found ',', expected: identifier after ','`],
    ['a,', `found '', expected: identifier after ','`],
    ['=', `found '=', expected: !, identifier, or 'end of string'`],
    ['a=(b)', `unable to parse requirement: found '(', expected: identifier`],
    ['a b', `unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    ['a!b', `unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt`],
    ['!a=b', `found '=', expected: ',' or 'end of string'`],
    ['a=b c', `found 'c', expected: ',' or 'end of string'`],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['/b', `unable to parse requirement: <nil>: Invalid value: "/b": prefix part must be non-empty`],
    [
      'a234567890123456789012345678901234567890123456789012345678901234',
      `unable to parse requirement: <nil>: Invalid value: "a234567890123456789012345678901234567890123456789012345678901234": name part must be no more than 63 bytes`,
    ],
  ])('%j: %s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('says everything that is wrong with keys and values', () => {
    expect(messageOf('a<-5')).toMatch(
      /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-5": a valid label/,
    );
    expect(messageOf('a/')).toMatch(/Invalid value: "a\/": name part must be non-empty; name part must consist of/);
    expect(messageOf('A_/b')).toMatch(/Invalid value: "A_\/b": prefix part a lowercase RFC 1123 subdomain must/);
    expect(messageOf('A_/b/c')).toMatch(/a valid label key must consist of .* with an optional DNS subdomain prefix/);
    expect(messageOf('a in (-x,-y)')).toMatch(
      /^unable to parse requirement: \[values\[0\]\[a\]: Inv.*, values\[1\]\[a\]: .*\]$/,
    );
  });

  it('takes what our own selectors are written as, and means the same', () => {
    const name = fc.constantFrom('a', 'b', 'example.com/c');
    const value = fc.constantFrom('', '1', 'x.y', 'in');
    const requirement = fc.oneof(
      fc.record({
        key: name,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ key: name, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
    );
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 3 }), fc.dictionary(name, value), (requirements, labels) => {
        const text = formatSelector(requirements);
        const expected = matchesSelector(parseSelector(text), labels);
        expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected);
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});
