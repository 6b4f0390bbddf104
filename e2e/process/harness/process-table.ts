/** Processes that were started, by name: each with a log of its own, and none is left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurationMs, later, systemClock } from '@lifeline/core';

/** What is run. */
export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the table's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What it runs inside of: a command that ends by becoming another one. */
  readonly inside?: readonly string[] | undefined;
  /** Resolves to whether it can be used. `told`: once it makes the file that `READY_FILE` names. Default: at once. */
  readonly ready?: (() => Promise<boolean>) | 'told' | undefined;
}

export interface TableOptions {
  /** Has a folder `logs`, and gets `logs/NAME.log`, `NAME.ready` and `pids.json`. */
  readonly folder: string;
  /** Of every process, and all that it gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Asked to end, a process has this long. Extension servers finish calls in 30 s. */
const stopMs: DurationMs = 35_000;
const readyMs: DurationMs = 90_000;
const pollMs: DurationMs = 50;

interface Entry {
  readonly spec: ProcessSpec;
  readonly child: ChildProcess;
  /** Somebody asked for its end. */
  isToEnd: boolean;
}

export class ProcessTable implements AsyncDisposable {
  readonly #options: TableOptions;
  readonly #entries = new Map<string, Entry>();
  #saving: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** By name: the process id, or how it ended. */
  get states(): Readonly<Record<string, number | string>> {
    return Object.fromEntries(
      Array.from(this.#entries, ([name, { child }]) => [name, hasEnded(child) ? ending(child) : (child.pid ?? 0)]),
    );
  }

  /** Names of those that ended though nobody asked for it. */
  get crashed(): readonly string[] {
    return Array.from(this.#entries)
      .filter(([, { child, isToEnd }]) => hasEnded(child) && !isToEnd)
      .map(([name]) => name);
  }

  pid(name: string): number {
    const { pid } = this.#entry(name).child;
    if (pid === undefined) throw new Error(`${name} could not be started`);
    return pid;
  }

  logOf(name: string): string {
    return join(this.#options.folder, 'logs', `${name}.log`);
  }

  /** Resolves when it can be used. Its log goes on where an earlier one of its name ended. @throws Error when it ends before, or takes too long */
  async start(name: string, spec: ProcessSpec): Promise<void> {
    const readyFile = this.#readyFile(name);
    await rm(readyFile, { force: true });
    if (this.#isClosed) throw new Error(`${name} is not started any more: everything ends`);
    const running = this.#entries.get(name);
    if (running && !hasEnded(running.child)) throw new Error(`${name} runs already, as process ${running.child.pid}`);
    const log = openSync(this.logOf(name), 'a');
    // Whatever happens to this process, what it started goes with it.
    const args = ['--pdeathsig', 'KILL', '--', ...(spec.inside ?? []), spec.command, ...spec.args];
    const child = spawn('setpriv', args, {
      stdio: ['ignore', log, log],
      env: { ...this.#options.env, READY_FILE: readyFile, ...spec.env },
    });
    closeSync(log);
    child.on('error', () => undefined);
    this.#entries.set(name, { spec, child, isToEnd: false });
    await this.#save();
    await this.#untilReady(name);
  }

  async #untilReady(name: string): Promise<void> {
    const { spec, child } = this.#entry(name);
    const deadline = later(systemClock.monotonic(), readyMs);
    for (;;) {
      const isReady = spec.ready === 'told' ? existsSync(this.#readyFile(name)) : await (spec.ready?.() ?? true);
      // What answers may be somebody else's, who has the port.
      if (hasEnded(child)) throw new Error(`${name} ended with ${ending(child)}: ${await this.#tail(name)}`);
      if (isReady) return;
      if (systemClock.monotonic() > deadline)
        throw new Error(`${name} is not ready after ${readyMs / 1000} s: ${await this.#tail(name)}`);
      await systemClock.sleep(pollMs);
    }
  }

  async #tail(name: string): Promise<string> {
    const text = await readFile(this.logOf(name), 'utf8').catch(() => '');
    return `the end of ${this.logOf(name)}:\n${text.slice(-2000)}`;
  }

  /** Sends a signal. A frozen process (`SIGSTOP`) goes on with `SIGCONT`. */
  signal(name: string, signal: NodeJS.Signals): void {
    this.#entry(name).child.kill(signal);
  }

  /** Ends it: in order, or at once. Resolves when it has ended. @throws Error when it had, and nobody had asked */
  async end(name: string, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const entry = this.#entry(name);
    const { child } = entry;
    if (hasEnded(child)) {
      if (entry.isToEnd) return;
      throw new Error(`${name} had ended by itself, with ${ending(child)}: ${await this.#tail(name)}`);
    }
    entry.isToEnd = true;
    const ended = once(child, 'exit');
    // A frozen one hears nothing but SIGKILL.
    child.kill('SIGCONT');
    child.kill(signal);
    using _force = systemClock.timer(stopMs, () => child.kill('SIGKILL'));
    await ended;
  }

  /** What ran under a name is run again as it was. */
  async again(name: string): Promise<void> {
    await this.start(name, this.#entry(name).spec);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Ends all, those first that were started last; none is started from then on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const running = Array.from(this.#entries).filter(([, { child }]) => !hasEnded(child));
    for (const [name] of running.reverse()) {
      // One may crash while others end.
      if (!hasEnded(this.#entry(name).child)) await this.end(name, endsAtOnce(name) ? 'SIGKILL' : 'SIGTERM');
    }
    await this.#saving;
    await rm(pidsFile(this.#options.folder), { force: true });
  }

  #readyFile(name: string): string {
    return join(this.#options.folder, `${name}.ready`);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry)
      throw new Error(`nothing was started as ${name}; there are ${Array.from(this.#entries.keys()).join(', ')}`);
    return entry;
  }

  #save(): Promise<void> {
    const pids = Array.from(this.#entries, ([name, { child }]) => ({ name, pid: child.pid ?? 0 }));
    this.#saving = this.#saving.then(async () => {
      const known = await Promise.all(pids.map(async (one) => ({ ...one, started: await startOf(one.pid) })));
      await writeFile(`${pidsFile(this.#options.folder)}.part`, JSON.stringify(known));
      await rename(`${pidsFile(this.#options.folder)}.part`, pidsFile(this.#options.folder));
    });
    return this.#saving;
  }
}

/** Nobody reads their data again, and an orderly end takes them seconds. */
const endsAtOnce = (name: string): boolean => /^(?:etcd|kube-|karmada-|namespace-)/.test(name);

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null || pid === undefined;

const ending = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode ?? (exitCode === null ? 'no such program' : `exit code ${exitCode}`);

const pidsFile = (folder: string): string => join(folder, 'pids.json');

/** Since when a process runs, in ticks since boot: with its id, nobody else's. Undefined: it does not run. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program may hold spaces and brackets. @see proc_pid_stat(5): starttime is field 22
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Ends what an earlier run, which could not, left behind. */
export async function endLeftovers(folder: string): Promise<void> {
  const text = await readFile(pidsFile(folder), 'utf8').catch(() => '[]');
  for (const { pid, started } of JSON.parse(text) as { pid: number; started?: string }[])
    if (started !== undefined && (await startOf(pid)) === started) process.kill(pid, 'SIGKILL');
  await rm(pidsFile(folder), { force: true });
}
