import { beforeAll, describe, expect, it } from 'vitest';
import type { Mutant, Verdict } from '../mutants/types.ts';
import { judgeAll } from './crew.ts';

const folder = 'tools/testing/mutation';
const low = 'if (value < low) return low;';

/** An entry that is killed, but for what `changes` says. */
const mutant = (id: string, changes: Partial<Mutant> = {}): Mutant => ({
  id,
  file: `${folder}/subject.ts`,
  find: low,
  replace: 'if (value < low) return value;',
  test: `${folder}/subject.fixture.ts`,
  why: 'clamp never goes below the low bound',
  ...changes,
});

const mutants: readonly Mutant[] = [
  mutant('killed'),
  mutant('killed-by-name', { name: 'clamp > keeps the low bound' }),
  mutant('survives', { find: 'if (value > high) return high;', replace: 'if (value > high) return value;' }),
  mutant('survives-the-named-test', { name: 'leaves what is between' }),
  mutant('survives-behind-a-comment', { replace: `${low} // nothing changed` }),
  mutant('no-such-text', { find: 'if (value <= low)' }),
  mutant('text-thrice', { find: 'return ', replace: 'throw ' }),
  mutant('text-once-changed-to-itself', { replace: low }),
  mutant('no-such-file', { file: `${folder}/nowhere.ts` }),
  mutant('no-such-test', { test: `${folder}/nowhere.fixture.ts` }),
  mutant('no-such-name', { name: 'keeps the high bound' }),
  mutant('never-loaded', { file: `${folder}/unrelated.ts`, find: '= 1;', replace: '= 2;' }),
  mutant('does-not-parse', { replace: 'if (value < low return low;' }),
  mutant('does-not-load', { replace: `${low} } throw new Error('at import'); {` }),
  mutant('breaks-the-code', { replace: 'if (value < lower) return low;' }),
  mutant('test-fails-anyway', { test: `${folder}/failing.fixture.ts` }),
];

const hanging: readonly Mutant[] = [
  mutant('hangs', { replace: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);' }),
  mutant('killed-behind-a-hang'),
];

describe('mutants', () => {
  let verdicts: Map<string, Verdict>;

  beforeAll(async () => {
    const [most, rest] = await Promise.all([judgeAll(mutants), judgeAll(hanging, { limitMs: 10_000 })]);
    verdicts = new Map([...most, ...rest]);
  }, 120_000);

  it.each([
    ['killed', 'clamp > keeps the low bound'],
    ['killed-by-name', 'clamp > keeps the low bound'],
    ['killed-behind-a-hang', 'clamp > keeps the low bound'],
  ])('%s: its test fails', (id, by) => {
    expect(verdicts.get(id)).toEqual({ at: 'killed', by });
  });

  it.each([['survives'], ['survives-the-named-test'], ['survives-behind-a-comment']])(
    '%s: reported as a survivor',
    (id) => {
      expect(verdicts.get(id)).toEqual({ at: 'survived' });
    },
  );

  it.each([
    ['no-such-text', 'occurs 0 times'],
    ['text-thrice', 'occurs 3 times'],
    ['text-once-changed-to-itself', 'the text it replaces'],
    ['no-such-file', 'nowhere.ts is not there'],
    ['no-such-test', 'nowhere.fixture.ts is not there'],
    ['no-such-name', 'keeps the high bound'],
    ['never-loaded', 'never loads the file'],
    ['does-not-parse', 'does not load'],
    ['does-not-load', 'does not load'],
    ['breaks-the-code', 'lower is not defined'],
    ['hangs', 'did not end within 10 s'],
    ['test-fails-anyway', 'fails without it'],
  ])('%s: proves nothing (%s)', (id, reason) => {
    expect(verdicts.get(id)).toEqual({ at: 'invalid', reason: expect.stringContaining(reason) });
  });

  it('every entry gets one verdict', () => {
    expect([...verdicts.keys()].toSorted()).toEqual([...mutants, ...hanging].map(({ id }) => id).toSorted());
  });
});
