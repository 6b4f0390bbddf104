/** Everything that the simulator can let go wrong. Each fault stands here once; its file says how it is done. */

/** Where a fault takes hold. */
export type InjectionPoint =
  /** Between one replica and one plane: an interceptor of the transport. */
  | 'wire'
  /** Between a reflector and its store, in one replica. */
  | 'delivery'
  /** A replica's process, between two awaits. */
  | 'process'
  /** A plane itself, or the view of it that a replica is served. */
  | 'plane'
  /** The way from hub to member. */
  | 'hop'
  /** Between an Envoy Gateway and the hook. */
  | 'hook'
  /** The clock of a plane, of a process or of a writer. */
  | 'clock'
  /** What users, and others who have nothing to do with us, do. */
  | 'workload';

export interface FaultEntry {
  readonly id: string;
  readonly name: string;
  readonly point: InjectionPoint;
  /** The bug class that it reveals. */
  readonly reveals: string;
  /** Part of what happens in any case: the fault-free twin of a run has it too, so it cannot matter in comparison. */
  readonly inTwin: boolean;
}

const entry = <const Id extends string>(
  id: Id,
  [name, point, reveals]: readonly [string, InjectionPoint, string],
  inTwin = false,
): FaultEntry & { readonly id: Id } => ({ id, name, point, reveals, inTwin });

/** In the order of their ids. */
export const faultCatalogue = [
  entry('F01', ['crash-after-write', 'process', 'half-done work is never resumed']),
  entry('F02', ['lost-reply', 'wire', 'double create; AlreadyExists misread']),
  entry('F03', ['lost-request', 'wire', 'no timeout; a stuck worker']),
  entry('F04', ['pause', 'process', 'a write after the lease was lost']),
  entry('F05', ['two-writers', 'process', 'a write war, ping-pong between versions']),
  entry('F06', ['upgrade-restart', 'process', 'abandoned finalizers; a storm of rolls']),
  entry('F07', ['time-travel', 'plane', 'an old view resurrects, or deletes by name']),
  entry('F08', ['skewed-lag', 'plane', 'a join of halves of different age']),
  entry('F09', ['gap', 'delivery', 'edge-triggering; two lives of a name taken for one']),
  entry('F10', ['repeat', 'delivery', 'a handler that is not idempotent']),
  entry('F11', ['silent-watch', 'wire', 'staleness without a bound']),
  entry('F12', ['expire', 'wire', 'a loop of lists; a dead revision kept']),
  entry('F13', ['cut-list', 'wire', 'a part of a list taken for the whole: mass delete']),
  entry('F14', ['conflict', 'workload', 'a lost update; a list of several owners replaced whole']),
  entry('F15', ['throttle', 'wire', 'a storm of retries; one plane stalls all']),
  entry('F16', ['refuse', 'wire', 'one bad object, kind or plane stops the rest']),
  entry('F17', ['foreign-hand', 'workload', 'not level-triggered; a wrong delete']),
  entry('F18', ['reincarnate', 'workload', 'no UID precondition'], true),
  entry('F19', ['one-way', 'wire', 'unreachable taken for empty']),
  entry('F20', ['swizzle', 'wire', 'a hidden order between planes']),
  entry('F21', ['engage-churn', 'workload', 'leaks, orphans, a stale cache that acts'], true),
  entry('F22', ['hop-disorder', 'hop', 'assumed order between objects; status synced both ways']),
  entry('F23', ['clock-skew', 'clock', 'a lease judged by a remote clock']),
  entry('F24', ['knob', 'process', 'a hidden assumption about timing'], true),
  entry('F25', ['hook-fault', 'hook', 'programmed differs from intended for ever']),
  entry('F26', ['hostile-input', 'workload', 'tenants collide; one object breaks all'], true),
] as const;

export type FaultId = (typeof faultCatalogue)[number]['id'];
