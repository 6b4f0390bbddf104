/** What a controller listens to: a kind in a plane, and the requests that its objects concern. */
import type { Kind, KubeObject, ObjectKey } from '@lifeline/core';
import type { EventOrigin, Informer, InformerOptions, ObjectEvent, Store } from '../cache/informer.ts';
import type { Selection } from '../client/client.ts';
import type { Cluster, ClusterProvider } from '../fleet/cluster.ts';
import { ItemMap, type Lane } from '../queue/queue-item.ts';
import type { Mapper } from './mapper.ts';
import type { Predicate } from './predicate.ts';
import type { ReconcileRequest } from './request.ts';

export interface WatchSpec<T extends KubeObject> extends InformerOptions<T> {
  readonly mapper: Mapper<T>;
  /** Default: every event. */
  readonly predicate?: Predicate<T> | undefined;
  /** Events that somebody waits for: their requests go before all others, and at once after a write of the same request. Default: none. */
  readonly urgent?: Predicate<T> | undefined;
}

/** Where the requests of an event go. */
export type Enqueue = (request: ReconcileRequest, lane: Lane) => void;

/** What was just seen to change goes before what a list brought. */
export const laneOf = (origin: EventOrigin): Lane => (origin === 'watch' ? 'fresh' : 'resync');

/** A watch whose object type only its own functions know: watches of different kinds stand in one list. */
export interface Watch {
  readonly provider: ClusterProvider;
  readonly kind: Kind;
  /** What is asked of the server. */
  readonly selection: Selection;
  readonly metadataOnly: boolean;
  /** The informer behind the watch; first use starts it. */
  informer(cluster: Cluster): Informer<KubeObject>;
  /** What the watch has seen. @throws ClusterNotReadyError see {@link Cluster.store} */
  store(cluster: Cluster): Store<KubeObject>;
  /** Enqueues the requests of every event from now on, and of each object that is already held. */
  subscribe(cluster: Cluster, enqueue: Enqueue): Disposable;
  /** The requests of the cached objects whose key is `wanted`. */
  requests(cluster: Cluster, wanted: (key: ObjectKey) => boolean): Iterable<ReconcileRequest>;
}

/**
 * Watches a kind in every cluster of a plane.
 *
 * The mapper runs on the old and the new object of an update, so that what an object has left is looked at as well as what it joined.
 */
export function watch<T extends KubeObject>(provider: ClusterProvider, kind: Kind<T>, spec: WatchSpec<T>): Watch {
  const { mapper, predicate, urgent, ...options } = spec;
  const { namespace, labelSelector, fieldSelector, metadataOnly = false } = options;
  const informer = (cluster: Cluster): Informer<T> => cluster.informer(kind, options);
  return {
    provider,
    kind,
    selection: { namespace, labelSelector, fieldSelector },
    metadataOnly,
    informer,
    store: (cluster) => cluster.store(kind, options),
    subscribe: (cluster, enqueue) =>
      informer(cluster).subscribe((event, origin) => {
        const isSound = event.type !== 'malformed';
        if (isSound && predicate?.(event) === false) return;
        const lane = isSound && urgent?.(event) ? 'urgent' : laneOf(origin);
        for (const request of requestsOf(event, mapper, cluster.name)) enqueue(request, lane);
      }),
    *requests(cluster, wanted) {
      const { store } = informer(cluster);
      const malformed = store.malformed();
      for (const key of store.keys()) {
        if (!wanted(key) || malformed.has(key)) continue;
        const object = store.get(key);
        if (object) yield* unlessItThrows(object, mapper, cluster.name);
      }
    },
  };
}

/** Each request once: a worker takes the first at once, and would take a second one for a change that came later. */
function* requestsOf<T>(event: ObjectEvent<T>, mapper: Mapper<T>, cluster: string): Iterable<ReconcileRequest> {
  switch (event.type) {
    case 'added':
    case 'deleted':
      return yield* mapper(event.object, cluster);
    case 'updated': {
      const joined = mapper(event.object, cluster);
      yield* joined;
      return yield* without(mapper(event.old, cluster), joined);
    }
    case 'malformed': {
      const left = event.old === undefined ? [] : mapper(event.old, cluster);
      yield* left;
      // Its metadata is all that is sound of it; the mapper may need more.
      return yield* without(unlessItThrows(event.object as unknown as T, mapper, cluster), left);
    }
  }
}

/** What a mapper makes of an object. One that throws on it makes nothing; that was said and counted when the object came. */
function unlessItThrows<T>(object: T, mapper: Mapper<T>, cluster: string): readonly ReconcileRequest[] {
  try {
    return mapper(object, cluster);
  } catch {
    return [];
  }
}

function without(
  requests: readonly ReconcileRequest[],
  known: readonly ReconcileRequest[],
): readonly ReconcileRequest[] {
  const taken = new ItemMap<true>();
  for (const request of known) taken.set(request, true);
  return requests.filter((request) => !taken.get(request));
}
