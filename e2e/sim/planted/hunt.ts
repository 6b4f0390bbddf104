/**
 * `node --import plant.ts hunt.ts FIRST COUNT`, with the bug's id in PLANTED_BUG: runs seeds until an oracle of the bug's finds something,
 * and prints what it came to. Without a bug it runs them all, and prints the first that fails.
 */
import { drawSchedule, type Finding, type OracleId, run } from '@lifeline/sim';
import { micro } from '../micro.ts';
import { plantedBug } from './bugs.ts';

/** What a hunt came to. */
export interface Catch {
  readonly seed: number;
  readonly oracle: OracleId;
  readonly message: string;
}

async function hunt(seeds: Iterable<number>, isIt: (finding: Finding) => boolean): Promise<Catch | undefined> {
  for (const seed of seeds) {
    const { findings } = await run(micro, drawSchedule(micro, seed));
    const found = findings.find(isIt);
    if (found) return { seed, oracle: found.oracle, message: found.message };
  }
  return undefined;
}

if (import.meta.main) {
  const [first = 1, count = 1] = process.argv.slice(2).map(Number);
  const id = process.env.PLANTED_BUG;
  const oracles = id === undefined ? undefined : plantedBug(id).oracles;
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  console.log(JSON.stringify((await hunt(seeds, ({ oracle }) => oracles?.includes(oracle) ?? true)) ?? null));
}
