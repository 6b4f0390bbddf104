/**
 * Deletes what nobody owns any more. @see kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector
 *
 * An owner is what has the uid of the reference, under the name and kind that it says, in the namespace of the dependent or in none. What is
 * somewhere else does not count.
 */
import { hasFinalizer, isDeleting, type OwnerReference } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import {
  splitApiVersion,
  type StoredObject,
  storedUnder,
  withMetadata,
  withoutMetadata,
} from '../resources/resource.ts';
import type { DelaySpan } from '../server.ts';
import { spokenBy } from '../resources/spoken.ts';
import type { Server } from '../server-parts.ts';
import type { Revision } from '../storage/store.ts';
import type { PropagationPolicy } from '../write/delete-options.ts';
import { foregroundFinalizer, orphanFinalizer, withFinalizers } from '../write/finalizers.ts';
import { controllerAsWriter, remove, update } from '../write/operations.ts';
import { DelayedQueue } from './delayed-queue.ts';
import { find, type Found, type ObjectReference, referenceTo } from './object-reference.ts';
import { OwnerGraph, ownersOf } from './owner-graph.ts';

/** Deletes objects whose owners are all gone, and what foreground deletion waits for. Disposing it leaves no timer. */
export const startGarbageCollector = (server: Server, delayMs: DelaySpan): Disposable =>
  new GarbageCollector(server, delayMs);

/** What has become of an owner. `unknown`: its kind is not served, so nobody can tell. */
type OwnerState = 'solid' | 'dangling' | 'waiting' | 'unknown';

/** Never collected: they come and go by themselves. */
const ignored: ReadonlySet<string> = new Set(['events']);

class GarbageCollector implements Disposable {
  readonly #server: Server;
  readonly #graph = new OwnerGraph();
  readonly #queue: DelayedQueue<ObjectReference>;
  /** Those with owners of kinds that are not served. */
  readonly #unresolved = new Set<ObjectReference>();
  readonly #subscriptions: readonly Disposable[];

  constructor(server: Server, delayMs: DelaySpan) {
    this.#server = server;
    this.#queue = new DelayedQueue(server, delayMs, (reference) => this.#examine(reference));
    this.#subscriptions = [
      server.store.subscribe(
        (revision) => this.#changed(revision),
        () => this.#restart(),
      ),
      server.resources.subscribe(() => {
        for (const reference of this.#unresolved) this.#queue.add(reference);
        this.#unresolved.clear();
      }),
    ];
    this.#restart();
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#queue[Symbol.dispose]();
  }

