import type { JsonObject } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import { appliedFields } from './fields/fields-of.ts';
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union } from './fields/field-set.ts';
import type { MergeType } from './fields/merge-type.ts';
import { removeFields } from './fields/remove.ts';
import { withStructs } from './fields/schema-change.ts';
import type { Owners } from './owners.ts';

/**
 * The merged object without what an applier applied before, does not apply now, and nobody else owns.
 * @param owners those after the apply
 * @param last what the applier owned before it
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go prune
 */
export function pruneLeftOut(
  type: MergeType,
  merged: StoredObject,
  { owners, key, last }: { readonly owners: Owners; readonly key: string; readonly last: FieldSet | undefined },
): StoredObject {
  const applied = owners.get(key)?.fields ?? emptySet;
  if (last === undefined || isEmptySet(difference(last, applied))) return merged;

  const fieldsOf = (object: JsonObject): FieldSet => withStructs(type, appliedFields(type, object));
  const before = withStructs(type, last);
  const all = fieldsOf(merged);
  const owned = withStructs(
    type,
    [...owners.values()].reduce((set, { fields }) => union(set, fields), emptySet),
  );
  // All of it goes first, with whatever is below; what others own comes back, and then what nobody ever owned.
  const bare = fieldsOf(removeFields(type, merged, before));
  const withOwned = removeFields(type, merged, difference(all, union(bare, owned)));
  const gone = difference(all, fieldsOf(withOwned));
  return removeFields(type, merged, intersection(gone, before)) as StoredObject;
}
