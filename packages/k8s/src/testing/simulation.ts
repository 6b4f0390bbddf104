/** Several copies of an app over scripted planes, in one process, on one virtual clock. */
import {
  describeError,
  type DurationMs,
  intercept,
  type Kind,
  type Random,
  type TransportInterceptor,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import type { App } from '../app/define-app.ts';
import { createLog } from '../app/log.ts';
import type { TransportFactory } from '../transport/endpoint.ts';
import { connection } from './connection.ts';
import { filesOf } from './files.ts';
import { createScriptedApi, type ScriptedApi, type ScriptedApiOptions } from './scripted-api.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { Trace } from './trace.ts';

export interface SimulationOptions<Config> {
  /** Decides everything: a run is a function of its seed. */
  readonly seed: string | number;
  readonly planes: readonly string[];
  readonly kinds: readonly Kind[];
  readonly app: App<Config>;
  readonly config: Config;
  /** Files that every replica sees. */
  readonly files: Readonly<Record<string, string>>;
  readonly api?: Partial<ScriptedApiOptions> | undefined;
  /** URL of a plane; what it has of a path is the plane's base path. Default {@link Simulation.serverOf}: an origin for each plane. */
  readonly server?: ((plane: string) => string) | undefined;
  /** Between a replica and a plane. */
  readonly faults?: ((replica: string, plane: string) => TransportInterceptor) | undefined;
}

/** Log lines that are kept for a failure's message. */
const keptLines = 200;
/** A container that exited is started again after this long. */
const restartMs: DurationMs = 1_000;

export class Simulation<Config> {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly trace = new Trace();
  readonly planes: ReadonlyMap<string, ScriptedApi>;
  readonly logLines: string[] = [];
  readonly #options: SimulationOptions<Config>;
  readonly #replicas = new Map<string, Replica>();
  #stopping = false;

  constructor(options: SimulationOptions<Config>) {
    this.#options = options;
    this.random = seeded(`${options.seed}/world`);
    this.planes = new Map(
      options.planes.map((name) => [
        name,
        createScriptedApi({
          clock: this.clock,
          random: seeded(`${options.seed}/plane/${name}`),
          kinds: options.kinds,
          basePath: new URL(this.#serverOf(name)).pathname.replace(/\/$/, ''),
          ...options.api,
        }),
      ]),
    );
  }

  plane(name: string): ScriptedApi {
    const plane = this.planes.get(name);
    if (!plane) throw new TypeError(`no plane ${name}`);
    return plane;
  }

  /** The URL that leads to a plane, for kubeconfigs. */
  static serverOf(plane: string): string {
    return `https://${plane}.test`;
  }

  #serverOf(plane: string): string {
    return (this.#options.server ?? Simulation.serverOf)(plane);
  }

  /** The running process of a replica. */
  process(replica: string): SimulatedProcess {
    const running = this.#replicas.get(replica);
    if (!running) throw new TypeError(`no replica ${replica}`);
    return running.process;
  }

  /** Starts a replica; if it exits by itself it is started again, as a Deployment would. */
  start(replica: string): SimulatedProcess {
    const previous = this.#replicas.get(replica);
    const incarnation = (previous?.incarnation ?? 0) + 1;
    const process = new SimulatedProcess({
      name: replica,
      clock: this.clock,
      random: seeded(`${this.#options.seed}/process/${replica}/${incarnation}`),
      transport: this.#network(replica),
      files: filesOf(this.#options.files),
      log: createLog({
        clock: this.clock,
        write: (line) => this.#log(line),
        fields: { replica: `${replica}.${incarnation}` },
      }),
      onPoint: (point, what) => this.#note(replica, `${incarnation}.${point} ${what}`),
    });
    const running: Replica = { process, incarnation, done: Promise.resolve() };
    this.#replicas.set(replica, running);
    this.#note(replica, `${incarnation} starts`);
    running.done = this.#options.app.start(process.env, this.#options.config).then(
      () => this.#note(replica, `${incarnation} stopped`),
      (error: unknown) => {
        this.#note(replica, `${incarnation} exited: ${describeError(error)}`);
        process.kill();
        if (!this.#stopping) this.clock.timer(restartMs, () => this.#restartAfter(replica, running));
      },
    );
    return process;
  }

  /** SIGKILL; nothing starts it again but {@link start}. */
  kill(replica: string): void {
    this.process(replica).kill();
    this.#note(replica, 'killed');
  }

  /** SIGTERM to all replicas; resolves when all have stopped. None is started again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#replicas.values()].filter(({ process }) => !process.dead);
    for (const { process } of running) process.terminate();
    await this.clock.run(
      Promise.all(running.map(({ process, done }) => Promise.race([done, process.died]))).then(() => undefined),
      120_000,
    );
  }

  #restartAfter(replica: string, exited: Replica): void {
    if (!this.#stopping && this.#replicas.get(replica) === exited) this.start(replica);
  }

  #network(replica: string): TransportFactory {
    return (endpoint, life) => {
      const name = [...this.planes.keys()].find((plane) => endpoint.server === this.#serverOf(plane));
      if (!name) throw new TypeError(`no plane at ${endpoint.server}`);
      const { faults } = this.#options;
      return connection(intercept(this.plane(name).transport, ...(faults ? [faults(replica, name)] : [])), life);
    };
  }

  #note(replica: string, what: string): void {
    this.trace.note(this.clock.monotonic(), replica, what);
  }

  #log(line: string): void {
    this.logLines.push(line.trimEnd());
    if (this.logLines.length > keptLines) this.logLines.shift();
  }
}

interface Replica {
  readonly process: SimulatedProcess;
  readonly incarnation: number;
  done: Promise<void>;
}
