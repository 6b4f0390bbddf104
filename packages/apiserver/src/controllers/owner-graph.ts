/** Who depends on whom, by the uids in owner references. */
import type { OwnerReference } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import type { Revision, Store } from '../storage/store.ts';
import { type ObjectReference, referenceTo } from './object-reference.ts';

const none: ReadonlySet<ObjectReference> = new Set();

export class OwnerGraph {
  readonly #dependents = new Map<string, Set<ObjectReference>>();

  /** Forgets everything and takes in what a store holds. */
  rebuild(store: Store): void {
    this.#dependents.clear();
    for (const resource of store.resources) {
      for (const object of store.list(resource)) this.#link(referenceTo(resource, object), ownersOf(object));
    }
  }

  /** Takes in a change. */
  apply({ type, resource, object, previous }: Revision): void {
    const before = ownersOf(previous);
    const after = type === 'DELETED' ? [] : ownersOf(object);
    if (before === after) return;
    const reference = referenceTo(resource, object);
    for (const { uid } of before) this.#unlink(reference, uid);
    this.#link(reference, after);
  }

  dependentsOf({ metadata: { uid = '' } }: StoredObject): ReadonlySet<ObjectReference> {
    return this.#dependents.get(uid) ?? none;
  }

  #link(reference: ObjectReference, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      let dependents = this.#dependents.get(uid);
      if (!dependents) this.#dependents.set(uid, (dependents = new Set()));
      dependents.add(reference);
    }
  }

  #unlink(reference: ObjectReference, uid: string): void {
    const dependents = this.#dependents.get(uid);
    dependents?.delete(reference);
    if (dependents?.size === 0) this.#dependents.delete(uid);
  }
}

const noOwners: readonly OwnerReference[] = [];

export const ownersOf = (object: StoredObject | undefined): readonly OwnerReference[] =>
  object?.metadata.ownerReferences ?? noOwners;
