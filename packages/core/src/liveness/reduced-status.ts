/** A status cut down to what traffic depends on. */
import { utf8Bytes } from '../contract/sizes.ts';
import { canonicalJson } from '../json/canonical.ts';
import { ownValue } from '../json/own.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { readyCondition } from './classify.ts';

/**
 * Ever smaller forms of a status, the first that fits to be taken:
 * 1. all conditions, messages cut as little as `room` allows, and the connection details
 * 2. the Ready condition, its message cut likewise, and the connection details
 * 3. what liveness is decided by, and nothing else
 *
 * A function of its arguments alone: replicas agree on every byte.
 * @param room bytes of canonical JSON
 */
export function* reducedStatuses(status: JsonObject, room: number): Generator<JsonObject, void, undefined> {
  const conditions = ownValue(status, 'conditions');
  const details = ownValue(status, 'connectionDetails');
  const withDetails = (kept: readonly JsonValue[]): JsonObject => ({
    conditions: kept,
    ...(details === undefined ? {} : { connectionDetails: details }),
  });
  const ready = readyCondition(status);
  yield shortenMessages(isJsonArray(conditions) ? conditions : [], withDetails, room);
  yield shortenMessages(ready ? [ready] : [], withDetails, room);
  yield {
    conditions: ready ? [pick(ready, 'type', 'status')] : [],
    ...(isJsonObject(details) ? { connectionDetails: identifyingDetails(details) } : {}),
  };
}

/** `build` of the conditions with the longest messages that fit; with none at all when nothing does. */
function shortenMessages(
  conditions: readonly JsonValue[],
  build: (conditions: readonly JsonValue[]) => JsonObject,
  room: number,
): JsonObject {
  const at = (length: number): JsonObject => build(conditions.map((condition) => cutMessage(condition, length)));
  const fits = (length: number): boolean => utf8Bytes(canonicalJson(at(length))) <= room;
  let most = Math.max(0, ...lengths(conditions));
  if (fits(most)) return at(most);
  // Longer messages never make a smaller text, so the longest that fit can be searched for by halves.
  let least = 0;
  while (least + 1 < most) {
    const middle = (least + most) >> 1;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return at(least);
}

const messageOf = (condition: JsonValue): string | undefined => {
  const message = isJsonObject(condition) ? ownValue(condition, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
};

const lengths = (conditions: readonly JsonValue[]): readonly number[] =>
  conditions.map((condition) => messageOf(condition)?.length ?? 0);

/** At most `length` UTF-16 units of the message, never half a character. */
function cutMessage(condition: JsonValue, length: number): JsonValue {
  const message = messageOf(condition);
  if (message === undefined || message.length <= length) return condition;
  const splitsPair = /[\ud800-\udbff]/.test(message.charAt(length - 1));
  return { ...(condition as JsonObject), message: message.slice(0, splitsPair ? length - 1 : length) };
}

function identifyingDetails(details: JsonObject): JsonObject {
  const publicKey = ownValue(details, 'publicKey');
  return { ...pick(details, 'type'), ...(isJsonObject(publicKey) ? { publicKey: pick(publicKey, 'id') } : {}) };
}

const pick = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));
