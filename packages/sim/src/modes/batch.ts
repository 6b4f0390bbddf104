/** Many schedules of one scenario, and their failures. */
import type { Finding } from '../oracles/oracle.ts';
import type { Scenario } from '../schedule/scenario.ts';
import { type Schedule, type Step, twinOf, withSteps } from '../schedule/step.ts';
import { canary } from './canary.ts';
import { type Failure, formatFailure } from './report.ts';
import { type Outcome, run } from './run.ts';
import { shrink } from './shrink.ts';
import { drawSchedule, drawTwin, familyOf, type SwarmOptions } from './swarm.ts';
import { count, emptyTally, type Tally } from './tally.ts';
import { differenceFromTwin, type Twin, twinFrom } from './twin.ts';

export interface BatchOptions extends SwarmOptions {
  /** Run these steps of each schedule alone. */
  readonly steps?: readonly number[] | undefined;
}

/** A schedule failed; the message says all that is to be said. */
export class ScheduleError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(formatFailure(failure));
    this.name = 'ScheduleError';
    this.failure = failure;
  }
}

/**
 * Runs a schedule for each seed, and its twin where there is none yet. Every hundredth seed is a canary: it must fail.
 *
 * @throws ScheduleError at the first that fails
 * @throws Error when a canary is not seen to
 */
export async function runBatch(
  scenario: Scenario,
  seeds: readonly number[],
  options: BatchOptions = {},
): Promise<Tally> {
  const tally = emptyTally();
  const twins = new Twins(scenario);
  for (const seed of seeds) {
    if (seed % canary.every === 0) {
      await runCanary(scenario, seed);
      tally.canaries++;
    }
    const drawn = drawSchedule(scenario, seed, options);
    const { steps: chosen } = options;
    const schedule = chosen
      ? withSteps(
          drawn,
          drawn.steps.filter(({ id }) => chosen.includes(id)),
        )
      : drawn;
    const twin = chosen ? await soundTwin(scenario, seed, twinOf(schedule)) : await twins.of(seed);
    const outcome = await judged(scenario, schedule, twin);
    count(tally, outcome, twin);
    if (outcome.findings.length > 0) throw await failureOf({ scenario, seed, schedule, outcome, twin });
    if (seed % canary.every === 1) {
      await replay(scenario, outcome);
      tally.replays++;
    }
  }
  return tally;
}

export interface CheckOptions {
  /** The command that runs the schedule once more. */
  readonly again: string;
  /** The fault-free run of the same users, when there is one already. Default: run for it. */
  readonly twin?: Twin | undefined;
}

/** Runs one schedule and compares it with its twin. @throws ScheduleError when it fails */
export async function checkSchedule(scenario: Scenario, schedule: Schedule, options: CheckOptions): Promise<Outcome> {
  const twin = options.twin ?? (await twinFor(scenario, schedule));
  const outcome = await judged(scenario, schedule, twin);
  if (outcome.findings.length === 0) return outcome;
  throw await failureOf({ scenario, seed: 0, schedule, outcome, twin }, options.again);
}

/** Of the same users: that of fewer users is another one. */
async function twinFor(scenario: Scenario, schedule: Schedule): Promise<Twin | undefined> {
  return endsAsTwin(schedule) ? twinFrom(await run(scenario, twinOf(schedule)), scenario) : undefined;
}

/** @throws ScheduleError when something fails without any fault */
async function soundTwin(scenario: Scenario, seed: number, schedule: Schedule): Promise<Twin> {
  const outcome = await run(scenario, schedule);
  if (outcome.findings.length > 0) throw await failureOf({ scenario, seed, schedule, outcome, twin: undefined });
  return twinFrom(outcome, scenario);
}

/** Twins of the last family. */
class Twins {
  readonly #scenario: Scenario;
  #last: { readonly family: number; readonly twin: Twin } | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  async of(seed: number): Promise<Twin> {
    const family = familyOf(seed);
    if (this.#last?.family === family) return this.#last.twin;
    const twin = await soundTwin(this.#scenario, seed, drawTwin(this.#scenario, seed));
    this.#last = { family, twin };
    return twin;
  }
}

/** A run with its difference from the twin among its findings. */
async function judged(scenario: Scenario, schedule: Schedule, twin: Twin | undefined): Promise<Outcome> {
  const outcome = await run(scenario, schedule);
  if (!twin || !endsAsTwin(schedule) || outcome.findings.length > 0) return outcome;
  const difference = differenceFromTwin(outcome, twin);
  return difference ? { ...outcome, findings: [difference] } : outcome;
}

/** A plane that comes back from a backup has lost what its users did since: no run without that ends alike. */
const endsAsTwin = ({ then, steps }: Schedule): boolean =>
  then.at === 'heal' && !steps.some((step) => step.step === 'fault' && step.args['how'] === 'restore');

async function runCanary(scenario: Scenario, seed: number): Promise<void> {
  const twin = drawTwin(scenario, seed);
  const schedule = withSteps(twin, [...twin.steps, canary.step(twin.stormMs / 2)]);
  const { findings } = await run(scenario, schedule);
  if (!findings.some(({ oracle }) => oracle === canary.oracle))
    throw new Error(`seed ${seed}: the canary was not seen: whatever else passed proves nothing`);
}

/** M1. */
async function replay(scenario: Scenario, { schedule, world }: Outcome): Promise<void> {
  const again = await run(scenario, schedule);
  if (again.world.trace.hash !== world.trace.hash)
    throw new Error(`M1: ${schedule.seed} gives another trace when it is run again`);
}

interface Failed {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly schedule: Schedule;
  readonly outcome: Outcome;
  readonly twin: Twin | undefined;
}

/** The shortest schedule that violates the same oracle. */
async function failureOf(
  { scenario, seed, schedule, outcome, twin }: Failed,
  command?: string,
): Promise<ScheduleError> {
  const violates = (findings: readonly Finding[]): boolean => findings[0]?.oracle === outcome.findings[0]?.oracle;
  const comparesWithTwin = twin !== undefined && outcome.findings[0]?.oracle === 'M2';
  const again = async (steps: readonly Step[]): Promise<Outcome> => {
    const some = withSteps(schedule, steps);
    return judged(scenario, some, comparesWithTwin ? await twinFor(scenario, some) : undefined);
  };
  const { steps, runs } = await shrink(schedule.steps, async (some) => violates((await again(some)).findings));
  const shortest = await again(steps);
  return new ScheduleError({
    seed,
    outcome: shortest.findings.length > 0 ? shortest : outcome,
    from: schedule.steps.length,
    runs,
    again:
      command ??
      `npm run sim -- --seeds 1 --first ${seed} --steps ${steps.map(({ id }) => id).join()} ${scenario.file}`,
  });
}
