/** A batch over several processes, one a core. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { linkAbort } from '@lifeline/core';
import { type BatchOptions, runBatch, type Scenario, ScheduleError, sumOf, type Tally } from '@lifeline/sim';
import { scenarioOf } from './scenarios.ts';

/** Fewer seeds are not worth the start of a process. */
const worthIt = 400;

export interface CrewOptions extends BatchOptions {
  /** Ends the processes. */
  readonly signal: AbortSignal;
}

/** As `runBatch`; many seeds are shared between processes, which end with this one. */
export async function runCrew(scenario: Scenario, seeds: readonly number[], options: CrewOptions): Promise<Tally> {
  const workers = availableParallelism();
  const [first] = seeds;
  if (first === undefined || seeds.length < worthIt || workers === 1 || options.steps)
    return runBatch(scenario, seeds, options);
  const share = Math.ceil(seeds.length / workers);
  const lanes = Array.from({ length: workers }, (_, index) => ({
    first: first + index * share,
    count: Math.min(share, seeds.length - index * share),
  }));
  // When one fails, the others are of no use.
  using crew = linkAbort(options.signal);
  try {
    return sumOf(await Promise.all(lanes.map((lane) => inProcess(scenario, lane, crew.signal))));
  } finally {
    crew.abort();
  }
}

type Said = { readonly failure: string } | { readonly tally: Tally };

function inProcess({ name }: Scenario, lane: { first: number; count: number }, signal: AbortSignal): Promise<Tally> {
  const crew = fork(fileURLToPath(import.meta.url), [name, `${lane.first}`, `${lane.count}`], {
    execArgv: ['--conditions=@lifeline/source'],
    serialization: 'advanced',
    signal,
    killSignal: 'SIGKILL',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Tally>();
  crew.once('message', (said: Said) => ('failure' in said ? reject(new Error(said.failure)) : resolve(said.tally)));
  crew.on('error', reject);
  crew.once('exit', (code) => reject(new Error(`a process of the crew ended with ${code}, and said nothing`)));
  return promise;
}

async function said(name: string | undefined, seeds: readonly number[]): Promise<Said> {
  try {
    return { tally: await runBatch(scenarioOf(name), seeds) };
  } catch (error) {
    if (error instanceof ScheduleError) return { failure: error.message };
    throw error;
  }
}

/** `fork('crew.ts', [SCENARIO, FIRST, COUNT])` */
if (import.meta.main) {
  process.once('disconnect', () => process.exit(1));
  const [name, first, count] = process.argv.slice(2);
  const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first) + index);
  process.send?.(await said(name, seeds), () => process.exit(0));
}
