/** What a controller is: a name, what it watches, what it may write, and one reconcile function. */
import { type Clock, type DurationMs, type Kind, PlatformError } from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { ClusterProvider, ScopedCluster } from '../fleet/cluster.ts';
import type { RecordedEvent } from './event-recorder.ts';
import { parseFieldPath } from './field-path.ts';
import type { ReconcileRequest, ReconcileResult } from './request.ts';
import type { Watch } from './watch.ts';

/** A controller that cannot be run as it is. Thrown where it is defined or started. */
export class ControllerError extends PlatformError<'invalid-controller' | 'ambiguous-cluster'> {}

export interface ReconcileContext {
  readonly clock: Clock;
  /** Aborts when the reconcile's deadline passes (a `DeadlineError`), its cluster goes, or the app stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Looks once more when this look has ended, in whatever way, as if something had changed meanwhile. */
  readonly again: () => void;
  /**
   * A cluster with this controller's rights. `name` may be left out where the provider has exactly one.
   * @throws ClusterNotReadyError
   * @throws ControllerError `ambiguous-cluster` when `name` is left out and there are several
   */
  readonly cluster: (provider: ClusterProvider, name?: string) => ScopedCluster;
  /**
   * Says something about an object to the people who look at it, as a Kubernetes Event in a cluster that `cluster` gave. Waits for nothing and
   * is in nobody's way: the Event is written in the background, while leadership is certain, or counted as refused. The same said again is
   * a count on the first Event.
   *
   * @throws KubeError `not-declared` when the controller's `events` do not have the cluster's plane
   */
  readonly record: (cluster: ScopedCluster, event: RecordedEvent) => void;
}

/**
 * Level-triggered and idempotent: reads what is, writes what should be. Never runs twice at a time for one request. A failure is retried
 * as `retryOf` says; a `TerminalError` is not.
 */
export type Reconcile = (request: ReconcileRequest, context: ReconcileContext) => Promise<ReconcileResult | void>;

export type Verb = 'create' | 'apply' | 'patch' | 'delete';

/** One row of what a controller may write. RBAC, `doctor` and the own-lane check read it. */
export interface WriteRight {
  readonly plane: string;
  readonly kind: Kind;
  readonly verbs: readonly Verb[];
  /**
   * Paths in the object, see `field-path.ts`: `data`, `status.conditions`, `metadata.finalizers`, `metadata.labels["a.b/c"]`; `*`: the
   * whole object. Empty only where the row deletes and nothing else.
   */
  readonly fields: readonly string[];
  /** Field manager. */
  readonly owner: string;
  /** Read live too, beside what is watched. */
  readonly reads?: boolean | undefined;
}

/** Live reads of a kind that is neither watched nor written. */
export interface ReadRight {
  readonly plane: string;
  readonly kind: Kind;
  /** Default both. */
  readonly verbs?: readonly ('get' | 'list')[] | undefined;
}

export interface ControllerSpec {
  /** Kebab-case. Unique in its app: metrics and logs go by it. */
  readonly name: string;
  /** At most one for each kind of a plane. */
  readonly watches: readonly Watch[];
  readonly writes: readonly WriteRight[];
  /** Read live, beside what is watched. Default: nothing. */
  readonly reads?: readonly ReadRight[] | undefined;
  /** Planes in which it records Events. Default: none. */
  readonly events?: readonly string[] | undefined;
  readonly reconcile: Reconcile;
  /** Requests worked on at once. Default 4. */
  readonly workers?: number | undefined;
  /** Every known key is looked at again this often, ±10 %. Default 10 min: a lost event costs minutes, not for ever. */
  readonly floorMs?: DurationMs | undefined;
  /** After this long a reconcile's signal aborts, and it is retried as a failed one. Default 60 s. */
  readonly deadlineMs?: DurationMs | undefined;
}

/** A checked spec with its defaults. */
export interface Controller {
  readonly name: string;
  readonly watches: readonly Watch[];
  readonly writes: readonly WriteRight[];
  readonly reads: readonly ReadRight[];
  readonly events: readonly string[];
  readonly reconcile: Reconcile;
  readonly workers: number;
  readonly floorMs: DurationMs;
  readonly deadlineMs: DurationMs;
}

const defaults = { workers: 4, floorMs: 600_000, deadlineMs: 60_000 };

/** @throws ControllerError `invalid-controller` with everything that is wrong with the spec */
export function defineController(spec: ControllerSpec): Controller {
  const controller: Controller = {
    ...spec,
    reads: spec.reads ?? [],
    events: spec.events ?? [],
    workers: spec.workers ?? defaults.workers,
    floorMs: spec.floorMs ?? defaults.floorMs,
    deadlineMs: spec.deadlineMs ?? defaults.deadlineMs,
  };
  const faults = [...faultsOf(controller)];
  if (faults.length > 0) throw new ControllerError('invalid-controller', `${spec.name}: ${faults.join('; ')}`);
  return Object.freeze(controller);
}

/** @throws ControllerError `invalid-controller` when two controllers of one app have one name */
export function ensureUniqueNames(controllers: readonly Controller[]): void {
  const seen = new Set<string>();
  for (const { name } of controllers) {
    if (seen.has(name)) throw new ControllerError('invalid-controller', `two controllers are called ${name}`);
    seen.add(name);
  }
}

function* faultsOf(controller: Controller): Generator<string, void> {
  const { name, watches, writes, reads, events, workers, floorMs, deadlineMs } = controller;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) yield 'the name is not kebab-case';
  if (watches.length === 0) yield 'it watches nothing';
  for (const [index, { provider, kind }] of watches.entries()) {
    const first = watches.findIndex((other) => other.provider === provider && other.kind.id === kind.id);
    if (first !== index) yield `it watches ${kind.id} in plane ${provider.plane} twice: join the mappers`;
  }
  for (const right of writes) yield* rightFaults(right);
  for (const { plane, kind } of reads) if (!plane) yield `reads of ${kind.id}: no plane`;
  for (const plane of events) if (!plane) yield 'events: no plane';
  if (!Number.isInteger(workers) || workers < 1) yield `workers is ${workers}, not a positive integer`;
  for (const [setting, ms] of Object.entries({ floorMs, deadlineMs })) {
    if (!(ms > 0)) yield `${setting} is ${ms}, not a positive time`;
  }
}

function* rightFaults({ plane, kind, verbs, fields, owner }: WriteRight): Generator<string, void> {
  const row = `writes of ${kind.id} in plane ${plane}`;
  if (!plane) yield `${row}: no plane`;
  if (!owner) yield `${row}: no owner`;
  if (verbs.length === 0) yield `${row}: no verbs`;
  if (fields.length === 0 && verbs.some((verb) => verb !== 'delete')) yield `${row}: no fields`;
  for (const field of fields) if (!parseFieldPath(field)) yield `${row}: "${field}" is not a path`;
}