  #restart(): void {
    const { store } = this.#server;
    this.#queue.clear();
    this.#unresolved.clear();
    this.#graph.rebuild(store);
    for (const resource of store.resources) {
      for (const object of store.list(resource)) {
        if (ownersOf(object).length > 0 || isDeleting(object)) this.#queue.add(referenceTo(resource, object));
      }
    }
  }

  #changed(revision: Revision): void {
    const { type, resource, object, previous } = revision;
    if (ignored.has(resource)) return;
    this.#graph.apply(revision);
    const owners = ownersOf(object);
    if (type === 'DELETED') {
      for (const dependent of this.#graph.dependentsOf(object)) this.#queue.add(dependent);
      this.#lookAtOwners(owners, object);
      return;
    }
    if (owners.length > 0 && owners !== ownersOf(previous)) this.#queue.add(referenceTo(resource, object));
    if (previous && ownersOf(previous) !== owners) this.#lookAtOwners(ownersOf(previous), object);
    if (isHeldByUs(object) && !(previous && isHeldByUs(previous))) {
      this.#queue.add(referenceTo(resource, object));
      if (hasFinalizer(object, foregroundFinalizer)) {
        for (const dependent of this.#graph.dependentsOf(object)) this.#queue.add(dependent);
      }
    }
  }

  /** Owners that wait for their dependents may have one less to wait for. */
  #lookAtOwners(owners: readonly OwnerReference[], dependent: StoredObject): void {
    for (const owner of owners) {
      const found = this.#owner(owner, dependent);
      if (typeof found === 'object' && isHeldByUs(found.object)) {
        this.#queue.add(referenceTo(found.spoken.resource.id, found.object));
      }
    }
  }

  #examine(reference: ObjectReference): void {
    const found = find(this.#server, reference);
    if (!found || ignored.has(found.spoken.resource.id)) return;
    try {
      this.#collect(reference, found);
    } catch (error) {
      // What cannot be written stays; the next change of it is another chance.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #collect(reference: ObjectReference, found: Found): void {
    const { object } = found;
    if (isDeleting(object)) {
      if (hasFinalizer(object, orphanFinalizer)) this.#orphan(found);
      else if (hasFinalizer(object, foregroundFinalizer)) this.#awaitDependents(found);
      return;
    }
    const owners = ownersOf(object).map((owner) => ({ owner, state: this.#stateOf(owner, object) }));
    if (owners.length === 0) return;
    if (owners.some(({ state }) => state === 'unknown')) {
      this.#unresolved.add(reference);
      return;
    }
    const solid = owners.filter(({ state }) => state === 'solid').map(({ owner }) => owner);
    if (solid.length > 0) {
      if (solid.length < owners.length) this.#write(found, (live) => withOwners(live, solid));
      return;
    }
    const dependents = this.#graph.dependentsOf(object);
    if (dependents.size === 0 || !owners.some(({ state }) => state === 'waiting')) {
      this.#remove(found, ownPolicy(object));
      return;
    }
    // Its owners wait for it, and it has to wait for its own dependents. In a circle somebody has to give way.
    if ([...dependents].some((dependent) => this.#waitsForDependents(dependent))) {
      this.#write(found, (live) => withOwners(live, ownersOf(live).map(unblocked)));
    }
    this.#remove(found, 'Foreground');
  }

  #waitsForDependents(reference: ObjectReference): boolean {
    const object = find(this.#server, reference)?.object;
    return object !== undefined && isDeleting(object) && hasFinalizer(object, foregroundFinalizer);
  }

  /** Lets the dependents of a deleted object go, and then the object. */
  #orphan(found: Found): void {
    const { uid } = found.object.metadata;
    for (const reference of [...this.#graph.dependentsOf(found.object)]) {
      const dependent = find(this.#server, reference);
      if (!dependent) continue;
      const left = ownersOf(dependent.object).filter((owner) => owner.uid !== uid);
      this.#write(dependent, (live) => withOwners(live, left));
    }
    this.#write(found, (live) => withoutFinalizer(live, orphanFinalizer));
  }

  /** The object goes when nothing that blocks it is left. */
  #awaitDependents(found: Found): void {
    const { uid } = found.object.metadata;
    const blocking = [...this.#graph.dependentsOf(found.object)].filter((reference) =>
      ownersOf(find(this.#server, reference)?.object).some(
        (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
      ),
    );
    if (blocking.length === 0) this.#write(found, (live) => withoutFinalizer(live, foregroundFinalizer));
  }

  #stateOf(owner: OwnerReference, dependent: StoredObject): OwnerState {
    const found = this.#owner(owner, dependent);
    if (found === 'unknown' || found === 'dangling') return found;
    const waits = isDeleting(found.object) && hasFinalizer(found.object, foregroundFinalizer);
    return waits && owner.blockOwnerDeletion === true ? 'waiting' : 'solid';
  }

  #owner({ apiVersion, kind, name, uid }: OwnerReference, dependent: StoredObject): Found | 'dangling' | 'unknown' {
    const { store, resources } = this.#server;
    const { group, version } = splitApiVersion(apiVersion);
    const resource = resources.byKind(group, kind);
    if (!resource?.versions.some((served) => served.name === version)) return 'unknown';
    const { namespace } = dependent.metadata;
    // An owner that lives in a namespace cannot be found from outside.
    if (resource.namespaced && namespace === undefined) return 'unknown';
    const at = { name, namespace: resource.namespaced ? namespace : undefined };
    const object = store.get(storedUnder(resource), at);
    return object?.metadata.uid === uid ? { spoken: spokenBy(resource), name: at, object } : 'dangling';
  }

  #write({ spoken, name }: Found, change: (live: StoredObject) => StoredObject): void {
    const writer = controllerAsWriter(this.#server, spoken, { manager });
    update(this.#server, spoken, { name, change: (live) => change(live as StoredObject), writer });
  }

  #remove({ spoken, name, object }: Found, propagationPolicy: PropagationPolicy): void {
    const writer = controllerAsWriter(this.#server, spoken, { manager });
    const preconditions = { uid: object.metadata.uid };
    remove(this.#server, spoken, { name, options: { propagationPolicy, preconditions }, writer });
  }
}

const manager = 'kube-controller-manager';

const isHeldByUs = (object: StoredObject): boolean =>
  isDeleting(object) && (hasFinalizer(object, orphanFinalizer) || hasFinalizer(object, foregroundFinalizer));

/** What the object itself says is to become of its dependents. */
const ownPolicy = (object: StoredObject): PropagationPolicy =>
  hasFinalizer(object, orphanFinalizer)
    ? 'Orphan'
    : hasFinalizer(object, foregroundFinalizer)
      ? 'Foreground'
      : 'Background';

const unblocked = (owner: OwnerReference): OwnerReference =>
  owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner;

const withOwners = (object: StoredObject, owners: readonly OwnerReference[]): StoredObject =>
  owners.length > 0
    ? withMetadata(object, { ownerReferences: [...owners] })
    : withoutMetadata(object, 'ownerReferences');

const withoutFinalizer = (object: StoredObject, finalizer: string): StoredObject =>
  withFinalizers(
    object,
    (object.metadata.finalizers ?? []).filter((name) => name !== finalizer),
  );
