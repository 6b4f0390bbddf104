/** All scenarios, by name: what the commands of this folder can be asked for. */
import type { Scenario } from '@lifeline/sim';
import { micro } from './micro.ts';
import { replicator } from './replicator/replicator.ts';
import { world } from './world.ts';

const scenarios: readonly Scenario[] = [micro, world, replicator];

/** @throws TypeError for a name that no scenario has */
export function scenarioOf(name: string | undefined): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new TypeError(`no scenario ${name}: ${scenarios.map((scenario) => scenario.name).join(', ')}`);
  return found;
}
