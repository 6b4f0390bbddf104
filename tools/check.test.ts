import { describe, expect, it, vi } from 'vitest';
import { check, type Step } from './check.ts';

/** A step that ends like this. */
const step = (name: string, code: number, output = ''): Step => ({
  name,
  run: () => Promise.resolve({ code, output }),
});

async function lines(...steps: readonly Step[]): Promise<{ failed: number; said: string[] }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const failed = await check(steps);
    return { failed, said: log.mock.calls.map(([line]) => String(line)) };
  } finally {
    log.mockRestore();
  }
}

describe('check', () => {
  it('runs every step, also behind a failed one, and ends with the count', async () => {
    const { failed, said } = await lines(step('types', 2), step('lint', 0), step('format', 0));
    expect(failed).toBe(1);
    expect(said).toEqual([
      expect.stringMatching(/^FAILED types .*exit code 2/),
      expect.stringMatching(/^ok {4} lint/),
      expect.stringMatching(/^ok {4} format/),
      '2 passed, 1 failed',
    ]);
  });

  // The text as nx and eslint print it; the planted violations see it come from them.
  it.each([
    'No cached ProjectGraph is available. The rule will be skipped.',
    'Error: the rule `@nx/enforce-module-boundaries` will be skipped.',
    'some lines\nNo cached ProjectGraph\nmore lines',
  ])('a step that succeeds but prints %j has failed', async (output) => {
    const { failed, said } = await lines(step('lint', 0, output));
    expect(failed).toBe(1);
    expect(said).toEqual([expect.stringMatching(/^FAILED lint .*it printed/), '0 passed, 1 failed']);
  });
});
