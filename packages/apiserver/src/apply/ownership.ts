/** What a change of an object does to the owners of its fields. */
import { zeroMessage } from '../schema/empty-value.ts';
import { apiVersionOf, type Resource, type StoredObject } from '../resources/resource.ts';
import type { Author } from './field-manager.ts';
import { comparedWithout, compareObjects, type Comparison } from './fields/compare.ts';
import { difference, type FieldSet, intersection, isEmptySet, setOf, union } from './fields/field-set.ts';
import { mergeTypeOf, type MergeType } from './fields/merge-type.ts';
import { fitToSchema } from './fields/schema-change.ts';
import { type Operation, type Owner, type Owners, owning } from './owners.ts';
import { resetFields } from './reset-fields.ts';

/** Fields that never have an owner. @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/stripmeta.go */
const ownerless = setOf(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
);

export const ownable = (fields: FieldSet): FieldSet => difference(fields, ownerless);

/** What is the same for everything that one request does. */
export interface Scope {
  readonly resource: Resource;
  readonly author: Author;
  readonly type: MergeType;
  /** Trees that the request cannot change. */
  readonly reset: FieldSet;
}

export const scopeOf = (resource: Resource, author: Author): Scope => ({
  resource,
  author,
  type: mergeTypeOf(resource),
  reset: resetFields(resource, author.subresource),
});

/** What an object is before anything is said: built-in kinds have their structs already. */
export function blankObject({ resource, author }: Scope): StoredObject {
  const { kind, messageType } = resource;
  const head = { apiVersion: author.apiVersion, kind };
  return { ...head, metadata: {}, ...(messageType && zeroMessage(messageType)) } as unknown as StoredObject;
}

/** The author as an owner of these fields. */
export const authorOwning = ({ author }: Scope, operation: Operation, fields: FieldSet): Owner => ({
  // A manager without a name is this one.
  manager: author.manager || 'unknown',
  operation,
  apiVersion: author.apiVersion,
  subresource: author.subresource ?? '',
  time: author.time,
  fields,
});

/** Owners whose sets are of today's schema; those who wrote in a version that is no longer served are forgotten. */
export function ownersToday(owners: Owners, { resource, type }: Scope): Owners {
  let out: Map<string, Owner> | undefined;
  for (const [key, owner] of owners) {
    const fields = fitToSchema(type, owner.fields);
    if (fields === owner.fields && isServed(resource, owner.apiVersion)) continue;
    out ??= new Map(owners);
    if (isServed(resource, owner.apiVersion)) out.set(key, { ...owner, fields });
    else out.delete(key);
  }
  return out ?? owners;
}

/** Events have two groups. */
const alsoServed: Readonly<Record<string, string>> = { events: 'events.k8s.io/v1', 'events.events.k8s.io': 'v1' };

const isServed = (resource: Resource, apiVersion: string): boolean =>
  alsoServed[resource.id] === apiVersion ||
  resource.versions.some(({ name }) => apiVersionOf(resource, name) === apiVersion);

/** What a request changes, as far as it counts. */
export interface Change {
  /** For the author, and for all who wrote in its version. */
  readonly mine: Comparison;
  /** For who wrote in another version. */
  readonly others: Comparison;
}

/**
 * What of a custom resource cannot be changed is forgotten where owners wrote in another version than the request: they lose, or fight
 * for, parts of the status that stay as they are.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go resetFields
 */
export function changeOf({ resource, author, type, reset }: Scope, before: StoredObject, after: StoredObject): Change {
  const all = compareObjects(type, before, after);
  const mine = comparedWithout(all, reset);
  return { mine, others: resource.decoding === 'typed' || author.subresource !== undefined ? mine : all };
}

const comparisonFor = ({ author }: Scope, { mine, others }: Change, { apiVersion }: Owner): Comparison =>
  apiVersion === author.apiVersion ? mine : others;

/** Fields of others that a change touches. */
export interface Taken {
  readonly key: string;
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** @param applier does not take anything from itself */
export function fieldsTaken(scope: Scope, change: Change, { owners, applier }: Affected): readonly Taken[] {
  return [...owners].flatMap(([key, owner]) => {
    if (key === applier) return [];
    const { added, modified } = comparisonFor(scope, change, owner);
    const fields = union(intersection(owner.fields, modified), intersection(owner.fields, added));
    return isEmptySet(fields) ? [] : [{ key, owner, fields }];
  });
}

export interface Affected {
  readonly owners: Owners;
  /** The key of who applies. */
  readonly applier?: string | undefined;
}

/** The owners without what was taken from them, and without what is gone. Who has nothing left is no owner. */
export function ownersLeft(
  scope: Scope,
  change: Change,
  { owners, applier, taken }: Affected & { readonly taken: readonly Taken[] },
): Owners {
  const out = new Map(owners);
  for (const { key, owner, fields } of taken) out.set(key, owning(owner, difference(owner.fields, fields)));
  for (const [key, owner] of out) {
    const { removed } = comparisonFor(scope, change, owner);
    const left = key === applier ? owner : owning(owner, difference(owner.fields, removed));
    if (isEmptySet(left.fields)) out.delete(key);
    else if (left !== owner) out.set(key, left);
  }
  return out;
}
