/** What is there: from the caches, and where more hangs on it than they may be believed for, live. */
import {
  anchorName,
  ConfigMap,
  type KubeObject,
  downstreamNamespace,
  keyOf,
  Namespace,
  objectKey,
} from '@lifeline/core';
import { type Seen, namespaceOf, placeOf } from './decide.ts';
import { claims, type CopyIndex, copySelector, indexValues } from './identity-index.ts';
import { mayHoldCopiesFrom } from './namespace.ts';
import { cached, hubStore, type Scene, upstreamKeyOf } from './scene.ts';
import { anchorsOf, isAnchor } from './standing.ts';

/** Makes no request. */
export function fromCaches(scene: Scene): Seen {
  const { project, rules, target, memory, clock } = scene;
  const { kind } = rules.policy;
  const objects = project.store(kind);
  const upstream = cached(objects, upstreamKeyOf(target));
  const namespace = cached(project.store(Namespace), objectKey({ name: target.namespace }));
  const mapping = namespaceOf({ target, namespace });
  const filed = withoutAnchors(scene, indexed(scene, 'upstream')).filter(isWhereItBelongs(scene));
  const there = mapping && cached(hubStore(scene, kind), objectKey(placeOf(target, mapping)));
  return {
    target,
    upstream,
    namespace,
    mapped: mapping && cached(hubStore(scene, Namespace), objectKey({ name: downstreamNamespace(mapping.uid) })),
    copies: withAt(filed, there).map((copy) => memory.echoes.newest(copy, clock.monotonic())),
    anchors: anchorsOfTarget(scene),
    emptied:
      !upstream &&
      objects.size === 0 &&
      filed.length > 0 &&
      (indexed(scene, 'project').length > 1 || !knowsAMappedNamespace(scene)),
  };
}

/**
 * The project has at least one of the Namespaces that the hub has a Namespace of: it is the plane that its copies came from, and has its
 * data.
 *
 * @param namespaces of the project. Default: as the cache has them
 */
export function knowsAMappedNamespace(
  { project, hub, target }: Scene,
  namespaces: Iterable<Pick<KubeObject, 'metadata'>> = project.store(Namespace).list(),
): boolean {
  const mapped = hub.store(Namespace);
  for (const { metadata } of namespaces) {
    if (metadata.uid === undefined) continue;
    const found = cached(mapped, objectKey({ name: downstreamNamespace(metadata.uid) }));
    if (found && mayHoldCopiesFrom(found, target.cluster, metadata.name)) return true;
  }
  return false;
}

/** The same, read live: of a plane that lost its data the caches hear one after the other. */
export async function knowsAMappedNamespaceLive(scene: Scene): Promise<boolean> {
  const { items } = await scene.project.live.listMetadata(Namespace, { signal: scene.signal });
  return knowsAMappedNamespace(scene, items);
}

/** How many copies of the kind the project has on the hub. */
export const copiesOfProject = (scene: Scene): number => indexed(scene, 'project').length;

/** The same, with everything that a making or an ending hangs on read from the servers. */
export async function fromServers(scene: Scene, seen: Seen): Promise<Seen> {
  const { project, hub, rules, target, signal } = scene;
  const { kind } = rules.policy;
  const [upstream, namespace] = await Promise.all([
    project.live.find(kind, { namespace: target.namespace, name: target.name }, { signal }),
    project.live.findMetadata(Namespace, { name: target.namespace }, { signal }),
  ]);
  const mapping = namespaceOf({ target, namespace });
  if (!mapping) {
    // Its mapped namespace cannot be told any more: whatever says that it is a copy.
    const { items } = await hub.live.listMetadata(kind, { labelSelector: copySelector(target), signal });
    return {
      ...seen,
      upstream,
      namespace,
      mapped: undefined,
      copies: withoutAnchors(scene, items).filter(isWhereItBelongs(scene)),
    };
  }
  const place = placeOf(target, mapping);
  const [there, mapped, anchor] = await Promise.all([
    hub.live.find(kind, place, { signal }),
    seen.mapped?.metadata.name === place.namespace
      ? seen.mapped
      : hub.live.findMetadata(Namespace, { name: place.namespace }, { signal }),
    upstream?.metadata.uid === undefined
      ? undefined
      : hub.live.find(ConfigMap, { namespace: place.namespace, name: anchorName(upstream.metadata.uid) }, { signal }),
  ]);
  const elsewhere = seen.copies.filter((copy) => keyOf(copy) !== objectKey(place));
  return {
    ...seen,
    upstream,
    namespace,
    mapped,
    copies: withAt(elsewhere, there),
    anchors: withAt(
      seen.anchors.filter((known) => known.metadata.name !== anchor?.metadata.name),
      anchor,
    ),
  };
}

function withAt(objects: readonly KubeObject[], object: KubeObject | undefined): readonly KubeObject[] {
  if (!object || objects.some((known) => keyOf(known) === keyOf(object))) return objects;
  return [...objects, object];
}

/** A copy has the name of its object, in a Namespace and owned by anchors that do not say otherwise: whatever somebody made of its labels. */
const isWhereItBelongs =
  (scene: Scene) =>
  ({ metadata }: KubeObject): boolean => {
    const { target } = scene;
    const { namespace = '' } = metadata;
    const holder = cached(hubStore(scene, Namespace), objectKey({ name: namespace }));
    if (metadata.name !== target.name || !mayHoldCopiesFrom(holder, target.cluster, target.namespace)) return false;
    return anchorsOf({ metadata }).every(({ name, uid }) => {
      const anchor = cached(hubStore(scene, ConfigMap), objectKey({ namespace, name }));
      return anchor?.metadata.uid !== uid || claims(anchor, target);
    });
  };

/** Anchors are ConfigMaps too, and say that they belong to the same object. */
const withoutAnchors = ({ rules, target }: Scene, objects: readonly KubeObject[]): readonly KubeObject[] =>
  rules.policy.kind.id === ConfigMap.id ? objects.filter((object) => !isAnchor(object, target)) : objects;

function indexed(scene: Scene, index: CopyIndex): readonly KubeObject[] {
  const store = hubStore(scene, scene.rules.policy.kind);
  return indexValues(index, scene.target).flatMap((value) => store.byIndex(index, value));
}

function anchorsOfTarget(scene: Scene): readonly KubeObject[] {
  const store = hubStore(scene, ConfigMap);
  return indexValues('upstream', scene.target)
    .flatMap((value) => store.byIndex('upstream', value))
    .filter((object) => isAnchor(object, scene.target));
}
