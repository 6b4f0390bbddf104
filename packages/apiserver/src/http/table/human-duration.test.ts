import { epochMs } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ageOf, humanDuration } from './human-duration.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 30 * second, '2m30s'],
    [10 * minute + 30 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 5 * minute, '7h5m'],
    [8 * hour + 5 * minute, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [7 * day + 3 * hour, '7d3h'],
    [8 * day + 3 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [800 * day, '2y70d'],
    [3000 * day, '8y'],
  ])('%i: %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

describe('ageOf', () => {
  const now = epochMs(Date.UTC(2026, 0, 2));
  it.each([
    ['2026-01-01T00:00:00Z', '24h'],
    ['2026-01-02T00:00:01Z', '0s'],
    ['yesterday', '<invalid>'],
    ['', '<unknown>'],
    [undefined, '<unknown>'],
    [null, '<unknown>'],
  ])('%s: %s', (time, text) => {
    expect(ageOf(time, now)).toBe(text);
  });
});
