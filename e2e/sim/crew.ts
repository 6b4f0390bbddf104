/** A batch over several processes, one a core. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BatchOptions, runBatch, type Scenario, ScheduleError, sumOf, type Tally } from '@lifeline/sim';
import { scenarioOf } from './scenarios.ts';

/** Fewer seeds are not worth the start of a process. */
const worthIt = 400;

/** As `runBatch`; many seeds are shared between processes. */
export async function runCrew(
  scenario: Scenario,
  seeds: readonly number[],
  options: BatchOptions = {},
): Promise<Tally> {
  const workers = availableParallelism();
  const [first] = seeds;
  if (first === undefined || seeds.length < worthIt || workers === 1 || options.steps)
    return runBatch(scenario, seeds, options);
  const share = Math.ceil(seeds.length / workers);
  const lanes = Array.from({ length: workers }, (_, index) => ({
    first: first + index * share,
    count: Math.min(share, seeds.length - index * share),
  }));
  const tallies = await Promise.all(lanes.map((lane) => inProcess(scenario, lane)));
  return sumOf(tallies);
}

type Written = { readonly failure: string } | { readonly tally: WrittenTally };
interface WrittenTally extends Omit<Tally, 'fired' | 'mattered'> {
  readonly fired: readonly (readonly [never, number])[];
  readonly mattered: readonly (readonly [never, number])[];
}

async function inProcess({ name }: Scenario, lane: { first: number; count: number }): Promise<Tally> {
  const args = [
    '--conditions=@lifeline/source',
    fileURLToPath(import.meta.url),
    name,
    `${lane.first}`,
    `${lane.count}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  const written = JSON.parse(stdout) as Written;
  if ('failure' in written) throw new Error(written.failure);
  return { ...written.tally, fired: new Map(written.tally.fired), mattered: new Map(written.tally.mattered) };
}

async function written(name: string | undefined, seeds: readonly number[]): Promise<unknown> {
  try {
    const tally = await runBatch(scenarioOf(name), seeds);
    return { tally: { ...tally, fired: [...tally.fired], mattered: [...tally.mattered] } };
  } catch (error) {
    if (error instanceof ScheduleError) return { failure: error.message };
    throw error;
  }
}

/** `node crew.ts SCENARIO FIRST COUNT` */
if (import.meta.main) {
  const [name, first, count] = process.argv.slice(2);
  const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
  console.log(JSON.stringify(await written(name, seeds)));
}
