import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatSelector,
  matchesSelector,
  parseSelector,
  type Requirement,
  requirementsOf,
  SelectorError,
} from './selector.ts';

describe('matchesSelector', () => {
  const labels = { app: 'web', tier: '', 'meta.datumapis.com/upstream-namespace': 'default' };
  it.each([
    ['', true],
    ['app', true],
    ['!app', false],
    ['app=web', true],
    ['app==web', true],
    ['app = web', true],
    ['app!=web', false],
    ['app!=api', true],
    ['missing!=api', true],
    ['missing=', false],
    ['tier=', true],
    ['tier', true],
    ['app in (web,api)', true],
    ['app in(api)', false],
    ['app notin ( api , other )', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['missing in (web)', false],
    ['tier in (,x)', true],
    ['!missing', true],
    ['! missing', true],
    ['app=web,tier=', true],
    ['app=web,tier=x', false],
    ['app in (web,api),!missing,meta.datumapis.com/upstream-namespace', true],
    ['constructor', false],
  ])('%j → %s', (text, want) => {
    expect(matchesSelector(parseSelector(text), labels)).toBe(want);
  });

  it.each([null, undefined])('labels %j are no labels', (none) => {
    expect(matchesSelector(parseSelector('!app'), none)).toBe(true);
    expect(matchesSelector(parseSelector('app'), none)).toBe(false);
  });
});

describe('parseSelector', () => {
  it.each([
    ',',
    'a,',
    'a b',
    '=b',
    'a=b=c',
    'a in',
    'a in ()',
    'a in (b',
    'a in b',
    'a in (b)(c)',
    'a>1',
    '!',
    '!a=b',
    'a=é',
    'a=-b',
    'a/b/c',
    `a=${'x'.repeat(64)}`,
  ])('refuses %j', (text) => {
    expect(() => parseSelector(text)).toThrow(SelectorError);
  });

  it('equal selectors have equal texts', () => {
    expect(formatSelector(parseSelector('b,a in (y,x,y),!c'))).toBe('!c,a in (x,y),b');
    expect(formatSelector(parseSelector('!c,a in (x,y),b'))).toBe('!c,a in (x,y),b');
    expect(formatSelector(parseSelector('a in (x)'))).toBe('a=x');
    expect(formatSelector(parseSelector('a notin (x)'))).toBe('a!=x');
    expect(formatSelector([])).toBe('');
  });

  it('reads back what it wrote', () => {
    const key = fc.constantFrom('a', 'in', 'notin', 'x.io/b-c_d');
    const values = fc.uniqueArray(fc.constantFrom('', 'a', 'b', 'in', '1.x_y-z'), { minLength: 1 });
    const requirement: fc.Arbitrary<Requirement> = fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: values.map((v) => v.toSorted()),
      }),
      fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const text = formatSelector(requirements);
        const read = parseSelector(text);
        expect(formatSelector(read)).toBe(text);
        expect(read).toHaveLength(requirements.length);
        expect(read).toEqual(expect.arrayContaining([...requirements]));
      }),
      { seed: 27, numRuns: 500 },
    );
  });
});

describe('requirementsOf', () => {
  it('takes matchLabels and matchExpressions together', () => {
    const requirements = requirementsOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    });
    expect(formatSelector(requirements)).toBe('!old,app=web,tier in (a,b)');
  });

  it('nothing said selects everything', () => {
    expect(matchesSelector(requirementsOf({}), { a: 'b' })).toBe(true);
    expect(matchesSelector(requirementsOf({ matchLabels: null, matchExpressions: null }), {})).toBe(true);
  });

  it.each([
    { key: 'a', operator: 'in', values: ['b'] },
    { key: 'a', operator: 'In', values: [] },
    { key: 'a', operator: 'NotIn', values: null },
    { key: 'a', operator: 'Exists', values: ['b'] },
    { key: '', operator: 'Exists' },
  ])('refuses %j', (expression) => {
    expect(() => requirementsOf({ matchExpressions: [expression] })).toThrow(SelectorError);
  });
});
