import { deepEqual, sameValue } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import { checkConfiguration } from './configuration.ts';
import { applyConflict } from './conflicts.ts';
import type { ApplyRequest } from './field-manager.ts';
import { appliedFields } from './fields/fields-of.ts';
import { isEmptySet, withoutTrees } from './fields/field-set.ts';
import { mergeObjects } from './fields/merge.ts';
import { conflictsToSettle, keepLastApplied } from './last-applied.ts';
import { managedFieldsOf, noOwners, type Owner, ownerKey, type Owners, readOwners, withOwners } from './owners.ts';
import {
  authorOwning,
  blankObject,
  changeOf,
  fieldsTaken,
  ownable,
  ownersLeft,
  ownersToday,
  type Scope,
  scopeOf,
} from './ownership.ts';
import { pruneLeftOut } from './prune.ts';
import { ownersAfterUpdate } from './track.ts';

/**
 * The object after a server-side apply, managedFields included; `live` itself when nothing changes. Not defaulted yet: what the
 * applier no longer applies is gone, and gets its default back.
 * @throws ApiError 409 with causes `FieldManagerConflict`; 400 for what is no configuration of this resource; 500, as on a real server,
 *   for one that is not of its type
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields, kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go
 */
export function applyConfiguration(request: ApplyRequest): StoredObject {
  const { resource, live, applied, author } = request;
  const scope = scopeOf(resource, author);
  checkConfiguration(scope, applied);
  const before: Before = { live: live ?? blankObject(scope), owners: ownersBefore(scope, live) };
  const { object, owners } = apply(scope, before, request);
  const next = withOwners(object, owners);
  return keepLastApplied(scope, next, applied);
}

interface Before {
  readonly live: StoredObject;
  readonly owners: Owners;
}

/** An object that nobody owns anything of belongs to whoever was there before the first apply. */
function ownersBefore(scope: Scope, live: StoredObject | undefined): Owners {
  if (!live) return noOwners;
  const owners = readOwners(managedFieldsOf(live)) ?? noOwners;
  if (owners.size > 0) return ownersToday(owners, scope);
  const earlier = { ...scope, author: { ...scope.author, manager: 'before-first-apply' } };
  return ownersAfterUpdate(earlier, noOwners, changeOf(earlier, blankObject(earlier), live));
}

interface After {
  readonly object: StoredObject;
  readonly owners: Owners;
}

function apply(scope: Scope, { live, owners }: Before, { applied, force }: ApplyRequest): After {
  const { type, reset } = scope;
  const mine = authorOwning(scope, 'Apply', withoutTrees(appliedFields(type, applied), reset));
  const key = ownerKey(mine);
  const last = owners.get(key);
  const withMine = new Map(owners).set(key, mine);

  const merged = mergeObjects(type, live, applied) as StoredObject;
  const object = pruneLeftOut(type, merged, { owners: withMine, key, last: last?.fields });
  const change = changeOf(scope, live, object);

  const affected = { owners: withMine, applier: key };
  const taken = fieldsTaken(scope, change, affected);
  if (taken.length > 0 && !force) {
    const conflicts = conflictsToSettle(scope, taken, live);
    if (conflicts.length > 0) throw applyConflict(conflicts);
  }
  const left = ownersLeft(scope, change, { ...affected, taken });
  const isSame = object === live || deepEqual(live, object, sameValue);
  return { object: isSame ? live : object, owners: withApplier(left, key, { mine, last, isSame }) };
}

/** With the applier as it is now. It keeps its time when the object did not change: no time at all, when it is new. */
function withApplier(owners: Owners, key: string, { mine, last, isSame }: Applier): Owners {
  const fields = ownable(mine.fields);
  const out = new Map(owners);
  if (isEmptySet(fields)) out.delete(key);
  else if (isSame && last?.apiVersion === mine.apiVersion && deepEqual(last.fields, fields)) out.set(key, last);
  else out.set(key, { ...mine, fields, time: isSame ? last?.time : mine.time });
  return out;
}

interface Applier {
  readonly mine: Owner;
  readonly last: Owner | undefined;
  readonly isSame: boolean;
}
