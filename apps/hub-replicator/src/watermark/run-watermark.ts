/** Tells every edge how fresh the truth is: each replica writes its shards' beats into one ConfigMap on the hub. */
import {
  type Clock,
  ConfigMap,
  deadlineAbort,
  describeError,
  type DurationMs,
  fieldManagers,
  formatTime,
  parseWatermark,
  shardOf,
  truthLabels,
  truthNamespace,
  watermarkConfigMap,
  watermarkKey,
  watermarkShardsKey,
  watermarkText,
} from '@lifeline/core';
import { type Client, isKubeError, type Log } from '@lifeline/k8s';
import { keepTruthNamespace } from '../truth-namespace.ts';
import type { Behind } from './behind.ts';

/** The shards as this replica holds them. */
export interface HeldShards {
  readonly count: number;
  /** Shards whose hold is certain now, and for how long. */
  certain(): ReadonlyMap<number, DurationMs>;
}

export interface WatermarkOptions {
  readonly client: Pick<Client, 'find' | 'create' | 'patch'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly installation: string;
  readonly shards: HeldShards;
  readonly behind: () => readonly Behind[];
  readonly everyMs: DurationMs;
}

const name = { namespace: truthNamespace, name: watermarkConfigMap };
const fieldManager = fieldManagers.hubReplicator;
/** A write takes no longer, whatever else is certain. */
const longestWriteMs: DurationMs = 10_000;

/**
 * One write per period for all shards that this replica holds; none while it holds none. A write ends before the first of its shards is
 * uncertain. What fails is said and tried again next time: an edge sees the age grow.
 *
 * Before it one read of the Namespace, which is put right by replicas without a shard too: the Leases of the shards stand in it, so while it is
 * missing nobody can hold one.
 *
 * Resolves when the signal has aborted.
 */
export async function runWatermark(options: WatermarkOptions, signal: AbortSignal): Promise<void> {
  const watermark = new Watermark(options);
  while (!signal.aborted) {
    try {
      await watermark.write(signal);
      await options.clock.sleep(options.everyMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.log.warn({ error: describeError(error), ...name }, 'watermark not written');
      await options.clock.sleep(options.everyMs, signal).catch(() => undefined);
    }
  }
}

class Watermark {
  readonly #options: WatermarkOptions;
  /** The last beat of each shard that was held at the last write. */
  #beats = new Map<number, number>();

  constructor(options: WatermarkOptions) {
    this.#options = options;
  }

  async write(signal: AbortSignal): Promise<void> {
    const { client, clock, installation, shards } = this.#options;
    using look = deadlineAbort(clock, longestWriteMs, signal);
    await keepTruthNamespace(client, installation, look.signal);
    const held = shards.certain();
    this.#beats = new Map([...this.#beats].filter(([shard]) => held.has(shard)));
    if (held.size === 0) return;
    using life = deadlineAbort(clock, Math.min(longestWriteMs, ...held.values()), signal);
    await this.#resume([...held.keys()], life.signal);
    const data = this.#data([...held.keys()]);
    await this.#put(data, life.signal);
  }

  /** Goes on from the beats that other holders left: an edge must see a change. */
  async #resume(held: readonly number[], signal: AbortSignal): Promise<void> {
    if (held.every((shard) => this.#beats.has(shard))) return;
    const entries = parseWatermark((await this.#options.client.find(ConfigMap, name, { signal }))?.data);
    for (const shard of held) {
      if (!this.#beats.has(shard)) this.#beats.set(shard, entries.get(shard)?.beat ?? 0);
    }
  }

  #data(held: readonly number[]): Record<string, string> {
    const { clock, shards, behind } = this.#options;
    const at = formatTime(clock.now());
    const byShard = Map.groupBy(behind(), ({ project }) => shardOf(project, shards.count));
    const data: Record<string, string> = { [watermarkShardsKey]: String(shards.count) };
    for (const shard of held) {
      const beat = (this.#beats.get(shard) ?? 0) + 1;
      this.#beats.set(shard, beat);
      data[watermarkKey(shard)] = watermarkText({ beat, at, behind: byShard.get(shard) ?? [] });
    }
    return data;
  }

  async #put(data: Record<string, string>, signal: AbortSignal): Promise<void> {
    const { client, installation } = this.#options;
    const metadata = { labels: truthLabels(installation) };
    const options = { signal, fieldManager };
    const patch = () => client.patch({ kind: ConfigMap, name }, { type: 'merge', body: { metadata, data } }, options);
    try {
      await patch();
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
      await client
        .create(ConfigMap, { metadata: { ...name, ...metadata }, data }, options)
        .catch(async (failed: unknown) => {
          if (!isKubeError(failed, 'already-exists')) throw failed;
          // Another replica made it: its keys stay, ours come in.
          await patch();
        });
    }
  }
}
