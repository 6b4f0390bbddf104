import { fetchOver, formatTime, type Kind, type KubeObject, type ObjectName, type Transport } from '@lifeline/core';
import { authenticateWith } from './auth/authenticate.ts';
import { startGarbageCollector } from './controllers/garbage-collector.ts';
import { startNamespaceLifecycle } from './controllers/namespace-lifecycle.ts';
import { auditIds } from './http/audit-ids.ts';
import { type ExchangeOptions, exchangeWith } from './http/exchange.ts';
import { listen, type Listening, type ListenOptions } from './http/listen.ts';
import { View } from './read/view.ts';
import { builtinResources } from './resources/builtin/index.ts';
import { initialNamespaces, namespaces } from './resources/builtin/namespace.ts';
import { serveCustomResources } from './resources/custom-resources.ts';
import { installKinds } from './resources/install-kinds.ts';
import { createResourceRegistry } from './resources/resource-registry.ts';
import { resourceId, type ResourceId, type StoredObject } from './resources/resource.ts';
import type { ApiServer, ApiServerOptions, DelaySpan, Replica } from './server.ts';
import type { Server } from './server-parts.ts';
import { createMemoryStore } from './storage/memory-store.ts';
import type { Revision, Snapshot } from './storage/store.ts';

/** One control plane, in process. Dispose it when done: open watches, and controllers at work, hold timers. */
export const createApiServer = (options: ApiServerOptions): ApiServer => new InProcessServer(options);

const stepMs: DelaySpan = [0, 20];
const defaults = { historyLimit: 10_000, bookmarkEveryMs: 60_000, collectorDelayMs: stepMs, namespaceDelayMs: stepMs };

class InProcessServer implements ApiServer {
  readonly transport: Transport;
  readonly fetch: typeof fetch;
  readonly #server: Server;
  readonly #bookmarkEveryMs: number;
  readonly #exchange: ExchangeOptions;
  /** Through which requests read: the plane's own, then those of its replicas. */
  readonly #views: View[];
  readonly #parts: readonly Disposable[];

  constructor(options: ApiServerOptions) {
    const { clock, random, kinds = [], tokens = [], rbac = false, basePath = '', controllers = true } = options;
    const { historyLimit = defaults.historyLimit, bookmarkEveryMs = defaults.bookmarkEveryMs } = options;
    const { collectorDelayMs = defaults.collectorDelayMs, namespaceDelayMs = defaults.namespaceDelayMs } = options;
    const store = createMemoryStore(historyLimit);
    const view = new View({ clock, store, bookmarkEveryMs });
    const resources = createResourceRegistry(builtinResources);
    this.#server = { clock, random, store, resources, view, rbac };
    this.#bookmarkEveryMs = bookmarkEveryMs;
    this.#views = [view];
    const now = formatTime(clock.now());
    for (const namespace of initialNamespaces({ now, uid: () => random.uuid() })) {
      store.put(namespaces.id, namespace, undefined);
    }
    installKinds(this.#server, kinds);
    this.#parts = [
      serveCustomResources(this.#server),
      ...(controllers
        ? [
            startGarbageCollector(this.#server, collectorDelayMs),
            startNamespaceLifecycle(this.#server, namespaceDelayMs),
          ]
        : []),
      resources.subscribe((id, resource) => {
        if (!resource) for (const each of this.#views) each.watches.end(id);
      }),
    ];
    const authenticate = authenticateWith(tokens);
    this.#exchange = { basePath, authenticate, withoutCredentials: 'admin', auditId: auditIds(random) };
    this.transport = exchangeWith(this.#server, this.#exchange);
    this.fetch = fetchOver(this.transport);
  }

  get revision(): number {
    return this.#server.store.revision;
  }

  get openWatches(): number {
    return this.#views.reduce((sum, { watches }) => sum + watches.size, 0);
  }

  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName): T | undefined {
    const { id, read } = this.#stored(kind);
    const object = this.#server.store.get(id, name);
    return object && (read(object) as KubeObject as T);
  }

  objects<T extends KubeObject>(kind: Kind<T>): readonly T[] {
    const { id, read } = this.#stored(kind);
    const objects = this.#server.store.list(id);
    return (read === asItIs ? objects : objects.map(read)) as unknown as readonly T[];
  }

  /** Where the objects of a kind are, and how they are read: Events have one store and two forms. */
  #stored({ group, plural }: Kind): { readonly id: ResourceId; readonly read: (object: StoredObject) => StoredObject } {
    const resource = this.#server.resources.byPlural(group, plural);
    return { id: resource?.storedAs ?? resourceId(group, plural), read: resource?.fromStored ?? asItIs };
  }

  tap(listener: (revision: Revision) => void): Disposable {
    return this.#server.store.subscribe(listener);
  }

  compact(): void {
    this.#server.store.compact();
  }

  snapshot(): Snapshot {
    return this.#server.store.snapshot();
  }

  restore(snapshot: Snapshot): void {
    // First, so that none ends cleanly because what it watches is no longer served.
    this.endWatches({ error: new Error('the plane was restored from a backup') });
    this.#server.store.restore(snapshot);
  }

  endWatches({ kind, error }: { readonly kind?: Kind; readonly error?: Error } = {}): void {
    for (const { watches } of this.#views) watches.end(kind && this.#stored(kind).id, error);
  }

  replica(): Replica {
    const { clock, store } = this.#server;
    const view = new View({ clock, store, bookmarkEveryMs: this.#bookmarkEveryMs });
    this.#views.push(view);
    const server = { ...this.#server, view };
    return {
      transport: exchangeWith(server, this.#exchange),
      listen: (options) => this.#listen(server, options),
      freeze: (kind) => view.freeze(kind && this.#stored(kind).id),
      thaw: () => view.thaw(),
    };
  }

  listen(options?: ListenOptions): Promise<Listening> {
    return this.#listen(this.#server, options);
  }

  #listen(server: Server, options: ListenOptions = {}): Promise<Listening> {
    const overNetwork = exchangeWith(server, { ...this.#exchange, withoutCredentials: 'refused' });
    return listen(overNetwork, options, this.#exchange.basePath);
  }

  [Symbol.dispose](): void {
    for (const part of [...this.#parts, ...this.#views]) part[Symbol.dispose]();
  }
}

const asItIs = (object: StoredObject): StoredObject => object;
