/**
 * What an edge wants Envoy to run, kept in memory: the connector backends of every HTTPProxy, and the intent and stamp of every Gateway.
 * A hook call reads it and asks no API server; the retranslator hears from it what changed.
 */
import type { Endpoint, LivenessReason, MonotonicMs, ObjectKey, edgeReasons } from '@lifeline/core';

/** How one connector backend is to be programmed. */
export interface BackendProgram {
  /** Index of its rule. */
  readonly rule: number;
  /** `''` when the rule has no name. */
  readonly ruleName: string;
  /** Index in its rule, plain backends counted. */
  readonly backend: number;
  readonly connector: string;
  readonly state: 'online' | 'offline';
  /** Why it is not online. */
  readonly reason: LivenessReason | typeof edgeReasons.invalidEndpoint | undefined;
  /** Exactly as written; `''` when offline. */
  readonly nodeId: string;
  /** Undefined: not to be read, and so offline. */
  readonly endpoint: Endpoint | undefined;
  /** The name that the target's certificate must have, when https; else `''`. */
  readonly sni: string;
}

/** One rule of an HTTPProxy. Its place in {@link ProxyProgram.rules} is its index. */
export interface RuleProgram {
  /** `''` when it has none. */
  readonly name: string;
  /** By index; undefined for a backend without a connector. */
  readonly backends: readonly (BackendProgram | undefined)[];
}

/** An HTTPProxy as it is to be programmed. Gateway and HTTPRoute have its key. */
export interface ProxyProgram {
  /** `namespace/name`. */
  readonly key: ObjectKey;
  readonly rules: readonly RuleProgram[];
  /** 16 hex digits, or `none` when no backend has a connector. */
  readonly intent: string;
  /** When this intent became the wanted one in this process. */
  readonly since: MonotonicMs;
}

/** A Gateway of the edge, whatever its class. */
export interface GatewayState {
  /** `namespace/name`. */
  readonly key: ObjectKey;
  readonly className: string;
  /** Its creationTimestamp. */
  readonly createdAt: string | undefined;
  /** The stamp annotation as it stands, malformed or not. */
  readonly stamp: string | undefined;
  /** Its class and its namespace say that we stamp it. */
  readonly stampable: boolean;
  /** The wanted one: its HTTPProxy's, or `none` without one. */
  readonly intent: string;
}

/** What happened to a Gateway. An intent and a stamp that change at once are told one after the other. */
export type GatewayChange =
  | 'added'
  | 'deleted'
  /** The wanted intent is another one. */
  | 'intent'
  /** The stamp annotation is another one, whoever wrote it. */
  | 'stamp'
  /** Class, age or namespace: whether it may be stamped may have changed. */
  | 'other';

/** Told in the call that changes the index, which already has the change. A listener must not throw and must not change the index. */
export interface EdgeIndexListener {
  /** Undefined: the HTTPProxy is gone. */
  proxy?(key: ObjectKey, program: ProxyProgram | undefined): void;
  /** Undefined with `deleted`. */
  gateway?(key: ObjectKey, state: GatewayState | undefined, change: GatewayChange): void;
  /** Once: when {@link EdgeIndex.synced} has turned true and everything that was held then has been told. */
  synced?(): void;
}

export interface EdgeIndex {
  /** Rises with every change that a listener is told of, and with nothing else: heartbeats change nothing. */
  readonly revision: number;
  /** Every kind has been listed to its end. It stays true: a watch that falls silent makes the index stale, not empty. */
  readonly synced: boolean;
  /** Undefined without an HTTPProxy, and before the sync. */
  proxy(key: ObjectKey): ProxyProgram | undefined;
  proxies(): Iterable<ProxyProgram>;
  gateway(key: ObjectKey): GatewayState | undefined;
  gateways(): Iterable<GatewayState>;
  /** The wanted intent of the Gateway of this key, whether or not it exists: `none` without an HTTPProxy. */
  intent(key: ObjectKey): string;
  /** The last 16 intents that this process wanted for this key since the sync, each once, newest first. A stamp with one of them is not ahead of us. */
  intents(key: ObjectKey): readonly string[];
  /** Tells of everything held, as `added`, as soon as it is synced, and then of each change; O(change). */
  subscribe(listener: EdgeIndexListener): Disposable;
}
