import { PlatformError } from '../errors.ts';
import { deepEqual } from '../json/equal.ts';
import { checkDepth } from '../json/depth.ts';
import { ownValue, setOwn } from '../json/own.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { jsonPointer } from './pointer.ts';

/** A merge patch cannot say this: a member that becomes null. A JSON patch can. */
export class MergePatchError extends PlatformError<'unrepresentable'> {
  constructor(message: string) {
    super('unrepresentable', message);
  }
}

/**
 * The smallest merge patch (RFC 7386) that makes `to` out of `from`; undefined when they are the same content.
 *
 * Guarantees: `applyMergePatch(from, mergePatchDiff(from, to))` is the content of `to`. Arrays are replaced whole. Neither input is
 * changed; the patch may share structure with `to`.
 * @throws MergePatchError where a member of an object has to become null. Most Kubernetes fields take null for absent: leave it out
 *   of `to` if that is what it means.
 * @throws JsonError `too-deep` beyond 1000 levels
 */
export function mergePatchDiff(from: unknown, to: unknown): JsonValue | undefined {
  return diff(from as JsonValue, to as JsonValue, []);
}

function diff(from: JsonValue | undefined, to: JsonValue, path: readonly string[]): JsonValue | undefined {
  if (isJsonObject(to)) {
    if (isJsonObject(from)) return diffMembers(from, to, path);
  } else {
    if (from !== undefined && deepEqual(from, to)) return undefined;
    if (to === null && path.length > 0) throw new MergePatchError(`null at "${jsonPointer(...path)}"`);
    return to;
  }
  // Built member by member, so that a null deep inside is found.
  return diffMembers({}, to, path) ?? {};
}

function diffMembers(from: JsonObject, to: JsonObject, path: readonly string[]): JsonObject | undefined {
  checkDepth(path.length);
  const patch: Record<string, JsonValue> = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && ownValue(to, key) === undefined) setOwn(patch, key, null);
  }
  for (const key of Object.keys(to)) {
    const value = to[key];
    const old = ownValue(from, key);
    if (value === undefined || value === old) continue;
    const change = diff(old, value, [...path, key]);
    if (change !== undefined) setOwn(patch, key, change);
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
