import { fetchOver, type Kind, type KubeObject, type ObjectName, type Transport } from '@lifeline/core';
import { startGarbageCollector } from './controllers/garbage-collector.ts';
import { startNamespaceLifecycle } from './controllers/namespace-lifecycle.ts';
import { exchangeWith } from './http/exchange.ts';
import { WatchHub } from './read/watch-hub.ts';
import { builtinResources } from './resources/builtin/index.ts';
import { serveCustomResources } from './resources/custom-resources.ts';
import { createResourceRegistry } from './resources/resource-registry.ts';
import { resourceId } from './resources/resource.ts';
import type { ApiServer, ApiServerOptions, Replica } from './server.ts';
import type { Server } from './server-parts.ts';
import { createMemoryStore } from './storage/memory-store.ts';
import type { Revision, Snapshot } from './storage/store.ts';

/** One control plane, in process. Dispose it when done: it holds timers while watches are open. */
export const createApiServer = (options: ApiServerOptions): ApiServer => new InProcessServer(options);

class InProcessServer implements ApiServer {
  readonly transport: Transport;
  readonly fetch: typeof fetch;
  readonly #server: Server;
  readonly #parts: readonly Disposable[];

  constructor({
    clock,
    random,
    rbac = false,
    basePath = '',
    historyLimit = 10_000,
    controllers = true,
  }: ApiServerOptions) {
    const store = createMemoryStore(historyLimit);
    const watches = new WatchHub(store);
    const view = { watches, horizon: () => store.revision };
    this.#server = { clock, random, store, resources: createResourceRegistry(builtinResources), view };
    this.#parts = [
      serveCustomResources(this.#server),
      ...(controllers ? [startGarbageCollector(this.#server), startNamespaceLifecycle(this.#server)] : []),
      watches,
    ];
    this.transport = exchangeWith(this.#server, { basePath, rbac });
    this.fetch = fetchOver(this.transport);
  }

  get revision(): number {
    return this.#server.store.revision;
  }

  get openWatches(): number {
    return this.#server.view.watches.size;
  }

  get<T extends KubeObject>({ group, plural }: Kind<T>, name: ObjectName): T | undefined {
    return this.#server.store.get(resourceId(group, plural), name) as T | undefined;
  }

  objects<T extends KubeObject>({ group, plural }: Kind<T>): readonly T[] {
    return this.#server.store.list(resourceId(group, plural)) as unknown as readonly T[];
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
    this.#server.store.restore(snapshot);
    this.endWatches({ error: new Error('the plane was restored from a backup') });
  }

  endWatches({ kind, error }: { readonly kind?: Kind; readonly error?: Error } = {}): void {
    this.#server.view.watches.end(kind && resourceId(kind.group, kind.plural), error);
  }

  replica(): Replica {
    return { transport: this.transport, freeze: () => undefined, thaw: () => undefined };
  }

  [Symbol.dispose](): void {
    for (const part of this.#parts) part[Symbol.dispose]();
  }
}
