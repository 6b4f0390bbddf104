/** Runs fleets and controllers for the life of an app: starts, elects, stops in order. */
import { type DurationMs, linkAbort } from '@lifeline/core';
import type { Env } from '../app/env.ts';
import { type Controller, ensureUniqueNames } from '../controller/define-controller.ts';
import { createEventRecorder } from '../controller/event-recorder.ts';
import { noFence } from '../controller/fence.ts';
import { runController } from '../controller/runtime.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import { onlyCluster } from '../fleet/only-cluster.ts';
import { cacheHealth } from './cache-health.ts';
import { type Lead, runElected } from './leader-election.ts';
import { warmCaches } from './warm-caches.ts';

export interface ElectionOptions {
  /** The plane that holds the Lease: a provider of exactly one cluster. */
  readonly provider: ClusterProvider;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Default: random. Never reused by the next start. */
  readonly identity?: string | undefined;
  readonly durationMs?: DurationMs | undefined;
}

export interface ManagerOptions {
  /** All providers that the controllers use. */
  readonly fleets: readonly ClusterProvider[];
  readonly controllers: readonly Controller[];
  /** Without it every replica works: only for controllers that tolerate that. */
  readonly election?: ElectionOptions | undefined;
  /** Planes the app is not ready without. Default: the election's. */
  readonly required?: readonly ClusterProvider[] | undefined;
}

/**
 * Resolves when `env.signal` aborted and all has stopped: first the controllers (running reconciles end), then leadership is given back,
 * then the clusters are disengaged. Standby replicas keep their caches warm.
 *
 * @throws LeadershipLostError when another replica may lead; whatever ended a fleet's source
 */
export async function runManager(env: Env, options: ManagerOptions): Promise<void> {
  const { fleets, controllers } = options;
  const instance = options.election?.identity ?? env.random.uuid();
  const election = options.election && { ...options.election, identity: instance };
  ensureUniqueNames(controllers);
  const required = options.required ?? (election ? [election.provider] : []);
  using fleetsLife = linkAbort();
  using work = linkAbort(env.signal);
  using _ready = env.health.ready('caches', () => cacheHealth(required));
  using _warm = warmCaches(controllers);
  const running = fleets.map((fleet) => fleet.run(fleetsLife.signal).catch((error: unknown) => work.abort(error)));
  const recorder = createEventRecorder({ ...env, instance });
  const lead: Lead = async (fence, signal) => {
    const run = { env, fence: () => fence, recorder, signal };
    await Promise.all(controllers.map((controller) => runController(controller, run)));
  };
  try {
    if (election) await elected({ ...env, signal: work.signal }, election, lead);
    else await lead(noFence, work.signal);
  } finally {
    fleetsLife.abort(new Error('the app stops'));
    await Promise.all(running);
  }
  if (work.signal.aborted && !env.signal.aborted) throw work.signal.reason as Error;
}

async function elected(
  env: Env,
  { provider, lease, identity, durationMs }: ElectionOptions & { readonly identity: string },
  lead: Lead,
): Promise<void> {
  const { signal } = env;
  let client;
  try {
    ({ client } = await onlyCluster(provider, signal));
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  await runElected({ ...env, client, lease, identity, durationMs }, lead, signal);
}
