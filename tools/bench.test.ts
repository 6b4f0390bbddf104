import { describe, expect, it } from 'vitest';
import { runBenches } from './bench.ts';
import { scratch } from './testing/scratch.ts';

describe('bench', { timeout: 60_000 }, () => {
  it('runs each file as a process of its own, filtered by path, and counts those that fail', async () => {
    using folder = scratch({
      'packages/a/bench/fast.bench.ts': `if (typeof gc !== 'function') throw new Error('no gc');`,
      'apps/b/bench/slow.bench.ts': `process.exit(3);`,
      'e2e/bench/whole.bench.ts': '',
      'apps/b/src/not-a-bench.ts': `throw new Error('not to be run');`,
    });
    const options = { cwd: folder.path, show: false };
    expect(await runBenches([], options)).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(await runBenches(['fast', 'nowhere'], options)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(await runBenches(['nowhere'], options)).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});
