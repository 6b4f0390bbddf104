import { describe, expect, it } from 'vitest';
import { goRegExp } from './go-regexp.ts';

describe('goRegExp', () => {
  it.each([
    { pattern: '^[a-z]+$', yes: ['a'], no: ['A', 'a\n', ''] },
    { pattern: '^(?:a|b){2}$', yes: ['ab'], no: ['a'] },
    { pattern: '(?i)^abc$', yes: ['ABC'], no: ['ab'] },
    { pattern: '^a.c$', yes: ['a\rc', 'abc', 'a\u2028c', 'a😀c'], no: ['a\nc', 'ac'] },
    { pattern: '(?s)^a.c$', yes: ['a\nc'], no: ['ac'] },
    { pattern: '(?m)^b$', yes: ['a\nb\nc'], no: ['ab'] },
    { pattern: String.raw`\Aa\z`, yes: ['a'], no: ['a\n', 'ba'] },
    { pattern: String.raw`(?m)\Aa\z`, yes: ['a'], no: ['a\nb', 'b\na'] },
    { pattern: String.raw`^\s$`, yes: [' ', '\t'], no: ['\u00a0', '\v', 'x'] },
    { pattern: String.raw`^\S$`, yes: ['\u00a0', 'x'], no: [' '] },
    { pattern: String.raw`^[\s,]+$`, yes: [' ,'], no: ['\u00a0'] },
    { pattern: '^[[:alpha:]_]+$', yes: ['aZ_'], no: ['1'] },
    { pattern: '^[[:punct:]]+$', yes: ['!-/:@[`{~', ']'], no: ['a'] },
    { pattern: '^[]a]+$', yes: [']a'], no: ['b'] },
    { pattern: '^[^]a]+$', yes: ['b'], no: [']'] },
    { pattern: '^[[a]+$', yes: ['[a'], no: ['b'] },
    { pattern: '^{a}$', yes: ['{a}'], no: ['a'] },
    { pattern: '^a]$', yes: ['a]'], no: ['a'] },
    { pattern: String.raw`^[\w\-\.\/]+$`, yes: ['a-b.c/d'], no: ['a b'] },
    { pattern: String.raw`^a\-b\_c\/\@$`, yes: ['a-b_c/@'], no: ['ab'] },
    { pattern: String.raw`^\pL\p{Greek}\PL$`, yes: ['aα1'], no: ['aa1'] },
    { pattern: String.raw`^\p{Lu}\p{^Lu}$`, yes: ['Aa'], no: ['AA'] },
    { pattern: String.raw`^\x41\x{1F600}\101\0$`, yes: ['A😀A\0'], no: ['A'] },
    { pattern: String.raw`^\Qa.b\E$`, yes: ['a.b'], no: ['axb'] },
    { pattern: '^(?P<x>a)$', yes: ['a'], no: ['b'] },
    { pattern: '^😀?$', yes: ['', '😀'], no: ['\ud83d'] },
  ])('$pattern', ({ pattern, yes, no }) => {
    const regExp = goRegExp(pattern);
    expect(yes.filter((text) => !regExp.test(text))).toEqual([]);
    expect(no.filter((text) => regExp.test(text))).toEqual([]);
  });

  it.each([
    { pattern: '(', says: 'missing closing ): `(`' },
    { pattern: 'a)', says: 'unexpected ): `a)`' },
    { pattern: '[a', says: 'missing closing ]: `[a`' },
    { pattern: '[b-a]', says: 'invalid character class range: `b-a`' },
    { pattern: 'a**', says: 'invalid nested repetition operator: `**`' },
    { pattern: 'a{2}{3}', says: 'invalid nested repetition operator' },
    { pattern: '*', says: 'missing argument to repetition operator: `*`' },
    { pattern: '(?=a)', says: 'invalid or unsupported Perl syntax: `(?=`' },
    { pattern: '(?<!a)', says: 'invalid or unsupported Perl syntax: `(?<!`' },
    { pattern: '(a)\\1', says: 'invalid escape sequence: `\\1`' },
    { pattern: '\\y', says: 'invalid escape sequence: `\\y`' },
    { pattern: '\\', says: 'trailing backslash at end of expression' },
    { pattern: '[[:foo:]]', says: 'invalid character class range: `[:foo:]`' },
  ])('refuses $pattern', ({ pattern, says }) => {
    expect(() => goRegExp(pattern)).toThrow(SyntaxError);
    expect(() => goRegExp(pattern)).toThrow(says);
  });
});
