import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@lifeline/core';
import type { Mutant, Verdict } from '../mutants/types.ts';
import { faultOf, type Job, jobsOf, plainName } from './prepare.ts';
import type { AnswerTo, Question } from './worker.ts';

export interface CrewOptions {
  /** How many processes work at once. Default: one a core. */
  readonly workers?: number;
  /** How long a clean run or one mutant may take before its process is ended. Default two minutes. */
  readonly limitMs?: number;
  readonly clock?: Clock;
  /** Called with each verdict as it comes. */
  readonly judged?: (mutant: Mutant, verdict: Verdict) => void;
}

const invalid = (reason: string): Verdict => ({ at: 'invalid', reason });

/** Judges every mutant; gives the verdicts by id. */
export async function judgeAll(mutants: readonly Mutant[], options: CrewOptions = {}): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const settle = (mutant: Mutant, verdict: Verdict): void => {
    verdicts.set(mutant.id, verdict);
    options.judged?.(mutant, verdict);
  };
  const sound = mutants.filter((mutant) => {
    const reason = faultOf(mutant);
    if (reason !== undefined) settle(mutant, invalid(reason));
    return reason === undefined;
  });
  const jobs = jobsOf(sound);
  const lane = async (): Promise<void> => {
    using worker = new WorkerProcess(options);
    for (let job = jobs.shift(); job; job = jobs.shift()) await work(worker, job, settle);
  };
  await Promise.all(Array.from({ length: Math.min(options.workers ?? availableParallelism(), jobs.length) }, lane));
  return verdicts;
}

async function work(
  worker: WorkerProcess,
  { test, mutants }: Job,
  settle: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> {
  const answer = await worker.ask({ clean: test });
  const clean = 'clean' in answer ? answer.clean : `${test} without it: ${answer.reason}`;
  for (const mutant of mutants) {
    if (typeof clean === 'string') settle(mutant, invalid(clean));
    else settle(mutant, await judge(worker, mutant, clean));
  }
}

async function judge(worker: WorkerProcess, mutant: Mutant, passing: readonly string[]): Promise<Verdict> {
  const { name = '', test } = mutant;
  if (!passing.some((passed) => passed.includes(plainName(name))))
    return invalid(`no test of ${test} passes that is named "${name}"`);
  const answer = await worker.ask({ mutant });
  return 'verdict' in answer ? answer.verdict : invalid(answer.reason);
}

/** The process hung or died over the question. */
interface Lost {
  readonly reason: string;
}

/** A worker process, started when it is first needed and again after it was lost. */
class WorkerProcess implements Disposable {
  readonly #limitMs: number;
  readonly #clock: Clock;
  #child: ChildProcess | undefined;
  /** The end of what the process wrote: shown when it dies, and only then. */
  #said = '';

  constructor({ limitMs = 120_000, clock = systemClock }: CrewOptions) {
    this.#limitMs = limitMs;
    this.#clock = clock;
  }

  ask<Q extends Question>(question: Q): Promise<AnswerTo<Q> | Lost> {
    const child = (this.#child ??= start((text) => (this.#said = (this.#said + text).slice(-4000))));
    return new Promise((resolve) => {
      const settle = (answer: AnswerTo<Q> | Lost): void => {
        timer[Symbol.dispose]();
        child.removeAllListeners('message').removeAllListeners('exit');
        if ('reason' in answer) this[Symbol.dispose]();
        resolve(answer);
      };
      const timer = this.#clock.timer(this.#limitMs, () =>
        settle({ reason: `it did not end within ${this.#limitMs / 1000} s` }),
      );
      child.once('message', (answer: AnswerTo<Q>) => settle(answer));
      child.once('exit', (code, signal) => {
        const last = this.#said.trim().split('\n').slice(-8).join('\n');
        settle({ reason: `the process that ran it ended (${signal ?? `exit code ${code}`})\n${last}` });
      });
      child.send(question);
    });
  }

  /** Ends the process and those it started: a test that spins cannot be asked to stop. */
  [Symbol.dispose](): void {
    const child = this.#child;
    this.#child = undefined;
    if (child) end(child);
  }
}

/** The running processes, each with the folder that its vitest keeps transformed modules in. */
const running = new Map<ChildProcess, string>();

/** A process group of its own, so that it can be ended whole. */
function start(wrote: (text: string) => void): ChildProcess {
  const temporary = mkdtempSync(join(tmpdir(), 'lifeline-mutants-'));
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    execArgv: ['--conditions=@lifeline/source'],
    env: { ...process.env, TMPDIR: temporary },
    detached: true,
    silent: true,
  });
  child.stdout?.setEncoding('utf8').on('data', wrote);
  child.stderr?.setEncoding('utf8').on('data', wrote);
  if (running.size === 0) process.on('exit', endAll);
  running.set(child, temporary);
  return child;
}

function end(child: ChildProcess): void {
  const temporary = running.get(child);
  running.delete(child);
  if (running.size === 0) process.off('exit', endAll);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  // Nothing that is ended like this cleans up. Its last write may still be on its way.
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

const endAll = (): void => {
  for (const child of [...running.keys()]) end(child);
};
