/** Numbers and texts that are defaults of settings, or fixed by the contract. Units stand in the names. */

const second = 1000;
const minute = 60 * second;

export const defaultPorts = { hook: 5005, report: 5006, metrics: 8080, health: 8081 } as const;

export const leaseDefaults = {
  durationSeconds: 30,
  /** Whatever a Lease says, its duration counts as something between these. */
  minDurationMs: 5 * second,
  maxDurationMs: 60 * minute,
  /** A re-check is late by a random share of the duration, up to this one. */
  recheckJitter: 0.1,
} as const;

export const replicationDefaults = {
  /** Status changes that no traffic depends on go at most once per object in this time. */
  statusPaceMs: 30 * second,
  /** A project must be gone for this long before its copies are swept. */
  sweepMinAgeMs: 5 * minute,
  sweepMaxDeletions: 50,
  watermarkEveryMs: 30 * second,
  /** The shards of a lost replica have moved within the lease duration and this. */
  shardMoveMs: 5 * second,
} as const;

export const edgeDefaults = {
  /** The only endpoint host that is ever edited. Never resolved. */
  placeholderHost: 'connector.local',
  internalListener: 'connector-tunnel',
  offlineStatus: 503,
  offlineBody: 'Tunnel not online',
  /** Envoy refuses a longer direct response, in bytes. */
  offlineBodyLimitBytes: 4096,
  retryAfterSeconds: 5,
  /** Both ways; Envoy Gateway's `maxMessageSize` must be equal. */
  messageLimitBytes: 64 * 1024 * 1024,
} as const;

export const hookDefaults = {
  callDeadlineMs: 5 * second,
  watchdogMs: 15 * second,
  keepaliveMs: 30 * second,
  keepaliveTimeoutMs: 10 * second,
  maxConnectionAgeMs: 10 * minute,
  /** How many intents of a Gateway are remembered, to tell a stamp from the future from one of the past. */
  intentHistory: 16,
  behindWaitMs: 100,
  /** All waits together, as a share of wall time over {@link hookDefaults.behindWindowMs}. */
  behindShare: 0.2,
  behindWindowMs: 10 * second,
} as const;

export const stampDefaults = {
  /** Between two batches of stamps of one group. */
  batchEveryMs: 500,
  /** Later changes are gathered for so long. */
  gatherMs: 200,
  /** With more pending than this, one stamp settles the group. */
  settleAbove: 50,
  unmergedPerSecond: 20,
  unmergedBurst: 100,
  /** Counted only while the caller has no call running. */
  graceMs: 3 * second,
  maxGraceMs: 60 * second,
  firstBackoffMs: 5 * second,
  maxBackoffMs: 5 * minute,
  /** A Gateway that no report names is stamped after these waits, then it is `unserved`. */
  unservedBackoffMs: [5 * second, 30 * second, 5 * minute],
  /** A caller without an open connection counts as live for so long after its last call. */
  callerLiveMs: 15 * minute,
} as const;

/** The wait before attempt `attempt` (1, 2, …) at a Gateway that does not converge: 5 s × 2ⁿ, up to 5 min. */
export const attemptBackoffMs = (attempt: number): number =>
  Math.min(stampDefaults.firstBackoffMs * 2 ** (attempt - 1), stampDefaults.maxBackoffMs);
