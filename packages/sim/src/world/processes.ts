/** The replicas of a world's apps: started, killed, paused, restarted, upgraded. */
import { type Clock, describeError, type DurationMs, seeded } from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import type { App, DeliveryInterceptor, Env, TransportFactory } from '@lifeline/k8s';
import { filesOf, SimulatedProcess, type Trace } from '@lifeline/k8s/testing';
import type { CacheOwner } from './deliveries.ts';
import type { RingLog } from './ring-log.ts';
import { SkewedClock } from './skewed-clock.ts';

/** An app with its configuration: what a Deployment's pod template is. */
export interface Launch {
  readonly app: string;
  readonly start: (env: Env) => Promise<void>;
}

/** The app as it is in production. */
export const launch = <Config>(app: App<Config>, config: Config): Launch => ({
  app: app.name,
  start: (env) => app.start(env, config),
});

export interface AppSpec {
  /** Names of the replicas: unique in the world. */
  readonly replicas: readonly string[];
  /** What may run, in the order of upgrades; a world starts with the first. */
  readonly versions: readonly [Launch, ...Launch[]];
}

export interface ProcessesOptions {
  readonly seed: string;
  readonly clock: VirtualClock;
  readonly trace: Trace;
  readonly logs: RingLog;
  /** Files that every replica sees; may change. */
  readonly files: Readonly<Record<string, string>>;
  /** Of the world's, which ends with it. */
  readonly timer: (ms: DurationMs, fire: () => void) => Disposable;
  readonly transport: (owner: CacheOwner) => TransportFactory;
  readonly delivery: (owner: CacheOwner) => DeliveryInterceptor;
}

interface Replica {
  readonly app: AppSpec;
  readonly clock: SkewedClock;
  version: number;
  incarnation: number;
  process: SimulatedProcess | undefined;
  done: Promise<void>;
}

/** A container that exited is started again after this long. */
const restartMs: DurationMs = 1_000;
/** How long an app may take to stop in order. */
const stopMs: DurationMs = 120_000;

export class Processes {
  readonly #options: ProcessesOptions;
  readonly #replicas = new Map<string, Replica>();
  #stopping = false;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  add(app: AppSpec): void {
    for (const name of app.replicas) {
      if (this.#replicas.has(name)) throw new TypeError(`two replicas are called ${name}`);
      const clock = new SkewedClock(this.#options.clock);
      this.#replicas.set(name, {
        app,
        clock,
        version: 0,
        incarnation: 0,
        process: undefined,
        done: Promise.resolve(),
      });
    }
  }

  /** Names of all replicas, running or not. */
  get names(): readonly string[] {
    return [...this.#replicas.keys()];
  }

  isRunning(replica: string): boolean {
    const { process } = this.#replica(replica);
    return process !== undefined && !process.dead;
  }

  /** The process that a replica is now, or was last. @throws TypeError before its first start */
  process(replica: string): SimulatedProcess {
    const { process } = this.#replica(replica);
    if (!process) throw new TypeError(`${replica} was never started`);
    return process;
  }

  incarnation(replica: string): number {
    return this.#replica(replica).incarnation;
  }

  /** The replica's machine, which outlives its processes. */
  clock(replica: string): SkewedClock {
    return this.#replica(replica).clock;
  }

  /**
   * Starts a replica, in place of the process that it is; one that exits by itself is started again, as a Deployment would.
   *
   * @param version index of what runs from now on; default: what ran before
   */
  start(replica: string, version?: number): SimulatedProcess {
    const entry = this.#replica(replica);
    entry.process?.kill();
    entry.version = version ?? entry.version;
    entry.incarnation++;
    const { app, clock, incarnation } = entry;
    const launched = app.versions[entry.version];
    if (!launched) throw new TypeError(`${replica} has no version ${entry.version}`);
    const process = this.#create({ actor: replica, incarnation }, clock);
    entry.process = process;
    this.#note(replica, incarnation, `starts version ${entry.version}`);
    entry.done = launched.start(process.env).then(
      () => this.#note(replica, incarnation, 'stopped'),
      (error: unknown) => {
        this.#note(replica, incarnation, `exited: ${describeError(error)}`);
        process.kill();
        if (!this.#stopping) this.#options.timer(restartMs, () => this.#restart(replica, process));
      },
    );
    return process;
  }

  /** SIGKILL; nothing starts it again but {@link start}. */
  kill(replica: string): void {
    const { process, incarnation } = this.#replica(replica);
    if (!process || process.dead) return;
    process.kill();
    this.#note(replica, incarnation, 'killed');
  }

  /** Starts what is dead. */
  revive(): void {
    for (const name of this.#replicas.keys()) if (!this.isRunning(name)) this.start(name);
  }

  /** SIGTERM to all; resolves when all have stopped, and how many had to be killed. None is started again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#replicas.values()].filter(({ process }) => process && !process.dead);
    for (const { process } of running) process?.terminate();
    const ends = running.map(({ process, done }) => Promise.race([done, process?.died]));
    await this.#options.clock.run(
      Promise.all(ends).then(() => undefined),
      stopMs,
    );
  }

  #create(owner: CacheOwner, clock: Clock): SimulatedProcess {
    const { seed, logs, files, transport, delivery } = this.#options;
    const { actor, incarnation } = owner;
    return new SimulatedProcess({
      name: actor,
      clock,
      random: seeded(`${seed}/process/${actor}/${incarnation}`),
      transport: transport(owner),
      files: filesOf(files),
      log: logs.log(clock, { replica: `${actor}.${incarnation}` }),
      caches: { freeze: true, intercept: delivery(owner) },
    });
  }

  #restart(replica: string, exited: SimulatedProcess): void {
    if (!this.#stopping && this.#replica(replica).process === exited) this.start(replica);
  }

  #replica(name: string): Replica {
    const found = this.#replicas.get(name);
    if (!found) throw new TypeError(`no replica ${name}`);
    return found;
  }

  #note(replica: string, incarnation: number, what: string): void {
    this.#options.trace.note(this.#options.clock.monotonic(), `${replica}.${incarnation}`, what);
  }
}
