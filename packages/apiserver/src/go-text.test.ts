import { JsonNumber } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { goJson, goNumber, goPrint, goQuote } from './go-text.ts';

describe('goQuote', () => {
  it.each([
    { text: 'plain', want: '"plain"' },
    { text: 'a"b\\c', want: String.raw`"a\"b\\c"` },
    { text: '\u0007\b\f\n\r\t\v', want: String.raw`"\a\b\f\n\r\t\v"` },
    { text: '\u0001\u007f', want: String.raw`"\x01\x7f"` },
    { text: 'é\u2028😀', want: String.raw`"é\u2028😀"` },
    { text: '\u{e0001}', want: String.raw`"\U000e0001"` },
  ])('$want', ({ text, want }) => {
    expect(goQuote(text)).toBe(want);
  });
});

describe('goNumber', () => {
  it.each([
    { value: 1, want: '1' },
    { value: 0, want: '0' },
    { value: 0.0001, want: '0.0001' },
    { value: 0.00001, want: '1e-05' },
    { value: 1e20, want: '100000000000000000000' },
    { value: 1e21, want: '1e+21' },
    { value: new JsonNumber('9007199254740993'), want: '9007199254740993' },
  ])('$want', ({ value, want }) => {
    expect(goNumber(value)).toBe(want);
  });
});

describe('goJson', () => {
  it('sorts keys at any depth and escapes what HTML could take for a tag', () => {
    expect(goJson({ b: [{ d: '<&>', c: new JsonNumber('9007199254740993') }], a: null })).toBe(
      String.raw`{"a":null,"b":[{"c":9007199254740993,"d":"\u003c\u0026\u003e"}]}`,
    );
  });
});

describe('goPrint', () => {
  it('prints what is within, in the order of keys', () => {
    expect(goPrint({ b: [1, 'x', null, true], a: {}, c: new JsonNumber('9007199254740993') })).toBe(
      'map[a:map[] b:[1 x <nil> true] c:9007199254740993]',
    );
  });
});
