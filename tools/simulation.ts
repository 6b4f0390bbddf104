import { glob } from 'node:fs/promises';
import { run, type RunOptions } from './process.ts';
import { root } from './root.ts';
import { parseSummary, type Summary } from './summary.ts';

export interface SimulationOptions extends Pick<RunOptions, 'cwd' | 'show'> {
  /** How many seeds each simulated test runs; `full`: as many as its full tier has. */
  readonly seeds: number | 'full';
  /** The first of them. */
  readonly first: number;
  /** Steps of the schedules that alone are taken, by their ids: `3,7`. */
  readonly steps?: string | undefined;
  /** Only files whose path contains one of these; none: all. */
  readonly filters?: readonly string[];
}

/** What was simulated. `files` is empty when there was nothing to simulate. */
export interface Simulation {
  readonly files: readonly string[];
  readonly summary: Summary;
}

const patterns = ['packages/*/src/**/*.sim.test.ts', 'apps/*/src/**/*.sim.test.ts', 'e2e/**/*.sim.test.ts'];

/** An hour. The default suite keeps its own limits; more seeds take longer. */
const testTimeoutMs = 3_600_000;

/** Runs the simulated tests (`*.sim.test.ts`, which the default suite runs with few seeds) with these seeds, in one vitest. */
export async function simulate({
  seeds,
  first,
  steps,
  filters = [],
  cwd = root,
  show = true,
}: SimulationOptions): Promise<Simulation> {
  const found = (await Array.fromAsync(glob(patterns, { cwd }))).sort();
  const files = found.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) return { files, summary: { passed: 0, failed: 0, skipped: 0 } };
  const which = seeds === 'full' ? `The full tier from seed ${first}` : `Seeds ${first} to ${first + seeds - 1}`;
  console.log(`${which} in ${files.join(', ')}`);
  const { code, output } = await run('vitest', ['run', `--testTimeout=${testTimeoutMs}`, ...files], {
    cwd,
    show,
    env: {
      LIFELINE_SEEDS: String(seeds),
      LIFELINE_FIRST_SEED: String(first),
      ...(steps !== undefined && { LIFELINE_STEPS: steps }),
    },
  });
  const summary = parseSummary(output) ?? { passed: 0, failed: 0, skipped: 0 };
  return { files, summary: code === 0 || summary.failed > 0 ? summary : { ...summary, failed: 1 } };
}
