/** One schedule, from an empty world to an idle one: storm, heal, converge, idle. */
import type { DurationMs } from '@lifeline/core';
import type { FaultId } from '../faults/catalogue.ts';
import { letGoEverywhere } from '../faults/stranger-faults.ts';
import { Invariants, type Pending } from '../invariants.ts';
import { leaksOf } from '../oracles/l9-no-leak.ts';
import type { Finding } from '../oracles/oracle.ts';
import { isHousekeeping } from '../oracles/s3-own-lane.ts';
import type { Subject } from '../oracles/subject.ts';
import type { Scenario } from '../schedule/scenario.ts';
import type { Schedule } from '../schedule/step.ts';
import { World } from '../world/world.ts';
import { canary } from './canary.ts';
import { endState, withoutUids } from './end-state.ts';
import { Injector } from './injector.ts';

export interface Outcome {
  readonly schedule: Schedule;
  /** What should not be, the first first. Empty: a good run. */
  readonly findings: readonly Finding[];
  readonly fired: ReadonlyMap<FaultId, number>;
  /** Effective writes of all processes, with their times: what a fault that mattered has changed. */
  readonly signature: string;
  /** Creates and deletes of ours, by object. */
  readonly made: ReadonlyMap<string, number>;
  readonly deleted: ReadonlyMap<string, number>;
  /** Deletes of strangers, by object, and what went with its owner. */
  readonly taken: ReadonlyMap<string, number>;
  readonly virtualMs: DurationMs;
  /** Computed when asked for. */
  readonly end: () => string;
  readonly world: World;
}

const lookEveryMs: readonly DurationMs[] = [0, 1_000, 1_000, 1_000, 2_000, 5_000];
const slowestLookMs: DurationMs = 10_000;
/** What users may wait for longer than this is for an oracle to say. */
const longestActMs: DurationMs = 900_000;

/** @throws only for what is wrong with the scenario itself */
export async function run(scenario: Scenario, schedule: Schedule): Promise<Outcome> {
  const setting = scenario.setting(schedule.shape);
  const world = new World({ ...setting.world, seed: schedule.seed });
  const invariants = new Invariants(world, setting.subjects);
  await world.clock.run(setting.prepare?.(world) ?? Promise.resolve());
  for (const replica of world.processes.names) world.processes.start(replica);
  const acts = { ...scenario.acts, [canary.act]: canary.carryOut };
  const injector = new Injector({ world, acts, seed: schedule.seed }, schedule.steps);
  for (const fault of scenario.drawnFaults?.(schedule.shape) ?? []) injector.count(fault);
  await world.clock.advance(schedule.stormMs);
  if (invariants.findings.length === 0) await settle(world, { invariants, injector, scenario, schedule });
  injector.heal();
  let end: string | undefined;
  const endNow = (): string => (end ??= scenario.blur?.(endState(world)) ?? endState(world));
  if (schedule.then.at !== 'end') endNow();
  const leaks = await leaksOf(world);
  const app = setting.subjects.map((subject) => subject.app).join();
  const at = world.clock.monotonic();
  const findings = [...invariants.findings, ...leaks.map((message): Finding => ({ oracle: 'L9', app, message, at }))];
  return {
    schedule,
    world,
    findings,
    fired: injector.fired,
    virtualMs: at,
    end: endNow,
    ...tally(world, setting.subjects),
  };
}

interface Settling {
  readonly invariants: Invariants;
  readonly injector: Injector;
  readonly scenario: Scenario;
  readonly schedule: Schedule;
}

async function settle(world: World, { invariants, injector, scenario, schedule }: Settling): Promise<void> {
  const { then } = schedule;
  if (then.at === 'end') return;
  const dead = then.at === 'dead-links' ? then.planes : [];
  const cuts = dead.map((plane) => world.wires.cut(plane));
  injector.heal();
  letGoEverywhere(world);
  world.processes.revive();
  const open = (): readonly Pending[] => invariants.pending(dead);
  // Users wait for what they asked for; without a plane they may wait for ever.
  let acting = dead.length === 0;
  void injector.acting.then(() => (acting = false));
  await passes(world, longestActMs, () => !acting);
  const wrong = new Set<FaultId>([...injector.fired.keys(), ...(dead.length > 0 ? ['F19' as const] : [])]);
  const { boundMs, restMs, idleMs } = scenario.pace(schedule.shape, wrong);
  await passes(world, boundMs, () => open().length === 0);
  if (open().length === 0 && dead.length === 0) {
    await world.clock.advance(restMs);
    await idle(world, invariants, idleMs);
  }
  invariants.conclude(dead);
  for (const cut of cuts) cut[Symbol.dispose]();
}

/** Lets time pass until it is so, or the limit is reached; looks often at first. */
async function passes(world: World, limitMs: DurationMs, isSo: () => boolean): Promise<void> {
  for (let passed = 0, look = 0; !isSo() && passed < limitMs; look++) {
    const ms = Math.min(lookEveryMs[look] ?? slowestLookMs, limitMs - passed);
    await world.clock.advance(ms);
    passed += ms;
  }
}

async function idle(world: World, invariants: Invariants, ms: DurationMs): Promise<void> {
  const { audit, clock, wires } = world;
  const from = audit.writes.length;
  const log = wires.record();
  await clock.advance(ms);
  log[Symbol.dispose]();
  invariants.idle({ ms, writes: audit.writes.slice(from), sent: log.sent });
}

function tally(world: World, subjects: readonly Subject[]): Counted {
  const [made, deleted, taken] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const lines: string[] = [];
  const named = withoutUids(world);
  for (const write of world.audit.writes) {
    const { by, plane, revision, at } = write;
    const { type, object, resource } = revision;
    const what = `${plane} ${resource} ${object.metadata.namespace}/${object.metadata.name}`;
    if (by && by.incarnation > 0) {
      lines.push(`${at} ${by.actor} ${type} ${what}`);
      if (subjects.some((subject) => isHousekeeping({ ...write, by }, subject))) continue;
      if (type === 'ADDED') count(made, named(what));
      if (by.request.method === 'DELETE') count(deleted, named(what));
    } else if (by ? by.request.method === 'DELETE' : type === 'DELETED') count(taken, named(what));
  }
  return { signature: lines.join('\n'), made, deleted, taken };
}

type Counted = Pick<Outcome, 'signature' | 'made' | 'deleted' | 'taken'>;

const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
