import { describe, expect, it } from 'vitest';
import { parseSummary, summaryLine } from './summary.ts';

describe('the summary line', () => {
  it.each([
    { summary: { passed: 3, failed: 0, skipped: 0 }, line: '3 passed, 0 failed' },
    { summary: { passed: 0, failed: 12, skipped: 0 }, line: '0 passed, 12 failed' },
    { summary: { passed: 3, failed: 1, skipped: 2 }, line: '3 passed, 1 failed, 2 skipped' },
  ])('$line', ({ summary, line }) => {
    expect(summaryLine(summary)).toBe(line);
    expect(parseSummary(`${line}\n`)).toEqual(summary);
  });

  it('is the last one of an output', () => {
    expect(parseSummary('1 passed, 1 failed\r\n9 passed, 0 failed\r\nbye\n')).toEqual({
      passed: 9,
      failed: 0,
      skipped: 0,
    });
  });

  it.each(['', '1 passed', ' 1 passed, 0 failed', 'Tests 1 passed, 0 failed', '1 passed, 0 failed!'])(
    '%j holds none',
    (output) => {
      expect(parseSummary(output)).toBeUndefined();
    },
  );
});
