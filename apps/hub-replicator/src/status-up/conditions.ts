/** Conditions on their way up. */
import {
  deepEqual,
  type EpochMs,
  formatTime,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseTime,
  sameValue,
} from '@lifeline/core';
import { messageLimit, ownMessage, statusUpMessages } from './messages.ts';

export interface ConditionContext {
  readonly scrub: (text: string) => string;
  /** The generation to show, from the hub's and from the one that stands upstream. */
  readonly generation: (hub: JsonValue | undefined, old: JsonValue | undefined) => JsonValue | undefined;
  readonly now: EpochMs;
}

/** A condition as far as we must know it. */
export type ConditionObject = JsonObject & { readonly type: string; readonly status: string };

export const isCondition = (value: JsonValue | undefined): value is ConditionObject =>
  isJsonObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';

/** The conditions in a list, the first of each type; none when it is no list. */
export function conditionsByType(list: JsonValue | undefined): Map<string, ConditionObject> {
  const byType = new Map<string, ConditionObject>();
  for (const item of isJsonArray(list) ? list : []) {
    if (isCondition(item) && !byType.has(item.type)) byType.set(item.type, item);
  }
  return byType;
}

/**
 * The hub's conditions as they are to stand upstream, one of each type, in the order in which they stand there already.
 * @param old what stands upstream
 */
export function conditionsUp(
  hub: JsonValue | undefined,
  old: JsonValue | undefined,
  context: ConditionContext,
): ConditionObject[] {
  const wanted = conditionsByType(hub);
  const before = conditionsByType(old);
  const order = [...before.keys()].filter((type) => wanted.has(type));
  const types = new Set([...order, ...wanted.keys()]);
  return [...types].flatMap((type) => {
    const condition = wanted.get(type);
    return condition ? [conditionUp(condition, before.get(type), context)] : [];
  });
}

function conditionUp(
  hub: ConditionObject,
  old: ConditionObject | undefined,
  { scrub, generation, now }: ConditionContext,
): ConditionObject {
  const { observedGeneration, lastTransitionTime, message, ...rest } = hub;
  const shown = generation(observedGeneration, old?.['observedGeneration']);
  return {
    ...rest,
    type: hub.type,
    status: hub.status,
    ...(shown === undefined ? {} : { observedGeneration: shown }),
    lastTransitionTime: transitionTime({ hub: lastTransitionTime, status: hub.status, old, now }),
    message: messageUp(hub, typeof message === 'string' ? message : '', scrub),
  };
}

function messageUp(
  { type, status, reason }: ConditionObject,
  message: string,
  scrub: (text: string) => string,
): string {
  const own = ownMessage({ type, status, reason });
  if (own !== undefined) return own;
  const text = scrub(status === 'False' ? message.trim() || statusUpMessages.noReason : message);
  return text.length <= messageLimit ? text : Array.from(text).slice(0, messageLimit).join('');
}

/** A condition of ours with another verdict: for what the hub does not say itself. */
export function conditionOf(
  old: ConditionObject | undefined,
  verdict: {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  } & JsonObject,
  now: EpochMs,
): ConditionObject {
  const { status } = verdict;
  return { ...verdict, lastTransitionTime: transitionTime({ hub: undefined, status, old, now }) };
}

/**
 * When the status became what it is, in the words that stand upstream already unless it flips. Never null, always RFC 3339. A flip
 * counts from when the hub saw it, if that was after the last one upstream, else from now.
 */
function transitionTime({
  hub,
  status,
  old,
  now,
}: {
  readonly hub: JsonValue | undefined;
  readonly status: string;
  readonly old: ConditionObject | undefined;
  readonly now: EpochMs;
}): string {
  const before = old?.['lastTransitionTime'];
  const last = parseTime(before);
  if (old?.status === status && last !== undefined) return before as string;
  const flipped = parseTime(hub);
  const isLater = flipped !== undefined && (last === undefined || flipped > last);
  return isLater && old?.status !== status ? (hub as string) : formatTime(now);
}

/**
 * Whether two parts of a status say the same. Null is absent, numbers count by value, and the times of conditions do not count: ours
 * differ only where the status does, or where the old one cannot be sent.
 */
export const saysTheSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  deepEqual(withoutTimes(a), withoutTimes(b), sameValue);

function withoutTimes(value: JsonValue | undefined): JsonValue | undefined {
  if (isJsonArray(value)) return value.map((item) => withoutTimes(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member != null && !(name === 'lastTransitionTime' && isCondition(value)))
      .map(([name, member]) => [name, withoutTimes(member)]),
  );
}
