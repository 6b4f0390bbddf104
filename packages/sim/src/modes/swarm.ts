/** Random schedules: each seed draws its own subset of faults, so that no fault hides behind the others. */
import { type DurationMs, type Random, seeded } from '@lifeline/core';
import { injectedFaults } from '../faults/all-faults.ts';
import type { FaultId } from '../faults/catalogue.ts';
import { type Fault, pick, type Terrain } from '../faults/fault.ts';
import type { Scenario } from '../schedule/scenario.ts';
import type { ActStep, Aftermath, FaultStep, Schedule } from '../schedule/step.ts';

/** So many seeds in a row have the same world and the same users: they share one fault-free twin. */
export const familySize = 8;

export const familyOf = (seed: number): number => Math.floor((seed - 1) / familySize);

export interface SwarmOptions {
  /** Draw from these alone. */
  readonly faults?: readonly FaultId[] | undefined;
}

/** The same world and the same users, and nothing that goes wrong. */
export function drawTwin(scenario: Scenario, seed: number): Schedule {
  const name = `${scenario.name}/${familyOf(seed)}`;
  const random = seeded(`${name}/users`);
  const shape = scenario.shape(random);
  const { acts, stormMs } = scenario.workload(random, shape);
  const steps = acts.map((act, id): ActStep => ({ ...act, id, step: 'act' }));
  return { seed: name, shape, steps, stormMs, then: { at: 'heal' } };
}

export function drawSchedule(scenario: Scenario, seed: number, { faults }: SwarmOptions = {}): Schedule {
  const twin = drawTwin(scenario, seed);
  const random = seeded(`${scenario.name}/swarm/${seed}`);
  const { terrain } = scenario.setting(twin.shape);
  const then = aftermath(random, terrain);
  const offered = injectedFaults.filter(({ id }) => faults?.includes(id) ?? true);
  const drawn = subset(random, offered, terrain).flatMap((fault) => {
    const times = then.at === 'end' ? 3 + random.int(8) : 1 + random.int(4);
    return Array.from({ length: times }, () => drawStep(random, fault, terrain));
  });
  const first = twin.steps.length;
  const steps = drawn.flatMap((step, index): FaultStep[] => (step ? [{ ...step, id: first + index }] : []));
  return { ...twin, then, steps: [...twin.steps, ...steps] };
}

/** One run in ten without a cap, one in four of the others with links that stay dead. */
function aftermath(random: Random, { planes }: Terrain): Aftermath {
  if (random.int(10) === 0) return { at: 'end' };
  if (random.int(4) > 0) return { at: 'heal' };
  return { at: 'dead-links', planes: [pick(random, planes).name] };
}

/** One fault alone in a quarter of all runs, two to four in half of them, any number in the rest. */
function subset(random: Random, offered: readonly Fault[], terrain: Terrain): Fault[] {
  const shape = random.int(4);
  const size = shape === 0 ? 1 : shape < 3 ? 2 + random.int(3) : 1 + random.int(offered.length);
  const left = [...offered];
  const chosen: Fault[] = [];
  while (chosen.length < size && left.length > 0) chosen.push(...left.splice(weighted(random, left, terrain), 1));
  return chosen;
}

/** Where the draw falls when each takes as much room as it weighs. */
function weighted(random: Random, faults: readonly Fault[], terrain: Terrain): number {
  const weights = faults.map(({ weight }) => weight?.(terrain) ?? 1);
  let at = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => (at -= weight) < 0),
  );
}

const longestMs: DurationMs = 60_000;

function drawStep(random: Random, fault: Fault, terrain: Terrain): Omit<FaultStep, 'id'> | undefined {
  const drawn = fault.draw(random, terrain);
  if (!drawn) return undefined;
  const { args, forMs = 1_000 + random.int(longestMs), at = random.int(terrain.stormMs) } = drawn;
  return { step: 'fault', fault: fault.id, at, forMs, args };
}
