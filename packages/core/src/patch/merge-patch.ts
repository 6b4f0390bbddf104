import { deepEqual } from '../json/equal.ts';
import { checkDepth } from '../json/depth.ts';
import { ownValue, setOwn } from '../json/own.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

/**
 * The target after a JSON merge patch (RFC 7386): null removes a member, objects merge, everything else replaces.
 *
 * Guarantees: neither input is changed; the result shares structure with both, and is the target itself when the patch changes nothing.
 * A member of the patch that is undefined, or a patch that is, changes nothing.
 * @throws JsonError `too-deep` for a patch of more than 1000 levels
 */
export function applyMergePatch(target: unknown, patch: unknown): JsonValue {
  return patch === undefined ? (target as JsonValue) : merge(target as JsonValue, patch as JsonValue, 0);
}

function merge(target: JsonValue | undefined, patch: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(patch)) return target !== undefined && deepEqual(target, patch) ? target : patch;
  checkDepth(depth);
  const base = isJsonObject(target) ? target : undefined;
  const merged: Record<string, JsonValue | undefined> = { ...base };
  let changed = base === undefined;
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) continue;
    const old = ownValue(merged, key);
    if (change === null) {
      if (old === undefined) continue;
      delete merged[key];
    } else {
      const next = merge(old, change, depth + 1);
      if (next === old) continue;
      setOwn(merged, key, next);
    }
    changed = true;
  }
  return base === undefined || changed ? merged : base;
}
