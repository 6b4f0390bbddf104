import { epochMs } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { retryAfter } from './retry-after.ts';

const now = epochMs(Date.UTC(2026, 0, 1, 12, 0, 0));

describe('retryAfter', () => {
  it.each([
    { header: undefined, want: undefined },
    { header: '7', want: 7_000 },
    { header: ' 7 ', want: 7_000 },
    { header: '0', want: 1_000 },
    { header: '-1', want: 1_000 },
    { header: '1e9', want: 60_000 },
    { header: '999999999999999999999', want: 60_000 },
    { header: 'Infinity', want: 1_000 },
    { header: '', want: 1_000 },
    { header: 'soon', want: 1_000 },
    { header: 'Thu, 01 Jan 2026 12:00:20 GMT', want: 20_000 },
    { header: 'Thu, 01 Jan 2026 11:59:00 GMT', want: 1_000 },
    { header: 'Thu, 01 Jan 2037 12:00:20 GMT', want: 60_000 },
    { header: '2026-01-01T12:00:20Z', want: 1_000 },
  ])('$header → $want', ({ header, want }) => {
    expect(retryAfter(header, now)).toBe(want);
  });
});
