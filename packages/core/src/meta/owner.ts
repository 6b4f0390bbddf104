/** Owner references: who an object belongs to, by uid. */
import type { KubeObject, OwnerReference } from './object.ts';

interface Owned {
  readonly metadata: { readonly ownerReferences?: readonly OwnerReference[] | null | undefined };
}

/** What an owner is to the object, beside owning it. */
export interface OwnerOptions {
  /** The one owner that manages the object. Default false. */
  readonly controller?: boolean | undefined;
  /** A foreground deletion of the owner waits for the object. Default false. */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** A reference to `owner`, which must have been read from a server (it needs a uid). @throws TypeError without a uid */
export function ownerReferenceTo(
  owner: KubeObject,
  { controller, blockOwnerDeletion }: OwnerOptions = {},
): OwnerReference {
  const { name, uid } = owner.metadata;
  if (!uid) throw new TypeError(`${owner.kind} ${name} has no uid to refer to`);
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    ...(controller ? { controller } : {}),
    ...(blockOwnerDeletion ? { blockOwnerDeletion } : {}),
  };
}

/** The reference marked as controller, if any. */
export const controllerOf = ({ metadata }: Owned): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Whether an owner with this uid is among the references. */
export const isOwnedBy = ({ metadata }: Owned, uid: string): boolean =>
  metadata.ownerReferences?.some((reference) => reference.uid === uid) === true;

/** Whether the controller among the references has this uid. */
export const isControlledBy = (object: Owned, uid: string): boolean => controllerOf(object)?.uid === uid;

/**
 * The references with this one, by uid: replaced when it differs, else added; others untouched and in order. The same array when
 * nothing changes.
 */
export function withOwnerReference(
  references: readonly OwnerReference[] | null | undefined,
  reference: OwnerReference,
): readonly OwnerReference[] {
  const present = references ?? [];
  const old = present.find(({ uid }) => uid === reference.uid);
  if (!old) return [...present, reference];
  if (sameReference(old, reference)) return present;
  return present.map((entry) => (entry === old ? reference : entry));
}

const sameReference = (a: OwnerReference, b: OwnerReference): boolean =>
  a.apiVersion === b.apiVersion &&
  a.kind === b.kind &&
  a.name === b.name &&
  (a.controller ?? false) === (b.controller ?? false) &&
  (a.blockOwnerDeletion ?? false) === (b.blockOwnerDeletion ?? false);
