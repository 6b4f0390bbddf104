import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import { observedGenerationUp } from './status-up.ts';

describe('observedGenerationUp', () => {
  it.each([
    { name: 'the hub saw its newest spec', hub: [7, 7], copy: '3', current: 2, want: 3 },
    { name: 'the hub lags', hub: [6, 7], copy: '3', current: 2, want: 2 },
    { name: 'the hub lags, nothing said upstream', hub: [6, 7], copy: '3', current: undefined, want: undefined },
    { name: 'the hub says nothing', hub: [undefined, 7], copy: '3', current: 2, want: 2 },
    { name: 'neither number is known', hub: [undefined, undefined], copy: '3', current: 2, want: 2 },
    { name: 'the copy does not tell', hub: [7, 7], copy: undefined, current: 2, want: 2 },
    { name: 'the copy tells nonsense', hub: [7, 7], copy: '3x', current: 2, want: 2 },
    { name: 'the hub’s own number never goes up', hub: [7, 7], copy: '', current: undefined, want: undefined },
  ])('$name → $want', ({ hub: [hubObserved, hubGeneration], copy, current, want }) => {
    expect(observedGenerationUp({ hubObserved, hubGeneration, upstreamGeneration: copy, current })).toBe(want);
  });

  it('every digit survives', () => {
    const big = new JsonNumber('9007199254740993');
    const seen = { hubObserved: big, hubGeneration: big, current: 2 };
    expect(observedGenerationUp({ ...seen, upstreamGeneration: '9007199254740995' })).toEqual(
      new JsonNumber('9007199254740995'),
    );
    expect(
      observedGenerationUp({ ...seen, hubGeneration: new JsonNumber('9007199254740992'), upstreamGeneration: '3' }),
    ).toBe(2);
  });
});
