/** Serves what the CustomResourceDefinitions in the store say, for as long as they say so, and writes their status. */
import { type DurationMs, formatTime, hasFinalizer, isDeleting } from '@lifeline/core';
import { trackUpdate } from '../apply/track.ts';
import type { Server } from '../server-parts.ts';
import type { Revision } from '../storage/store.ts';
import { controllerAsWriter, remove } from '../write/operations.ts';
import { customResourceDefinitions } from './builtin/custom-resource-definition.ts';
import { withCondition } from './crd/conditions.ts';
import { customResource, terminatingResource } from './crd/custom-resource.ts';
import { decideStatus } from './crd/decide-status.ts';
import { asDefinition, asObject, type Definition, type DefinitionCondition, isTrue } from './crd/definition.ts';
import { cleanupFinalizer } from './crd-strategy.ts';
import { type Resource, type ResourceId, type StoredObject, withMetadata } from './resource.ts';
import { spokenBy } from './spoken.ts';

export const definitionsId = 'customresourcedefinitions.apiextensions.k8s.io';

/** Disposing it stops everything, and leaves no timer. */
export const serveCustomResources = (server: Server): Disposable => new CustomResources(server);

/** The server itself. */
const manager = 'kube-apiserver';

/** How long a real server takes for one step: 2 to 10 ms. */
const step = { leastMs: 2, spreadMs: 8 };

/** How often a real server looks whether the objects of a deleted definition are gone. */
const pollMs = 5_000;

class CustomResources implements Disposable {
  readonly #server: Server;
  readonly #life = new AbortController();
  readonly #subscription: Disposable;
  /** Names of the definitions that somebody is at work on. */
  readonly #busy = new Set<string>();

  constructor(server: Server) {
    this.#server = server;
    const changed = ({ resource, type, object }: Revision): void => {
      if (resource !== definitionsId) return;
      const { spec, metadata } = asDefinition(object);
      if (type === 'DELETED') server.resources.delete(metadata.name);
      else this.#serve(asDefinition(object));
      // Names may have come free.
      for (const each of this.#all()) if (each.spec.group === spec.group) this.#settle(each.metadata.name);
    };
    this.#subscription = server.store.subscribe(changed, () => this.#serveAll());
    this.#serveAll();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#life.abort();
  }

  #all(): readonly Definition[] {
    return this.#server.store.list(definitionsId).map(asDefinition);
  }

  #stored(name: string): Definition | undefined {
    const object = this.#server.store.get(definitionsId, { name });
    return object && asDefinition(object);
  }

  #serveAll(): void {
    const { resources } = this.#server;
    for (const { id, decoding } of [...resources.all]) {
      if (decoding === 'structural' && !this.#stored(id)) resources.delete(id);
    }
    for (const definition of this.#all()) {
      this.#serve(definition);
      this.#settle(definition.metadata.name);
    }
  }

  /** A definition that changes ends the watches on what it described before. */
  #serve(definition: Definition): void {
    const { resources } = this.#server;
    const old = resources.byId(definition.metadata.name);
    const next = servedBy(definition);
    if (old === next) return;
    if (old && next !== terminatingResource(old)) resources.delete(old.id);
    if (old && next && old.schema !== next.schema) this.#reshape(next);
    if (next) resources.set(next);
  }

  /** What is stored is read by the schema of now. */
  #reshape({ id, schema }: Resource): void {
    this.#server.store.reshape(id, (object) => schema.applyDefaults(schema.prune(object)) as StoredObject);
  }

  /** Sees to it that somebody works on a definition for as long as there is something to do. */
  #settle(name: string): void {
    const definition = this.#stored(name);
    if (!definition || this.#busy.has(name) || !this.#hasWork(definition)) return;
    this.#busy.add(name);
    void this.#work(name).catch((error: unknown) => {
      if (!this.#life.signal.aborted) throw error;
    });
  }

  #hasWork(definition: Definition): boolean {
    return awaitsCleanup(definition) || this.#decide(definition) !== undefined;
  }

  async #work(name: string): Promise<void> {
    const { clock } = this.#server;
    try {
      let waitMs: DurationMs | undefined = this.#drawStep();
      while (waitMs !== undefined) {
        await clock.sleep(waitMs, this.#life.signal);
        waitMs = this.#step(name);
      }
    } finally {
      this.#busy.delete(name);
    }
  }

  #drawStep(): DurationMs {
    return step.leastMs + this.#server.random.next() * step.spreadMs;
  }

  /** Writes at most once per object. @returns how long until the next step; undefined: there is none */
  #step(name: string): DurationMs | undefined {
    const definition = this.#stored(name);
    if (!definition) return undefined;
    if (awaitsCleanup(definition)) return this.#cleanUp(definition);
    const next = this.#decide(definition);
    if (!next) return undefined;
    const stored = this.#writeStatus(definition, next);
    return this.#hasWork(asDefinition(stored)) ? this.#drawStep() : undefined;
  }

  #writeStatus(definition: Definition, next: Definition): StoredObject {
    const resource = customResourceDefinitions;
    const { author } = controllerAsWriter(this.#server, spokenBy(resource), { manager, subresource: 'status' });
    const live = asObject(definition);
    return this.#server.store.put(definitionsId, trackUpdate({ resource, live, next: asObject(next), author }), live);
  }

  #decide(definition: Definition): Definition | undefined {
    const { spec, metadata } = definition;
    const others = (): readonly Definition[] =>
      this.#all().filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name);
    return decideStatus(definition, { others, now: this.#now });
  }

  #cleanUp(definition: Definition): DurationMs | undefined {
    const { store } = this.#server;
    const object = asObject(definition);
    const marked = withCondition(definition, deleting, this.#now);
    if (marked !== definition) {
      this.#writeStatus(definition, marked);
      return this.#drawStep();
    }
    const { name, finalizers } = definition.metadata;
    if (isTrue(definition, 'Established') && !this.#empty(name)) return pollMs;
    const left = finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer) ?? [];
    if (left.length === 0) store.remove(definitionsId, object);
    else store.put(definitionsId, withMetadata(object, { finalizers: left }), object);
    return undefined;
  }

  /** Deletes the objects of a definition, as far as their finalizers let them go. @returns whether none is left */
  #empty(id: ResourceId): boolean {
    const { store, resources } = this.#server;
    const resource = resources.byId(id);
    if (!resource) return store.list(id).length === 0;
    const spoken = spokenBy(resource);
    const writer = controllerAsWriter(this.#server, spoken, { manager });
    for (const { metadata: name } of store.list(id)) remove(this.#server, spoken, { name, options: {}, writer });
    return store.list(id).length === 0;
  }

  get #now(): string {
    return formatTime(this.#server.clock.now());
  }
}

const deleting: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const awaitsCleanup = (definition: Definition): boolean =>
  isDeleting(definition) && hasFinalizer(definition, cleanupFinalizer);

/** Undefined: nothing is served yet, or any more. */
function servedBy(definition: Definition): Resource | undefined {
  const { spec } = definition;
  if (!isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) return undefined;
  if (!spec.versions?.some(({ served }) => served)) return undefined;
  const resource = customResource(spec);
  return isTrue(definition, 'Terminating') ? terminatingResource(resource) : resource;
}
