/** What stands upstream as status, for kinds whose status is decided downstream. */
import {
  annotations,
  type EpochMs,
  type Int64,
  isDeleting,
  isJsonArray,
  type JsonObject,
  JsonNumber,
  type JsonValue,
  type KubeObject,
  observedGenerationUp,
  ownValue,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import type { KindPolicy, StatusTransform } from '../mirror/policy.ts';
import { type ConditionContext, conditionsByType, conditionsUp, isCondition } from './conditions.ts';
import {
  entriesUp,
  type EntryOwner,
  type EntryShape,
  ownEntries,
  policyEntries,
  routeEntries,
  sharedEntries,
} from './entries.ts';
import { missingStatus } from './missing.ts';
import { ownedConditions } from './owned.ts';
import { scrubber } from './scrub.ts';
import { translated } from './translate.ts';
import { type SharedList, statusOf, statusWrites, type WantedStatus } from './write.ts';

export interface StatusUpInputs {
  readonly policy: KindPolicy;
  readonly upstream: KubeObject;
  /** The hub copy, settled; undefined when it was not seen: that proves nothing. */
  readonly copy: KubeObject | undefined;
  /** Full name of the upstream cluster. */
  readonly cluster: string;
  /** As whom entries of `ancestors` and `parents` are written. */
  readonly controllerName: string;
  readonly now: EpochMs;
}

/** Where each transform finds entries that belong to one controller each. */
const entryShapes: Readonly<Record<StatusTransform, EntryShape | undefined>> = {
  identity: undefined,
  policy: policyEntries,
  gateway: undefined,
  route: routeEntries,
};

/**
 * The write on the upstream's status subresource that makes it say what the hub's aggregate says; none when it does.
 *
 * Guarantees: pure; carried out, it leaves nothing to write. Entries of other controllers and conditions that the hub does not speak of
 * are not touched. Nothing is ever cleared because something was not seen: an aggregate that is missing or empty makes conditions
 * Unknown, a copy that is missing or not this object's changes nothing.
 */
export function statusUp(inputs: StatusUpInputs): readonly Write[] {
  const { policy, upstream, copy } = inputs;
  if (policy.status.direction !== 'up' || !policy.kind.statusSubresource) return [];
  if (!copy || isDeleting(upstream) || isDeleting(copy) || !isCopyOf(copy, upstream)) return [];
  return statusWrites(policy.kind, upstream, wantedStatus(inputs, copy, policy.status.transform));
}

/**
 * Whether the answer depends on `managedFields` that the upstream object came without: conditions stand there that the hub does not
 * speak of, and they may be ours. Read it live then, and ask again; without that they stay.
 */
export function needsOwners({ policy, upstream, copy }: StatusUpInputs): boolean {
  if (policy.status.direction !== 'up' || entryShapes[policy.status.transform] || !copy) return false;
  if (upstream.metadata.managedFields) return false;
  const spoken = conditionsByType(conditionsOf(statusOf(copy)));
  return [...conditionsByType(conditionsOf(statusOf(upstream))).keys()].some((type) => !spoken.has(type));
}

const isCopyOf = (copy: KubeObject, { metadata: { uid } }: KubeObject): boolean =>
  uid !== undefined && copy.metadata.annotations?.[annotations.upstreamUid] === uid;

function wantedStatus(inputs: StatusUpInputs, copy: KubeObject, transform: StatusTransform): WantedStatus {
  const { policy, upstream, controllerName, now } = inputs;
  const { namespace = '' } = upstream.metadata;
  const shape = entryShapes[transform];
  const owner: EntryOwner = { controllerName, namespace };
  const hub = statusOf(copy);
  if (!hub || isSilent(hub, policy, shape)) return missingStatus({ kind: policy.kind, upstream, shape, owner, now });

  const old = statusOf(upstream);
  const context = contextOf(inputs, copy);
  const lists: SharedList[] = [];
  if (shape) {
    const items = entriesUp(hub, ownEntries(old, shape, owner), { shape, owner, context });
    lists.push(sharedEntries(items, old, { shape, owner }));
  }
  const conditions = conditionsOf(hub);
  if (conditions === undefined || (isJsonArray(conditions) && conditions.every(isCondition))) {
    lists.push(sharedConditions(conditions, upstream, context));
  }
  const shared = new Set(lists.map(({ name }) => name));
  const members = Object.entries(translated(hub, old, context)).filter(([name]) => !shared.has(name));
  return { members: Object.fromEntries(members), lists };
}

/** The hub says nothing about this object: no aggregate yet, or an empty one. */
function isSilent(hub: JsonObject, { kind }: KindPolicy, shape: EntryShape | undefined): boolean {
  if (shape) return isBlank(ownValue(hub, shape.list));
  return isBlank(kind.listMapKeys['status.conditions'] ? conditionsOf(hub) : hub);
}

/** No content at any depth. */
const isBlank = (value: JsonValue | undefined): boolean =>
  value == null ||
  (typeof value === 'object' &&
    !(value instanceof JsonNumber) &&
    Object.values(value).every((member) => isBlank(member)));

function sharedConditions(hub: JsonValue | undefined, upstream: KubeObject, context: ConditionContext): SharedList {
  const items = new Map(conditionsUp(hub, conditionsOf(statusOf(upstream)), context).map((item) => [item.type, item]));
  const owned = ownedConditions(upstream);
  const keyOf = (item: JsonValue): string | undefined =>
    isCondition(item) && (items.has(item.type) || owned?.has(item.type)) ? item.type : undefined;
  return { name: 'conditions', keyOf, items };
}

const conditionsOf = (status: JsonObject | undefined): JsonValue | undefined =>
  status && (ownValue(status, 'conditions') ?? undefined);

function contextOf({ upstream, cluster, now }: StatusUpInputs, { metadata }: KubeObject): ConditionContext {
  const { namespace = '' } = upstream.metadata;
  return {
    now,
    scrub: scrubber({ mapped: metadata.namespace ?? '', namespace, cluster }),
    generation: (hub, old) =>
      observedGenerationUp({
        hubObserved: numberOf(hub),
        hubGeneration: metadata.generation,
        upstreamGeneration: metadata.annotations?.[annotations.upstreamGeneration],
        current: numberOf(old),
      }),
  };
}

const numberOf = (value: JsonValue | undefined): Int64 | undefined =>
  typeof value === 'number' || value instanceof JsonNumber ? value : undefined;
