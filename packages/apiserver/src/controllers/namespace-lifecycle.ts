/** How namespaces end. @see kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion */
import { isDeleting } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import { namespaceFinalizer, namespaceParts, namespaces } from '../resources/builtin/namespace.ts';
import { type StoredObject, withFields } from '../resources/resource.ts';
import { type Spoken, spokenBy } from '../resources/spoken.ts';
import type { DelaySpan } from '../server.ts';
import type { Server } from '../server-parts.ts';
import type { Revision } from '../storage/store.ts';
import { controllerAsWriter, remove, update } from '../write/operations.ts';
import { DelayedQueue } from './delayed-queue.ts';
import { type Content, namespaceConditions } from './namespace-conditions.ts';

/** Empties terminating namespaces and lets them go. Disposing it leaves no timer. */
export const startNamespaceLifecycle = (server: Server, delayMs: DelaySpan): Disposable =>
  new NamespaceLifecycle(server, delayMs);

const manager = 'kube-controller-manager';
const spokenNamespaces = spokenBy(namespaces);

/** Whether a namespace waits for us. */
const isOurs = (object: StoredObject): boolean =>
  isDeleting(object) && (namespaceParts(object).spec.finalizers ?? []).includes(namespaceFinalizer);

class NamespaceLifecycle implements Disposable {
  readonly #server: Server;
  /** By name. */
  readonly #queue: DelayedQueue<string>;
  /** Names of the namespaces that wait for their content. */
  readonly #ending = new Set<string>();
  readonly #subscription: Disposable;

  constructor(server: Server, delayMs: DelaySpan) {
    this.#server = server;
    this.#queue = new DelayedQueue(server, delayMs, (name) => this.#step(name));
    this.#subscription = server.store.subscribe(
      (revision) => this.#changed(revision),
      () => this.#restart(),
    );
    this.#restart();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#queue[Symbol.dispose]();
  }

  #restart(): void {
    this.#queue.clear();
    this.#ending.clear();
    for (const object of this.#server.store.list(namespaces.id)) this.#look(object);
  }

  #look(object: StoredObject): void {
    const { name } = object.metadata;
    if (!isOurs(object)) return;
    this.#ending.add(name);
    this.#queue.add(name);
  }

  #changed({ resource, type, object, previous }: Revision): void {
    const { namespace, name } = object.metadata;
    if (resource === namespaces.id) {
      if (type === 'DELETED') this.#ending.delete(name);
      else if (!(previous && isDeleting(previous))) this.#look(object);
    } else if (namespace !== undefined && this.#ending.has(namespace)) {
      this.#queue.add(namespace);
    }
  }

  #step(name: string): void {
    const namespace = this.#server.store.get(namespaces.id, { name });
    if (!namespace || !isOurs(namespace)) return;
    const left = this.#deleteContent(name);
    this.#tell(name, left);
    if (left.length > 0) return;
    const writer = controllerAsWriter(this.#server, spokenNamespaces, { manager, subresource: 'finalize' });
    update(this.#server, spokenNamespaces, { name: { name }, change: withoutOurFinalizer, writer });
  }

  /** @returns what could not go at once */
  #deleteContent(namespace: string): readonly Content[] {
    const { store, resources } = this.#server;
    const left: Content[] = [];
    for (const resource of resources.all) {
      // Those that are stored under another are deleted as that.
      if (!resource.namespaced || resource.storedAs !== undefined || !resource.verbs.includes('delete')) continue;
      const objects = store.list(resource.id, namespace);
      if (objects.length === 0) continue;
      for (const object of objects) this.#delete(spokenBy(resource), object);
      const remaining = store.list(resource.id, namespace);
      if (remaining.length > 0) left.push({ resource, objects: remaining });
    }
    return left;
  }

  #delete(spoken: Spoken, { metadata: name }: StoredObject): void {
    const writer = controllerAsWriter(this.#server, spoken, { manager });
    try {
      remove(this.#server, spoken, { name, options: { propagationPolicy: 'Background' }, writer });
    } catch (error) {
      // What cannot be deleted is still there, and is told of.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #tell(name: string, left: readonly Content[]): void {
    const writer = controllerAsWriter(this.#server, spokenNamespaces, { manager, subresource: 'status' });
    const change = (live: StoredObject | undefined): StoredObject => {
      const { status } = namespaceParts(live as StoredObject);
      const conditions = namespaceConditions(status.conditions ?? [], left, writer.author.time);
      return withFields(live as StoredObject, { status: { ...status, conditions } });
    };
    update(this.#server, spokenNamespaces, { name: { name }, change, writer });
  }
}

function withoutOurFinalizer(live: StoredObject | undefined): StoredObject {
  const { spec } = namespaceParts(live as StoredObject);
  const { finalizers = [], ...rest } = spec;
  const left = finalizers.filter((name) => name !== namespaceFinalizer);
  return withFields(live as StoredObject, { spec: left.length > 0 ? { ...rest, finalizers: left } : rest });
}
