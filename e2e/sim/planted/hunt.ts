/**
 * `node --import plant.ts hunt.ts FIRST COUNT`, with the bug's id in PLANTED_BUG: runs seeds until an oracle of the bug's finds something,
 * and prints what it came to. Without a bug it runs them all, and prints the first that fails.
 */
import { drawSchedule, type Finding, type OracleId, run, type Scenario } from '@lifeline/sim';
import { scenarioOf } from '../scenarios.ts';
import { plantedBug } from './bugs.ts';

/** What a hunt came to. */
export interface Catch {
  readonly seed: number;
  readonly oracle: OracleId;
  readonly message: string;
}

async function hunt(
  scenario: Scenario,
  seeds: Iterable<number>,
  isIt: (finding: Finding) => boolean,
): Promise<Catch | undefined> {
  for (const seed of seeds) {
    const { findings } = await run(scenario, drawSchedule(scenario, seed));
    const found = findings.find(isIt);
    if (found) return { seed, oracle: found.oracle, message: found.message };
  }
  return undefined;
}

if (import.meta.main) {
  const [first = 1, count = 1] = process.argv.slice(2).map(Number);
  const id = process.env.PLANTED_BUG;
  const bug = id === undefined ? undefined : plantedBug(id);
  const scenario = scenarioOf(bug?.scenario ?? 'micro');
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const found = await hunt(scenario, seeds, ({ oracle }) => bug?.oracles.includes(oracle) ?? true);
  console.log(JSON.stringify(found ?? null));
}
