import { describe, expect, it } from 'vitest';
import { formatStamp, nextStamp, parseStamp, type StampCause } from './stamp.ts';

const a = 'aaaaaaaaaaaaaaaa';
const b = 'bbbbbbbbbbbbbbbb';

describe('stamps', () => {
  it.each([
    { text: a, want: { intent: a, attempt: 0 } },
    { text: `${a}.1`, want: { intent: a, attempt: 1 } },
    { text: `${a}.120`, want: { intent: a, attempt: 120 } },
    { text: 'none.3', want: { intent: 'none', attempt: 3 } },
    { text: 'none', want: { intent: 'none', attempt: 0 } },
  ])('$text', ({ text, want }) => {
    expect(parseStamp(text)).toEqual(want);
    expect(formatStamp(want)).toBe(text);
  });

  it.each([
    undefined,
    null,
    '',
    'true/n1',
    `${a}.`,
    `${a}.0`,
    `${a}.01`,
    `${a}.-1`,
    `${a}.1.1`,
    `${a}.1e3`,
    a.slice(1),
    `${a}a`,
    a.toUpperCase(),
    `${a}.9999999999`,
  ])('%j is none', (text) => {
    expect(parseStamp(text)).toBeUndefined();
  });

  const changed: StampCause = 'intent-changed';
  const behind: StampCause = 'not-converged';
  it.each([
    { name: 'a new intent has no attempt', cached: `${b}.4`, wanted: a, cause: changed, want: a },
    { name: 'the first intent', cached: undefined, wanted: a, cause: changed, want: a },
    {
      name: 'the last connector backend is gone: removed',
      cached: `${b}.4`,
      wanted: 'none',
      cause: changed,
      want: null,
    },
    { name: 'not converged: the next attempt', cached: a, wanted: a, cause: behind, want: `${a}.1` },
    { name: 'not converged again', cached: `${a}.1`, wanted: a, cause: behind, want: `${a}.2` },
    { name: 'not converged, another’s stamp', cached: `${b}.7`, wanted: a, cause: behind, want: a },
    { name: 'not converged, no stamp', cached: null, wanted: a, cause: behind, want: a },
    { name: 'not converged, a malformed stamp', cached: 'true/n1', wanted: a, cause: behind, want: a },
    {
      name: 'a connector still answered after the removal',
      cached: undefined,
      wanted: 'none',
      cause: behind,
      want: 'none.1',
    },
    { name: 'and again', cached: 'none.1', wanted: 'none', cause: behind, want: 'none.2' },
    { name: 'a stamp that should be gone', cached: `${a}.1`, wanted: 'none', cause: behind, want: null },
    { name: 'a malformed one that should be gone', cached: 'true/n1', wanted: 'none', cause: behind, want: null },
  ])('$name', ({ cached, wanted, cause, want }) => {
    expect(nextStamp(cached, wanted, cause)).toBe(want);
  });

  it('whatever is written differs from what was cached, so that it is a nudge', () => {
    for (const cached of [undefined, a, `${a}.1`, b, 'none.1', 'nonsense']) {
      for (const wanted of [a, b, 'none']) expect(nextStamp(cached, wanted, behind)).not.toBe(cached);
    }
  });
});
