/** Replicas that share out shards over a scripted hub, for the tests of this folder. */
import { type Clock, type DurationMs, Lease, type Transport } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import { createHealth } from '../app/health.ts';
import { createMetrics } from '../app/prometheus.ts';
import { createLog } from '../app/log.ts';
import { fleetFactory } from '../fleet/fleet-factory.ts';
import { staticSource } from '../fleet/sources/static-source.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { testEnv } from '../testing/test-env.ts';
import { createShards, type Shards, type ShardsOptions } from './shards.ts';

export const set = { namespace: 'system', name: 'app' };

export interface Replica {
  readonly shards: Shards;
  readonly health: ReturnType<typeof createHealth>;
  readonly lines: string[];
  /** What `run` ended with; undefined when it was stopped. */
  readonly done: Promise<unknown>;
  metrics(): Promise<string>;
  /** In order: gives back what it holds. */
  stop(): void;
}

export interface ReplicaOptions extends Partial<ShardsOptions> {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly identity: string;
}

export function replica({ clock, transport, identity, ...options }: ReplicaOptions): Replica {
  const stopping = new AbortController();
  const fleets = new AbortController();
  const lines: string[] = [];
  const health = createHealth();
  const metrics = createMetrics();
  const env = {
    ...testEnv({ clock, signal: stopping.signal }),
    random: seeded(identity),
    transport: () => transport,
    log: createLog({ clock, write: (line) => lines.push(line), level: 'debug' }),
    health,
    metrics,
  };
  const source = staticSource({ hub: { endpoint: { server: 'https://hub.test' } } });
  const provider = fleetFactory(env, identity)({ plane: 'hub', source });
  const shards = createShards(env, { provider, ...set, identity, ...options });
  const fleet = provider.run(fleets.signal);
  const done = shards
    .run(stopping.signal)
    .catch((error: unknown) => error)
    .finally(() => fleets.abort(new Error('stop')))
    .then(async (result: unknown) => (await fleet, stopping.signal.aborted ? undefined : result));
  return {
    shards,
    health,
    lines,
    done,
    metrics: () => metrics.text(),
    stop: () => stopping.abort(new Error('stop')),
  };
}

export const hubOf = (clock: Clock, latencyMs: DurationMs = 10): ScriptedApi =>
  createScriptedApi({ clock, random: seeded('hub'), kinds: [Lease], latencyMs });

/** How many shards each replica is certain of. */
export const shares = (replicas: readonly Replica[]): number[] => replicas.map(({ shards }) => shards.certain().size);

/** Shards that two replicas are certain of. */
export function overlaps(replicas: readonly Replica[]): number[] {
  const all = replicas.flatMap(({ shards }) => [...shards.certain().keys()]);
  return all.filter((shard, index) => all.indexOf(shard) !== index);
}
