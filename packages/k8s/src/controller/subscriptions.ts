/** Connects a controller's watches with every cluster that is engaged. */
import type { Cluster } from '../fleet/cluster.ts';
import type { Turn } from './floor.ts';
import type { ReconcileRequest } from './request.ts';
import type { Enqueue, Watch } from './watch.ts';

export interface SubscriptionsOptions {
  readonly watches: readonly Watch[];
  readonly enqueue: Enqueue;
  /** No engaged cluster of any watched plane has this name any more. */
  readonly gone: (cluster: string) => void;
}

interface Subscription extends Disposable {
  readonly cluster: Cluster;
  readonly watches: readonly Watch[];
}

/** Subscribes each watch to each cluster of its plane, from the cluster's engagement to its end. */
export class Subscriptions implements Disposable {
  readonly #options: SubscriptionsOptions;
  /** By the cluster's name, which planes may share. */
  readonly #engaged = new Map<string, Set<Subscription>>();
  readonly #providers = new DisposableStack();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    for (const provider of new Set(options.watches.map((watch) => watch.provider))) {
      const watches = options.watches.filter((watch) => watch.provider === provider);
      this.#providers.use(provider.subscribe((cluster) => this.#engage(cluster, watches)));
    }
  }

  /** The lives of the engaged clusters with this name. */
  lives(name: string): readonly AbortSignal[] {
    return Array.from(this.#engaged.get(name) ?? [], ({ cluster }) => cluster.signal);
  }

  /** The requests of all cached objects that have their turn. */
  *requests(hasTurn: Turn): Iterable<ReconcileRequest> {
    for (const { cluster, watches } of this.#all()) {
      for (const watch of watches) yield* watch.requests(cluster, (key) => hasTurn(cluster.name, key));
    }
  }

  [Symbol.dispose](): void {
    this.#providers.dispose();
    for (const subscription of [...this.#all()]) subscription[Symbol.dispose]();
  }

  #engage(cluster: Cluster, watches: readonly Watch[]): void {
    if (cluster.signal.aborted) return;
    const parts = new DisposableStack();
    const subscription: Subscription = { cluster, watches, [Symbol.dispose]: () => parts.dispose() };
    const onEnd = (): void => {
      parts.dispose();
      if (!this.#engaged.has(cluster.name)) this.#options.gone(cluster.name);
    };
    this.#enter(subscription);
    parts.defer(() => this.#leave(subscription));
    cluster.signal.addEventListener('abort', onEnd, { once: true });
    parts.defer(() => cluster.signal.removeEventListener('abort', onEnd));
    for (const watch of watches) parts.use(watch.subscribe(cluster, this.#options.enqueue));
  }

  #enter(subscription: Subscription): void {
    const namesakes = this.#engaged.get(subscription.cluster.name) ?? new Set();
    this.#engaged.set(subscription.cluster.name, namesakes.add(subscription));
  }

  #leave(subscription: Subscription): void {
    const namesakes = this.#engaged.get(subscription.cluster.name);
    namesakes?.delete(subscription);
    if (namesakes?.size === 0) this.#engaged.delete(subscription.cluster.name);
  }

  *#all(): Iterable<Subscription> {
    for (const namesakes of this.#engaged.values()) yield* namesakes;
  }
}
