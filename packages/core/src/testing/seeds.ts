/**
 * The seeds that a simulated test runs with: `count` of them, from 1.
 *
 * `npm run sim` and `npm run soak` ask for others: LIFELINE_SEEDS is how many, LIFELINE_FIRST_SEED the first one. A test whose seeds come
 * from here stands in a `*.sim.test.ts` and names the seed when it fails.
 */
export function seeds(count: number): readonly number[] {
  const length = Number(process.env.LIFELINE_SEEDS ?? count);
  const first = Number(process.env.LIFELINE_FIRST_SEED ?? 1);
  return Array.from({ length }, (_, index) => first + index);
}
