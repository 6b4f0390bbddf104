/** One life of a Karmada, from its start to its stop: what its controllers share. Nothing of it survives a restart. */
import type { Clock, DurationMs, Random } from '@lifeline/core';
import type { Log, ReconcileResult } from '@lifeline/k8s';
import type { Members } from '../cluster/members.ts';
import type { Faults } from '../faults.ts';
import type { Hub } from '../hub.ts';
import type { Interpreters } from '../interpreter/interpreter.ts';
import type { HubKinds } from '../kinds/hub-kinds.ts';
import type { Settings } from '../settings.ts';
import type { HopName, Hops } from './hops.ts';
import type { Plane } from './plane.ts';
import { Retries } from './retries.ts';
import { Workers } from './workers.ts';

export interface Run {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: Settings;
  readonly hub: Hub;
  /** The hub, as the scheduler's own client reaches it. */
  readonly schedulerPlane: Plane;
  readonly kinds: HubKinds;
  readonly members: Members;
  readonly interpreters: Interpreters;
  readonly hops: Hops;
  readonly faults: Faults;
}

/** A controller: what it watches is enqueued from `watch` on. */
export interface Part {
  readonly workers: readonly Workers[];
  /** Called once, when the hub's caches have synced. */
  watch(): void;
}

export interface WorkersSpec {
  readonly name: string;
  readonly hop: HopName;
  readonly count: number;
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<ReconcileResult | void>;
  /** Default: as in the settings. */
  readonly retry?: { readonly baseMs: DurationMs; readonly maxMs: DurationMs } | undefined;
}

export function workersOf(
  { clock, log, settings, hops }: Run,
  { name, hop, count, reconcile, retry }: WorkersSpec,
): Workers {
  const { retryBaseMs: baseMs, retryMaxMs: maxMs, retryRate: rate } = settings;
  const retries = new Retries(clock, retry ?? { baseMs, maxMs, rate });
  return new Workers({ name, count, hop: hops.get(hop), clock, log, retries, reconcile });
}
