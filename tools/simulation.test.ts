import { describe, expect, it } from 'vitest';
import { simulate } from './simulation.ts';
import { scratch } from './testing/scratch.ts';

const config = `
  import { summaryReporter } from '../../tools/summary-reporter.ts';
  export default { test: { include: ['**/*.test.ts'], reporters: [summaryReporter()] } };
`;

/** A simulated test with one case per seed, of which `bad` fails. */
const simulated = (bad: number): string => `
  import { expect, it } from 'vitest';
  import { seeds } from '../../../packages/core/src/testing/seeds.ts';
  it.each(seeds(3))('seed %i', (seed) => expect(seed).not.toBe(${bad}));
`;

describe('simulate', { timeout: 60_000 }, () => {
  it('runs the simulated tests with the seeds it is asked for, and no other test', async () => {
    using folder = scratch({
      'vitest.config.ts': config,
      'e2e/world.sim.test.ts': simulated(0),
      'e2e/fails-at-12.sim.test.ts': simulated(12),
      'e2e/plain.test.ts': simulated(1),
    });
    const options = { cwd: folder.path, show: false };
    expect(await simulate({ seeds: 5, first: 10, ...options })).toEqual({
      files: ['e2e/fails-at-12.sim.test.ts', 'e2e/world.sim.test.ts'],
      summary: { passed: 9, failed: 1, skipped: 0 },
    });
    expect(await simulate({ seeds: 20, first: 1, ...options, filters: ['world'] })).toEqual({
      files: ['e2e/world.sim.test.ts'],
      summary: { passed: 20, failed: 0, skipped: 0 },
    });
  });

  it('runs the full tier, or chosen steps', async () => {
    const tests = `
      import { expect, it } from 'vitest';
      import { chosenSteps, seeds } from '../../../packages/core/src/testing/seeds.ts';
      it('has them', () => {
        expect([seeds(3, 7).at(-1), seeds(3).length, chosenSteps()]).toEqual(WANT);
      });
    `;
    using folder = scratch({
      'vitest.config.ts': config,
      'e2e/full.sim.test.ts': tests.replace('WANT', '[11, 1000, undefined]'),
      'e2e/steps.sim.test.ts': tests.replace('WANT', '[5, 1, [3, 7]]'),
    });
    const options = { first: 5, cwd: folder.path, show: false };
    const full = await simulate({ ...options, seeds: 'full', filters: ['full'] });
    const steps = await simulate({ ...options, seeds: 1, steps: '3,7', filters: ['steps'] });
    expect([full.summary.passed, steps.summary.passed]).toEqual([1, 1]);
  });

  it('a run that breaks before its tests has failed', async () => {
    using folder = scratch({ 'vitest.config.ts': 'throw new Error("broken")', 'e2e/world.sim.test.ts': simulated(0) });
    expect((await simulate({ seeds: 1, first: 1, cwd: folder.path, show: false })).summary.failed).toBe(1);
  });

  it('says when there is nothing to simulate', async () => {
    using folder = scratch({ 'e2e/plain.test.ts': '' });
    expect((await simulate({ seeds: 1, first: 1, cwd: folder.path, show: false })).files).toEqual([]);
  });
});
