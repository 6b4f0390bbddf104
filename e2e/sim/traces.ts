/** `node traces.ts SCENARIO SEED…`: the hash of each seed's trace, a line each, for comparison between processes. */
import { drawSchedule, run, type Scenario } from '@lifeline/sim';
import { scenarioOf } from './scenarios.ts';

export async function traces(scenario: Scenario, seeds: readonly number[]): Promise<string[]> {
  const lines: string[] = [];
  for (const seed of seeds) {
    const { world } = await run(scenario, drawSchedule(scenario, seed));
    lines.push(`${seed} ${world.trace.hash}`);
  }
  return lines;
}

if (import.meta.main) {
  const [name, ...seeds] = process.argv.slice(2);
  console.log((await traces(scenarioOf(name), seeds.map(Number))).join('\n'));
}
