/** Feeds an index from the caches of its cluster. */
import { type KubeObject, keyOf } from '@lifeline/core';
import type { Cluster, ClusterProvider, Env, HealthState, Informer, ObjectEvent } from '@lifeline/k8s';
import type { EdgeIndex } from './edge-index.ts';
import { indexMetrics, type IndexMetrics } from './index-metrics.ts';
import { LiveIndex, type LiveIndexOptions } from './live-index.ts';
import { edgeCaches, type EdgeCaches, type ReadSettings } from './reads.ts';
import { TruthAge } from './truth-age.ts';

export interface EdgeIndexFeedOptions extends Omit<LiveIndexOptions, 'clock'>, ReadSettings {
  readonly env: Pick<Env, 'clock' | 'metrics'>;
  /** The edge: a provider of exactly one cluster, which is engaged once. */
  readonly edge: ClusterProvider;
}

export interface EdgeIndexFeed extends Disposable {
  readonly index: EdgeIndex;
  /** Whether the index is synced and every watch that it lives on is heard. A watch that is heard again makes it ready again. */
  health(): HealthState;
}

/**
 * Feeds a new index from when the edge is engaged until disposed, and shows its metrics and the age of the truth.
 *
 * Guarantees: the index is synced when every kind was listed to its end and each object was told. When the edge goes, or falls silent, the
 * index stays as it is. Nothing waits for the watermark.
 */
export function feedEdgeIndex(options: EdgeIndexFeedOptions): EdgeIndexFeed {
  const { env, edge } = options;
  const index = new LiveIndex({ ...options, clock: env.clock });
  const truth = new TruthAge(env.clock);
  const parts = new DisposableStack();
  const metrics = parts.use(indexMetrics(env, { index, truth }));
  const engaged: EdgeCaches[] = [];
  parts.use(
    edge.subscribe((cluster) => {
      const caches = edgeCaches(cluster, options);
      engaged.push(caches);
      parts.use(feed(cluster, caches, { index, truth, metrics }));
    }),
  );
  return {
    index,
    health: () => healthOf(index, engaged.flatMap(livedOn)),
    [Symbol.dispose]: () => parts.dispose(),
  };
}

interface Sinks {
  readonly index: LiveIndex;
  readonly truth: TruthAge;
  readonly metrics: IndexMetrics;
}

/** The caches that the index is not synced without. */
const livedOn = ({ connectors, proxies, gateways, namespaces }: EdgeCaches): readonly Informer<KubeObject>[] => [
  connectors,
  proxies,
  gateways,
  namespaces,
];

function feed({ signal }: Cluster, caches: EdgeCaches, { index, truth, metrics }: Sinks): Disposable {
  const { connectors, proxies, gateways, namespaces, watermark } = caches;
  const parts = new DisposableStack();
  parts.use(
    connectors.subscribe((event, origin) => {
      // Of a connector that its schema refuses the metadata is sound, and holds the mirrored status.
      const connector = isGone(event, connectors) ? undefined : event.object;
      const changed = index.setConnector(keyOf(event.object), connector);
      if (changed && connector && origin === 'watch') metrics.livenessArrived(connector);
    }),
  );
  parts.use(
    proxies.subscribe((event) => {
      // Whatever it was before: every replica that starts now knows no more of it than this.
      const isSound = event.type === 'added' || event.type === 'updated';
      index.setHTTPProxy(keyOf(event.object), isSound ? event.object : undefined);
    }),
  );
  parts.use(
    gateways.subscribe((event) =>
      index.setGateway(keyOf(event.object), isGone(event, gateways) ? undefined : event.object),
    ),
  );
  parts.use(
    namespaces.subscribe((event) => index.setNamespace(event.object.metadata.name, !isGone(event, namespaces))),
  );
  parts.use(
    watermark.subscribe((event) => {
      if (event.type === 'added' || event.type === 'updated') truth.read(event.object.data);
    }),
  );
  let disposed = false;
  parts.defer(() => (disposed = true));
  Promise.all(livedOn(caches).map((cache) => cache.synced(signal))).then(
    () => {
      if (!disposed) index.markSynced();
    },
    // The edge went before.
    () => undefined,
  );
  return parts;
}

function isGone<T extends KubeObject>(event: ObjectEvent<T>, { store }: Informer<T>): boolean {
  switch (event.type) {
    case 'added':
    case 'updated':
      return false;
    case 'deleted':
      return true;
    case 'malformed':
      return !store.has(keyOf(event.object));
  }
}

function healthOf(index: EdgeIndex, caches: readonly Informer<KubeObject>[]): HealthState {
  for (const { kind, status } of caches)
    if (status.at !== 'synced') return { ok: false, reason: `${kind.id} is ${status.at}` };
  return index.synced ? { ok: true } : { ok: false, reason: 'the edge has not been listed yet' };
}
