/** Our apps as processes of their own, from the bundles that production runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { demoInstallation, type DurationMs, later, systemClock } from '@lifeline/core';
import { buildApp } from '../build.ts';
import { root } from '../root.ts';
import type { PlanesFolder } from './folder.ts';
import type { PlannedPlane } from './options.ts';

/** How an app is run over a set-up. */
export interface PlannedApp {
  /** Its folder below `apps/`. */
  readonly name: string;
  /** Names one of several processes of it. Default: `name`. */
  readonly instance?: string | undefined;
  /** Namespaces that its chart would be installed into, by plane. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Kubeconfigs that it reads: path below its own folder → plane. */
  readonly kubeconfigs: Readonly<Record<string, string>>;
  /** Its configuration file; `folder` is its own folder. */
  readonly config: (folder: string) => object;
}

/** Every app there is, as this set-up would have it deployed. */
export function plannedApps(planes: readonly PlannedPlane[]): readonly PlannedApp[] {
  const [projects, edges] = (['project', 'edge'] as const).map((role) =>
    planes.filter((plane) => plane.role === role).map(({ name }) => name),
  ) as [string[], string[]];
  return [
    {
      name: 'example-mirror',
      namespaces: { hub: 'mirrors' },
      kubeconfigs: {
        'hub.kubeconfig': 'hub',
        ...Object.fromEntries(projects.map((name) => [`sources/${name}.kubeconfig`, name])),
      },
      config: (folder) => ({
        sources: { kubeconfigs: join(folder, 'sources') },
        target: { kubeconfig: join(folder, 'hub.kubeconfig') },
        leaderElection: {},
      }),
    },
    {
      name: 'hub-replicator',
      namespaces: {},
      kubeconfigs: {
        'hub.kubeconfig': 'hub',
        ...Object.fromEntries(projects.map((name) => [`projects/${name}.kubeconfig`, name])),
      },
      config: (folder) => ({
        hub: { kubeconfig: join(folder, 'hub.kubeconfig') },
        projects: { mode: 'folder', kubeconfigs: join(folder, 'projects') },
        installation: demoInstallation,
        // Whoever tries things out waits for a lease duration at the start.
        shards: { count: 4, durationMs: 5_000 },
      }),
    },
    ...edges.map((edge): PlannedApp => ({
      name: 'edge-extension-server',
      instance: `edge-extension-server-${edge}`,
      namespaces: {},
      kubeconfigs: { 'edge.kubeconfig': edge },
      // Its ports are in its log: whoever has an Envoy Gateway here uses the Unix socket.
      config: (folder) => ({
        kubeconfig: join(folder, 'edge.kubeconfig'),
        gatewayClasses: ['edge'],
        hook: { listen: ['127.0.0.1:0', `unix:${join(folder, 'hook.sock')}`] },
        report: { listen: ['127.0.0.1:0'] },
      }),
    })),
  ];
}

/** What `apps.json` says of one. */
export interface RunningApp {
  readonly pid: number;
  readonly healthPort: number;
  readonly metricsPort: number;
  readonly log: string;
}

/** Longer than the apps give themselves for an orderly stop. */
const stopMs: DurationMs = 35_000;
const readyMs: DurationMs = 60_000;
const pollMs: DurationMs = 100;

/** Disposed, it stops what it started, and only that. */
export class AppProcesses implements AsyncDisposable {
  readonly running: Record<string, RunningApp> = {};
  readonly #folder: PlanesFolder;
  readonly #children: ChildProcess[] = [];
  /** Apps that were built. */
  readonly #built = new Set<string>();

  constructor(folder: PlanesFolder) {
    this.#folder = folder;
    process.once('exit', this.#abandon);
  }

  /** Resolves when the app says that it is ready. @throws Error when it cannot be built, or exits before that */
  async start(app: PlannedApp, kubeconfigs: ReadonlyMap<string, string>): Promise<void> {
    const { instance = app.name } = app;
    await this.#build(app.name);
    const folder = await this.#folder.emptied(`apps/${instance}`);
    for (const [path, plane] of Object.entries(app.kubeconfigs))
      await this.#folder.write(`apps/${instance}/${path}`, kubeconfigs.get(plane) ?? '');
    const [healthPort, metricsPort] = [await freePort(), await freePort()];
    const config = { ...app.config(folder), healthPort, metricsPort };
    await this.#folder.write(`apps/${instance}/config.yaml`, JSON.stringify(config, undefined, 2));
    const log = join(folder, 'log');
    const output = await open(log, 'w');
    const child = spawn(
      process.execPath,
      [join(root, 'dist', app.name, 'main.js'), '--config', join(folder, 'config.yaml')],
      { stdio: ['ignore', output.fd, output.fd], env: environment },
    );
    this.#children.push(child);
    await output.close();
    await isReady(child, `http://127.0.0.1:${healthPort}/readyz`, `${instance} (its log: ${log})`);
    this.running[instance] = { pid: child.pid as number, healthPort, metricsPort, log };
  }

  async #build(name: string): Promise<void> {
    if (this.#built.has(name)) return;
    const { fault } = await buildApp(join(root, 'apps', name), join(root, 'dist'));
    if (fault !== undefined) throw new Error(`${name}: ${fault}`);
    this.#built.add(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map((child) => stop(child)));
    process.off('exit', this.#abandon);
  }

  /** When this process ends by an error that nobody caught: what it started ends too. */
  readonly #abandon = (): void => {
    for (const child of this.#children) child.kill('SIGTERM');
  };
}

/** Without what a developer's shell has set for our tools: apps take `LIFELINE_…` for their settings. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LIFELINE_')));

/** Asks, and after {@link stopMs} insists. */
async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  using _force = systemClock.timer(stopMs, () => child.kill('SIGKILL'));
  await ended;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function isReady(child: ChildProcess, url: string, what: string): Promise<void> {
  const deadline = later(systemClock.monotonic(), readyMs);
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error(`${what} exited with ${child.exitCode ?? child.signalCode}`);
    if (systemClock.monotonic() > deadline) throw new Error(`${what} is not ready after ${readyMs / 1000} s`);
    await systemClock.sleep(pollMs);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A port that is free now. Another process may take it first: then the app says so and the set-up fails. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
