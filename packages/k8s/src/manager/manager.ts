/** Runs fleets and controllers for the life of an app: starts, elects, stops in order. */
import { type DurationMs, linkAbort, type LinkedAbort, untilAborted } from '@lifeline/core';
import type { Env } from '../app/env.ts';
import { type Controller, ensureUniqueNames } from '../controller/define-controller.ts';
import { createEventRecorder } from '../controller/event-recorder.ts';
import { type FenceOf, noFence } from '../controller/fence.ts';
import { runController } from '../controller/runtime.ts';
import type { ClusterProvider } from '../fleet/cluster.ts';
import { onlyCluster } from '../fleet/only-cluster.ts';
import { cacheHealth } from './cache-health.ts';
import { type Lead, runElected } from './leader-election.ts';
import type { Shards } from '../shards/shards.ts';
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
  /** One replica works, the others wait. Without it and without `shards` every replica works: only for controllers that tolerate that. */
  readonly election?: ElectionOptions | undefined;
  /**
   * Instead of `election`: every replica works, each for the clusters of the shards it holds. A request belongs to the shard of its cluster,
   * whichever plane its object lives in; the source of those clusters is a `shardedSource`.
   */
  readonly shards?: Shards | undefined;
  /** Planes the app is not ready without. Default: the one that holds the Leases. */
  readonly required?: readonly ClusterProvider[] | undefined;
}

/**
 * Resolves when `env.signal` aborted and all has stopped: first the controllers (running reconciles end), then leadership, or every shard, is
 * given back, then the clusters are disengaged. Standby replicas keep their caches warm.
 *
 * @throws LeadershipLostError when another replica may lead; ShardCountError when one works with another shard count; whatever ended a
 * fleet's source, or a controller (the others are stopped first)
 */
export async function runManager(env: Env, options: ManagerOptions): Promise<void> {
  const { fleets, controllers, shards } = options;
  if (shards && options.election) throw new TypeError('a manager has an election or shards, not both');
  const instance = shards?.identity ?? options.election?.identity ?? env.random.uuid();
  const election = options.election && { ...options.election, identity: instance };
  ensureUniqueNames(controllers);
  const leases = shards ?? election;
  const required = options.required ?? (leases ? [leases.provider] : []);
  using fleetsLife = linkAbort();
  using work = linkAbort(env.signal);
  using _ready = env.health.ready('caches', () => cacheHealth(required));
  using _warm = warmCaches(controllers);
  const running = fleets.map((fleet) => fleet.run(fleetsLife.signal).catch((error: unknown) => work.abort(error)));
  const recorder = createEventRecorder({ ...env, instance });
  const control = async (fence: FenceOf, signal: AbortSignal): Promise<void> => {
    using together = linkAbort(signal);
    const run = { env, fence, recorder, signal: together.signal };
    const ended = controllers.map((controller) =>
      runController(controller, run).catch((error: unknown) => {
        together.abort(error);
        throw error;
      }),
    );
    // Apps that only watch have none: theirs is the life of their clusters.
    if (ended.length === 0) await untilAborted(signal);
    // None is left at work without its fence and its clusters: the others end in order first.
    await Promise.allSettled(ended);
    await Promise.all(ended);
  };
  try {
    if (shards) await sharded(shards, control, work);
    else if (election)
      await elected({ ...env, signal: work.signal }, election, (fence, signal) => control(() => fence, signal));
    else await control(() => noFence, work.signal);
  } finally {
    fleetsLife.abort(new Error('the app stops'));
    await Promise.all(running);
  }
  if (work.signal.aborted && !env.signal.aborted) throw work.signal.reason as Error;
}

/** Shards are held until the controllers have ended. */
async function sharded(
  shards: Shards,
  control: (fence: FenceOf, signal: AbortSignal) => Promise<void>,
  work: LinkedAbort,
): Promise<void> {
  using holding = linkAbort();
  const held = shards.run(holding.signal).catch((error: unknown) => {
    if (!holding.signal.aborted) work.abort(error);
  });
  try {
    await control(shards.fence, work.signal);
  } finally {
    holding.abort(new Error('the app stops'));
    await held;
  }
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
