/** What one server serves: the built-in resources, shared by all servers, and those that came as CustomResourceDefinitions. */
import type { ResourceRegistry } from '../server-parts.ts';
import { type Resource, resourceId, type ResourceId } from './resource.ts';

type Listener = (id: ResourceId, now: Resource | undefined) => void;

/** @param builtin resources that every server has; the same array gives one shared index */
export const createResourceRegistry = (builtin: readonly Resource[]): ResourceRegistry => new Registry(builtin);

/** Resources found by id, and by group and kind. */
class ResourceIndex {
  readonly byId = new Map<ResourceId, Resource>();
  readonly byKind = new Map<string, Resource>();

  /** One of the same id keeps its place. */
  set(resource: Resource): void {
    this.#forgetKind(resource.id);
    this.byId.set(resource.id, resource);
    this.byKind.set(kindKey(resource.group, resource.kind), resource);
  }

  delete(id: ResourceId): void {
    this.#forgetKind(id);
    this.byId.delete(id);
  }

  #forgetKind(id: ResourceId): void {
    const old = this.byId.get(id);
    const key = old && kindKey(old.group, old.kind);
    if (key !== undefined && this.byKind.get(key) === old) this.byKind.delete(key);
  }
}

class Registry implements ResourceRegistry {
  readonly #builtin: ResourceIndex;
  readonly #custom = new ResourceIndex();
  readonly #listeners = new Set<Listener>();

  constructor(builtin: readonly Resource[]) {
    this.#builtin = indexOf(builtin);
  }

  get all(): Iterable<Resource> {
    return [...this.#builtin.byId.values(), ...this.#custom.byId.values()];
  }

  byId(id: ResourceId): Resource | undefined {
    return this.#builtin.byId.get(id) ?? this.#custom.byId.get(id);
  }

  byPlural(group: string, plural: string): Resource | undefined {
    return this.byId(resourceId(group, plural));
  }

  byKind(group: string, kind: string): Resource | undefined {
    const key = kindKey(group, kind);
    return this.#builtin.byKind.get(key) ?? this.#custom.byKind.get(key);
  }

  set(resource: Resource): void {
    this.#custom.set(resource);
    this.#tell(resource.id, resource);
  }

  delete(id: ResourceId): void {
    if (!this.#custom.byId.has(id)) return;
    this.#custom.delete(id);
    this.#tell(id, undefined);
  }

  subscribe(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #tell(id: ResourceId, now: Resource | undefined): void {
    for (const listener of this.#listeners) listener(id, now);
  }
}

const kindKey = (group: string, kind: string): string => `${group}/${kind}`;

const indexes = new WeakMap<readonly Resource[], ResourceIndex>();

function indexOf(resources: readonly Resource[]): ResourceIndex {
  let index = indexes.get(resources);
  if (!index) {
    indexes.set(resources, (index = new ResourceIndex()));
    for (const resource of resources) index.set(resource);
  }
  return index;
}
