/** In which order the items of a merged list stand. */
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { badValue, noMergeKey } from './patch-error.ts';

/** What an item is known by. */
export type Identity = (item: JsonValue) => string;

/** Scalars are known by themselves, objects by their merge key. The identity throws an ApiError of 500 for an object without it. */
export const identityBy = (mergeKey: string | undefined): Identity => {
  if (mergeKey === undefined) return (item) => canonicalJson(item);
  return (item) => {
    if (!isJsonObject(item)) throw badValue('object', item);
    return canonicalJson(keyValue(item, mergeKey));
  };
};

/** @throws ApiError 500 */
export function keyValue(item: JsonObject, mergeKey: string): JsonValue {
  const value = ownValue(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/**
 * The items in the order that the patch wants. Those that it does not mention keep their own, each before the first one of the patch
 * that it stood before.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/strategicpatch/patch.go normalizeElementOrder
 */
export function inOrder(
  items: readonly JsonValue[],
  { wanted, original, identity }: { wanted: readonly JsonValue[]; original: readonly JsonValue[]; identity: Identity },
): readonly JsonValue[] {
  const [wantedAt, originalAt] = [positions(wanted, identity), positions(original, identity)];
  const known = items.map((item) => ({ item, key: identity(item) }));
  const patched = known.filter(({ key }) => wantedAt.has(key)).sort(by(wantedAt));
  const others = known.filter(({ key }) => !wantedAt.has(key)).sort(by(originalAt));

  const out: JsonValue[] = [];
  let next = 0;
  for (const { item, key } of patched) {
    const at = originalAt.get(key);
    for (let other = others[next]; other && at !== undefined; other = others[++next]) {
      const otherAt = originalAt.get(other.key);
      if (otherAt === undefined || otherAt >= at) break;
      out.push(other.item);
    }
    out.push(item);
  }
  return [...out, ...others.slice(next).map(({ item }) => item)];
}

function positions(items: readonly JsonValue[], identity: Identity): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = identity(item);
    if (!at.has(key)) at.set(key, index);
  }
  return at;
}

const by =
  (at: ReadonlyMap<string, number>) =>
  ({ key: a }: { readonly key: string }, { key: b }: { readonly key: string }): number =>
    (at.get(a) ?? 0) - (at.get(b) ?? 0);
