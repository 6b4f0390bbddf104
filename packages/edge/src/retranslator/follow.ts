/** Follows one extension server's reports for as long as it is asked to. */
import { type Clock, describeError, type DurationMs, type Random } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import type { ReportMessage, ReportSource } from '../report/report.ts';
import type { Programmed } from './programmed.ts';

export interface FollowOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly programmed: Programmed;
  /** Replicas that are followed, by any stream: one that is reached on two ways is heard once. */
  readonly followed: Set<string>;
  /** Told of each change. */
  readonly state: (state: StreamState) => void;
}

/** `syncing`: it has not yet told all that it answered before. `known`: another stream tells of the same server. */
export type StreamState = 'connecting' | 'syncing' | 'synced' | 'known';

const pauseMs: { readonly first: DurationMs; readonly longest: DurationMs } = { first: 500, longest: 30_000 };

/** Resolves when the signal has aborted. */
export async function follow(source: ReportSource, options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, log, state } = options;
  let waitMs = pauseMs.first;
  while (!signal.aborted) {
    try {
      const end = await stream(source, options, signal);
      waitMs = end === 'told' ? pauseMs.first : end === 'known' ? pauseMs.longest : waitMs;
      if (signal.aborted) return;
      state(end === 'known' ? end : 'connecting');
      if (end !== 'known') log.info({ server: source.name }, 'the stream of reports ended: opens it again');
    } catch (error) {
      if (signal.aborted) return;
      state('connecting');
      log.warn({ server: source.name, error: describeError(error), waitMs }, 'no reports: tries again');
    }
    await clock.sleep(waitMs * (1 + random.next() / 5), signal).catch(() => undefined);
    waitMs = Math.min(pauseMs.longest, 2 * waitMs);
  }
}

/** How a stream ended: after it told everything, before, or because another one tells of the same server. */
type StreamEnd = 'told' | 'early' | 'known';

async function stream(source: ReportSource, options: FollowOptions, signal: AbortSignal): Promise<StreamEnd> {
  const { programmed, followed, state } = options;
  let replay: ReportMessage[] = [];
  let replica: string | undefined;
  try {
    for await (const message of source.watch(signal)) {
      state(replica === undefined ? 'syncing' : 'synced');
      if (replica !== undefined) {
        programmed.take(message);
        continue;
      }
      replay.push(message);
      if (message.at !== 'synced') continue;
      if (followed.has(message.replica)) return 'known';
      replica = message.replica;
      followed.add(replica);
      programmed.replayed(replica, replay);
      replay = [];
      state('synced');
    }
    return replica === undefined ? 'early' : 'told';
  } finally {
    if (replica !== undefined) {
      followed.delete(replica);
      programmed.streamEnded(replica);
    }
  }
}
