import type { DurationMs } from '../time.ts';

/**
 * The seeds that a simulated test runs with: `count` of them, from 1.
 *
 * `npm run sim` and `npm run soak` ask for others: LIFELINE_SEEDS is how many (`full`: as many as the test's full tier has), LIFELINE_FIRST_SEED
 * the first one. A test whose seeds come from here stands in a `*.sim.test.ts` and names the seed when it fails.
 *
 * @param full seeds of the full tier. Default 1,000
 */
export function seeds(count: number, full = 1_000): readonly number[] {
  const asked = process.env.LIFELINE_SEEDS;
  const length = asked === 'full' ? full : Number(asked ?? count);
  const first = Number(process.env.LIFELINE_FIRST_SEED ?? 1);
  return Array.from({ length }, (_, index) => first + index);
}

/**
 * How large a world is: `count`, or `full` in the full tier (`npm run sim` without a number of seeds). A test whose size comes from here stands
 * in a `*.sim.test.ts`.
 */
export const sized = (count: number, full: number): number => (process.env.LIFELINE_SEEDS === 'full' ? full : count);

/** How long a simulated test may take: `ms` with the seeds of the default suite, an hour when it was asked for others. */
export const seedsLimitMs = (ms: DurationMs): DurationMs => (process.env.LIFELINE_SEEDS === undefined ? ms : 3_600_000);

/** The steps of a schedule that alone are to be taken, when a failure is looked at: LIFELINE_STEPS. Undefined: all. */
export function chosenSteps(): readonly number[] | undefined {
  const asked = process.env.LIFELINE_STEPS;
  return asked === undefined ? undefined : asked.split(',').filter(Boolean).map(Number);
}
