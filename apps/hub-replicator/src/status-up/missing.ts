/** What stands upstream while the hub has no status to show. */
import {
  conditionTypes,
  downstreamStatusMissing,
  type EpochMs,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@lifeline/core';
import type { KindPolicy } from '../mirror/policy.ts';
import { type ConditionObject, conditionOf, conditionsByType } from './conditions.ts';
import { type EntryOwner, type EntryShape, ownEntries, sharedEntries } from './entries.ts';
import { statusUpMessages } from './messages.ts';
import { ownedConditions } from './owned.ts';
import { targetEntries } from './targets.ts';
import { statusOf, type WantedStatus } from './write.ts';

/** Conditions that are the Gateway controller's wherever they stand. */
const gatewayConditions: readonly string[] = [conditionTypes.accepted, conditionTypes.programmed, 'ResolvedRefs'];

export interface MissingInputs {
  readonly kind: KindPolicy['kind'];
  readonly upstream: KubeObject;
  /** Where entries of controllers stand; undefined for a status with conditions of its own. */
  readonly shape: EntryShape | undefined;
  readonly owner: EntryOwner;
  readonly now: EpochMs;
}

/**
 * Everything that was said for the hub becomes Unknown. It is not taken away, and neither are addresses and counts: they may well hold
 * still. Where nothing was said yet, `Accepted` is.
 */
export function missingStatus({ kind, upstream, shape, owner, now }: MissingInputs): WantedStatus {
  const old = statusOf(upstream);
  if (shape) {
    const own = ownEntries(old, shape, owner);
    const entries = own.size > 0 ? own : targetEntries(upstream, shape, owner.controllerName);
    const items = new Map([...entries].map(([key, entry]) => [key, unknownEntry(entry, now)]));
    return { members: undefined, lists: [sharedEntries(items, old, { shape, owner })] };
  }
  const types = new Set([...gatewayConditions, ...(ownedConditions(upstream) ?? [])]);
  const before = conditionsByType(old?.['conditions']);
  const said = [...before.keys()].filter((type) => types.has(type));
  // A kind that has no conditions would drop one, each time anew.
  const wanted = new Set([...said, ...(kind.listMapKeys['status.conditions'] ? [conditionTypes.accepted] : [])]);
  const items = new Map([...wanted].map((type) => [type, unknown(type, before.get(type), now)]));
  const keyOf = (item: JsonValue): string | undefined =>
    isJsonObject(item) && typeof item['type'] === 'string' && wanted.has(item['type']) ? item['type'] : undefined;
  return { members: withUnknownListeners(old, now), lists: [{ name: 'conditions', keyOf, items }] };
}

function withUnknownListeners(old: JsonObject | undefined, now: EpochMs): JsonObject | undefined {
  const listeners = old?.['listeners'];
  if (!isJsonArray(listeners)) return undefined;
  const unknownOnes = listeners.map((listener) => (isJsonObject(listener) ? unknownEntry(listener, now) : listener));
  return { ...old, listeners: unknownOnes };
}

function unknownEntry(entry: JsonObject, now: EpochMs): JsonObject {
  const before = conditionsByType(entry['conditions']);
  const types = before.size > 0 ? [...before.keys()] : [conditionTypes.accepted];
  return { ...entry, conditions: types.map((type) => unknown(type, before.get(type), now)) };
}

function unknown(type: string, old: ConditionObject | undefined, now: EpochMs): ConditionObject {
  const observedGeneration = old?.['observedGeneration'];
  return conditionOf(
    old,
    {
      type,
      status: 'Unknown',
      reason: downstreamStatusMissing,
      message: statusUpMessages.missing,
      ...(observedGeneration == null ? {} : { observedGeneration }),
    },
    now,
  );
}
