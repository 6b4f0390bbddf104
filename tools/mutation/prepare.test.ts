import { describe, expect, it } from 'vitest';
import type { Mutant } from '../mutants/types.ts';
import { faultOf, jobsOf } from './prepare.ts';

const folder = 'tools/testing/mutation';
const mutant = (changes: Partial<Mutant> = {}): Mutant => ({
  id: 'low-bound',
  file: `${folder}/subject.ts`,
  find: 'if (value < low) return low;',
  replace: '',
  test: `${folder}/subject.fixture.ts`,
  why: 'clamp never goes below the low bound',
  ...changes,
});

describe('faultOf', () => {
  it('an entry whose text occurs once applies', () => {
    expect(faultOf(mutant())).toBeUndefined();
  });

  it.each([
    { name: 'absent text', changes: { find: 'if (value <= low)' }, want: 'occurs 0 times' },
    { name: 'empty text', changes: { find: '' }, want: 'the text it replaces' },
    { name: 'empty text, replaced', changes: { find: '', replace: 'x' }, want: 'occurs 0 times' },
    { name: 'text that occurs thrice', changes: { find: 'return ' }, want: 'occurs 3 times' },
    { name: 'no change', changes: { replace: 'if (value < low) return low;' }, want: 'the text it replaces' },
    { name: 'no such file', changes: { file: `${folder}/nowhere.ts` }, want: 'nowhere.ts is not there' },
    { name: 'no such test', changes: { test: `${folder}/nowhere.ts` }, want: 'nowhere.ts is not there' },
  ])('$name: $want', ({ changes, want }) => {
    expect(faultOf(mutant(changes))).toContain(want);
  });
});

it('jobsOf: one job a test file, the largest first, entries in their order', () => {
  const [a, b, c] = [mutant({ id: 'a', test: 'x' }), mutant({ id: 'b', test: 'y' }), mutant({ id: 'c', test: 'y' })];
  expect(jobsOf([a, b, c])).toEqual([
    { test: 'y', mutants: [b, c] },
    { test: 'x', mutants: [a] },
  ]);
});
