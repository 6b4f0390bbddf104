import { deepEqual, isJsonArray, isJsonObject } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import { capUpdaters } from './cap-updaters.ts';
import type { TrackRequest } from './field-manager.ts';
import { isSame } from './fields/compare.ts';
import { isEmptySet, union } from './fields/field-set.ts';
import { managedFieldsOf, noOwners, ownerKey, type Owners, readOwners, withOwners } from './owners.ts';
import {
  authorOwning,
  blankObject,
  type Change,
  changeOf,
  fieldsTaken,
  ownable,
  ownersLeft,
  ownersToday,
  type Scope,
  scopeOf,
} from './ownership.ts';

/**
 * The object after a create, update or patch, with its managedFields brought up to date: who changes a field owns it, alone. `next`
 * itself when they are as they should be.
 *
 * An object that has lost its managedFields is not tracked until its next apply.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal
 */
export function trackUpdate({ resource, live, next, author }: TrackRequest): StoredObject {
  const scope = scopeOf(resource, author);
  const owners = ownersBefore(live, next, scope);
  if (owners.size === 0 && live) return withOwners(next, noOwners);
  return withOwners(next, ownersAfterUpdate(scope, owners, changeOf(scope, live ?? blankObject(scope), next)));
}

/** Those that the client sent count, if they are any good. Through a subresource they cannot be changed. */
function ownersBefore(live: StoredObject | undefined, next: StoredObject, scope: Scope): Owners {
  const stored = live && managedFieldsOf(live);
  const sent = scope.author.subresource === undefined ? managedFieldsOf(next) : undefined;
  if (sent !== undefined && !deepEqual(sent, stored)) {
    if (isJsonArray(sent) && isReset(sent)) return noOwners;
    const owners = readOwners(sent);
    if (owners && owners.size > 0) return known(scope, owners);
  }
  return known(scope, readOwners(stored) ?? noOwners);
}

/** A custom resource cannot be converted to another group: with such a manager, all are lost. */
function known({ resource: { decoding, group } }: Scope, owners: Owners): Owners {
  if (decoding === 'typed') return owners;
  const isForeign = [...owners.values()].some(({ apiVersion }) => !apiVersion.startsWith(`${group}/`));
  return isForeign ? noOwners : owners;
}

function isReset([first, ...others]: readonly unknown[]): boolean {
  if (first === undefined) return true;
  return others.length === 0 && isJsonObject(first) && Object.keys(first).length === 0;
}

/** The author owns what changed, together with what it owned before; others lose it. */
export function ownersAfterUpdate(scope: Scope, before: Owners, change: Change): Owners {
  const owners = ownersToday(before, scope);
  if (isSame(change.mine) && isSame(change.others)) return capUpdaters(owners);
  const left = ownersLeft(scope, change, { owners, taken: fieldsTaken(scope, change, { owners }) });
  const changed = ownable(union(change.mine.modified, change.mine.added));
  if (isEmptySet(changed)) return capUpdaters(left);
  const mine = authorOwning(scope, 'Update', changed);
  const key = ownerKey(mine);
  const own = left.get(key);
  return capUpdaters(new Map(left).set(key, own ? { ...mine, fields: union(own.fields, changed) } : mine));
}
