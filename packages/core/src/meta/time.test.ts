import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../time.ts';
import {
  type EpochMicros,
  formatMicroTime,
  formatMilliTime,
  formatTime,
  epochMicrosOf,
  epochMsOf,
  parseTime,
  sameTime,
  TimeError,
} from './time.ts';

const base = 1_767_225_605_000_000n; // 2026-01-01T00:00:05Z

describe('parseTime', () => {
  it.each([
    { text: '2026-01-01T00:00:05Z', want: base },
    { text: '2026-01-01T00:00:05.123Z', want: base + 123_000n },
    { text: '2026-01-01T00:00:05.123456Z', want: base + 123_456n },
    { text: '2026-01-01T00:00:05.123456789Z', want: base + 123_456n },
    { text: '2026-01-01T00:00:05.000000999Z', want: base },
    { text: '2026-01-01T02:00:05+02:00', want: base },
    { text: '2025-12-31T18:30:05.5-05:30', want: base + 500_000n },
    { text: '1970-01-01T00:00:00Z', want: 0n },
    { text: '1969-12-31T23:59:59.999999Z', want: -1n },
    { text: '0001-01-01T00:00:00Z', want: -62_135_596_800_000_000n },
    { text: '2024-02-29T00:00:00Z', want: 1_709_164_800_000_000n },
    { text: '9999-12-31T23:59:59.999999Z', want: 253_402_300_799_999_999n },
  ])('$text → $want', ({ text, want }) => {
    expect(parseTime(text)).toBe(want);
  });

  it.each([
    '',
    'now',
    '2026-01-01',
    '2026-01-01T00:00:05',
    '2026-01-01 00:00:05Z',
    '2026-01-01t00:00:05z',
    '2026-01-01T00:00:05.Z',
    '2026-01-01T00:00:05.1234567890Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T00:00:05+2:00',
    '2026-01-01T00:00:05+24:00',
    '2026-01-01T00:00:05Z\n',
    null,
    undefined,
    5,
  ])('%j is no time', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});

describe('C46: what is written', () => {
  it('seconds for metav1.Time, exactly six digits for MicroTime', () => {
    const at = epochMs(1_767_225_605_007);
    expect(formatTime(at)).toBe('2026-01-01T00:00:05Z');
    expect(formatMilliTime(at)).toBe('2026-01-01T00:00:05.007Z');
    expect(formatMicroTime(at)).toBe('2026-01-01T00:00:05.007000Z');
    expect(formatMicroTime(epochMs(1_767_225_605_000))).toBe('2026-01-01T00:00:05.000000Z');
    expect(formatMicroTime((base + 1n) as EpochMicros)).toBe('2026-01-01T00:00:05.000001Z');
  });

  it('time before the epoch is cut off downwards too', () => {
    expect(formatTime(-1n as EpochMicros)).toBe('1969-12-31T23:59:59Z');
    expect(formatMicroTime(-1n as EpochMicros)).toBe('1969-12-31T23:59:59.999999Z');
  });

  it('two renewals 400 µs apart differ and keep their order', () => {
    const first = parseTime('2026-01-01T00:00:05.123456Z') as bigint;
    const second = parseTime('2026-01-01T00:00:05.123856Z') as bigint;
    expect(second - first).toBe(400n);
  });

  it('one instant in five spellings compares equal', () => {
    const spellings = ['…05Z', '…05.0Z', '…05.000Z', '…05.000000Z', '…05.000000000Z'].map((text) =>
      text.replace('…', '2026-01-01T00:00:'),
    );
    for (const text of [...spellings, '2026-01-01T02:00:05+02:00']) expect(sameTime(text, spellings[0])).toBe(true);
    expect(sameTime('2026-01-01T00:00:05.000001Z', spellings[0])).toBe(false);
    expect(sameTime(null, null)).toBe(false);
  });

  it.each([epochMs(NaN), epochMs(Infinity), epochMs(253_402_300_800_000), epochMs(-62_167_219_200_001)])(
    'refuses %d',
    (at) => {
      expect(() => formatTime(at)).toThrow(TimeError);
    },
  );

  it('reads back what it wrote, for every microsecond of the four-digit years', () => {
    const range = { min: -62_167_219_200_000_000n, max: 253_402_300_799_999_999n };
    fc.assert(
      fc.property(fc.bigInt(range), (at) => {
        expect(parseTime(formatMicroTime(at as EpochMicros))).toBe(at);
        const second = parseTime(formatTime(at as EpochMicros)) as bigint;
        expect(at - second >= 0n && at - second < 1_000_000n).toBe(true);
      }),
      { seed: 46, numRuns: 500 },
    );
  });

  it('milliseconds survive the way through microseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
        expect(epochMsOf(epochMicrosOf(epochMs(ms)))).toBe(ms);
      }),
      { seed: 46, numRuns: 500 },
    );
  });
});
