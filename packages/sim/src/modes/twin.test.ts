import { describe, expect, it } from 'vitest';
import type { Outcome } from './run.ts';
import { differenceFromTwin, type Twin } from './twin.ts';

const twin: Twin = {
  end: 'a\nb',
  sawAll: true,
  blurred: 0,
  signature: '',
  made: new Map([['copy', 1]]),
  deleted: new Map(),
};

const outcome = (changes: Partial<Record<'made' | 'deleted' | 'taken', number>> & { end?: string } = {}): Outcome => {
  const counted = (count = 0): Map<string, number> => new Map(count > 0 ? [['copy', count]] : []);
  const { made = 1, deleted, taken, end = twin.end } = changes;
  return {
    made: counted(made),
    deleted: counted(deleted),
    taken: counted(taken),
    end: () => end,
    virtualMs: 1,
  } as unknown as Outcome;
};

describe('M2 twin', () => {
  it.each([
    { name: 'the same', changes: {}, says: undefined },
    { name: 'another end', changes: { end: 'a\nc' }, says: "differs from the twin's: c instead of b" },
    { name: 'something is left', changes: { end: 'a\nb\nc' }, says: 'c instead of (nothing)' },
    { name: 'one create more', changes: { made: 2 }, says: '2 creates of copy, and the twin made do with 1' },
    { name: 'one more, since a stranger deleted one', changes: { made: 2, taken: 1 }, says: undefined },
    { name: 'one delete', changes: { deleted: 1 }, says: '1 deletes of copy, and the twin made do with 0' },
  ])('$name: $says', ({ changes, says }) => {
    const finding = differenceFromTwin(outcome(changes), twin);
    if (says === undefined) expect(finding).toBeUndefined();
    else expect([finding?.oracle, finding?.message]).toEqual(['M2', expect.stringContaining(says)]);
  });

  it('counts prove nothing where the twin did not see all, and less where acts were close', () => {
    expect(differenceFromTwin(outcome({ made: 3 }), { ...twin, sawAll: false })).toBeUndefined();
    expect(differenceFromTwin(outcome({ made: 2 }), { ...twin, blurred: 1 })).toBeUndefined();
    expect(differenceFromTwin(outcome({ made: 3 }), { ...twin, blurred: 1 })).toBeDefined();
  });
});
