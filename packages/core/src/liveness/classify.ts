/** Liveness of a connector: the one rule that replicator, retranslator, extension server and CLI share. */
import { annotations } from '../contract/annotations.ts';
import { conditionTypes } from '../contract/conditions.ts';
import { ownValue } from '../json/own.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { nodeIdKey } from './node-id.ts';

/** Why a connector is not online. A closed list: people and dashboards filter by it. */
export const livenessReasons = {
  connectorNotFound: 'ConnectorNotFound',
  noStatus: 'NoStatus',
  noReadyCondition: 'NoReadyCondition',
  notReady: 'NotReady',
  unusableConnectionDetails: 'UnusableConnectionDetails',
  invalidNodeId: 'InvalidNodeId',
  /** Never said by {@link classifyLiveness}: see `shared-node-ids.ts`. */
  nodeIdTaken: 'NodeIdTaken',
} as const;
export type LivenessReason = (typeof livenessReasons)[keyof typeof livenessReasons];

/** Whether a connector is online, and which node it is, or why it is not. */
export type Liveness =
  /** `nodeId` exactly as written; `nodeIdKey` for comparing it. */
  | { readonly state: 'online'; readonly nodeId: string; readonly nodeIdKey: string }
  | { readonly state: 'offline'; readonly reason: LivenessReason }
  /** There is no such connector. Programmed like an offline one, counted apart. */
  | { readonly state: 'unknown'; readonly reason: LivenessReason };

/** As much of a Connector as decides its liveness. */
export interface ConnectorLike {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | null | undefined };
  readonly status?: unknown;
}

/** Undefined: the connector is proven absent (the cache is synced and does not hold it). */
export const classifyLiveness = (connector: ConnectorLike | undefined): Liveness =>
  connector
    ? classifyStatus(truthOf(connector).status)
    : { state: 'unknown', reason: livenessReasons.connectorNotFound };

/**
 * Where a connector's truth stands: in the mirrored status when that parses to a JSON object, for status does not travel downstream;
 * else in its live status.
 */
export function truthOf({ metadata, status }: ConnectorLike): { from: 'annotation' | 'live'; status: unknown } {
  const mirrored = parseObject(metadata.annotations?.[annotations.upstreamStatus]);
  return mirrored ? { from: 'annotation', status: mirrored } : { from: 'live', status };
}

/** Online exactly when the first condition of type `Ready` is `True` and the connection details name a node. */
export function classifyStatus(status: unknown): Liveness {
  if (!isJsonObject(status) || Object.keys(status).length === 0) return offline('noStatus');
  const ready = readyCondition(status);
  if (!ready) return offline('noReadyCondition');
  if (ownValue(ready, 'status') !== 'True') return offline('notReady');
  const nodeId = writtenNodeId(status);
  if (nodeId === undefined) return offline('unusableConnectionDetails');
  const key = typeof nodeId === 'string' ? nodeIdKey(nodeId) : undefined;
  return key === undefined ? offline('invalidNodeId') : { state: 'online', nodeId: nodeId as string, nodeIdKey: key };
}

/** The first condition whose type is exactly `Ready`. */
export function readyCondition(status: JsonObject): JsonObject | undefined {
  const conditions = ownValue(status, 'conditions');
  if (!Array.isArray(conditions)) return undefined;
  return conditions.filter(isJsonObject).find((condition) => ownValue(condition, 'type') === conditionTypes.ready);
}

/** What stands for a node id in the connection details, valid or not; undefined when they are of no type that names one. */
export function writtenNodeId(status: unknown): unknown {
  const details = isJsonObject(status) ? ownValue(status, 'connectionDetails') : undefined;
  if (!isJsonObject(details) || ownValue(details, 'type') !== 'PublicKey') return undefined;
  const publicKey = ownValue(details, 'publicKey');
  return isJsonObject(publicKey) ? (ownValue(publicKey, 'id') ?? undefined) : undefined;
}

const offline = (reason: keyof typeof livenessReasons): Liveness => ({
  state: 'offline',
  reason: livenessReasons[reason],
});

function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
