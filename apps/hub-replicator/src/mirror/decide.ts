/** What should become of one upstream object on the hub, given what is there. */
import {
  anchorName,
  ConfigMap,
  downstreamNamespace,
  finalizers,
  hasFinalizer,
  isDeleting,
  isMappedNamespace,
  type KubeObject,
  matchesSelector,
  Namespace,
  ownershipOf,
  type Requirements,
  type UpstreamName,
  type UpstreamNamespace,
} from '@lifeline/core';
import { namespaceState } from './namespace.ts';
import type { KindPolicy } from './policy.ts';
import { copyOfTarget, type Refusal, refusal, type RefusalReason } from './refusal.ts';
import type { HubPlace } from './taken-places.ts';
import { isAnchor, isReservedName, type Place, standingOf, type Wanted } from './standing.ts';

/** What does not change from one look to the next. */
export interface Rules {
  readonly policy: KindPolicy;
  /** The policy's selector, parsed. */
  readonly selection: Requirements;
  readonly installation: string;
  /** Project and hub are one API server. */
  readonly single: boolean;
  /** As whom entries of statuses are written upstream. */
  readonly controllerName: string;
  /** The cache holds upstream objects without their content. */
  readonly bare: boolean;
}

/** Metadata is enough of all of them. */
export interface Seen {
  readonly target: UpstreamName;
  /** Undefined: it is not there. */
  readonly upstream: KubeObject | undefined;
  /** The upstream Namespace. */
  readonly namespace: KubeObject | undefined;
  /** What stands under the name of the downstream Namespace. */
  readonly mapped: KubeObject | undefined;
  /** Hub objects of the kind that say they are copies of the target, and whatever stands where its copy belongs. */
  readonly copies: readonly KubeObject[];
  /** ConfigMaps on the hub that say they are anchors of the target. */
  readonly anchors: readonly KubeObject[];
  /**
   * The project has no object of the kind at all, and the hub has several copies, or it has none of the Namespaces that the hub's were made
   * for: one look at one object cannot tell why.
   */
  readonly emptied: boolean;
}

export type Decision =
  | { readonly at: 'nothing' }
  /** Left to the sweep, with its minimum age, its cap and its doubts. */
  | { readonly at: 'sweep' }
  /** Not copied, and nothing is touched. */
  | { readonly at: 'refused'; readonly refusal: Refusal }
  | {
      readonly at: 'keep';
      readonly upstream: KubeObject;
      readonly namespace: UpstreamNamespace;
      /** The downstream Namespace is there, with all its labels. */
      readonly isNamespaceReady: boolean;
      /** What stands under its name. */
      readonly mapped: KubeObject | undefined;
      readonly place: Place;
      /** Undefined: to be made, once what is stale has left the place. */
      readonly current: KubeObject | undefined;
      readonly stale: readonly KubeObject[];
      /** Undefined: to be made. */
      readonly anchor: KubeObject | undefined;
      readonly staleAnchors: readonly KubeObject[];
    }
  | {
      readonly at: 'end';
      readonly copies: readonly KubeObject[];
      readonly anchors: readonly KubeObject[];
      /** Released once all of them are gone. */
      readonly held: KubeObject | undefined;
    };

/** Guarantees: pure; carried out, it leaves nothing to decide; nothing that is not a copy of the target is ever deleted. */
export function decide(seen: Seen, rules: Rules): Decision {
  const { target, upstream, mapped } = seen;
  const { installation } = rules;
  const namespace = namespaceOf(seen);
  if (!upstream || !namespace || !isWanted(seen, rules)) return ending(seen, rules);

  if (isReservedName(target)) {
    return seen.copies.length === 0 && !hasFinalizer(upstream, finalizers.replicator)
      ? { at: 'refused', refusal: refusal('NameReserved', target.name) }
      : ending(seen, rules);
  }
  const state = namespaceState(mapped, namespace, installation);
  const refuse = (reason: RefusalReason, by: HubPlace): Decision => ({
    at: 'refused',
    refusal: refusal(reason, copyOfTarget(target), by),
  });
  if (state.at === 'refused') return refuse(state.reason, { kind: Namespace.kind, name: mappedName(namespace) });

  const uid = upstream.metadata.uid ?? '';
  const place = placeOf(target, namespace);
  const standings = Map.groupBy(seen.copies, (copy) =>
    standingOf(copy, { target, wanted: { place, uid }, installation }),
  );
  const isItsAnchor = ({ metadata }: KubeObject): boolean =>
    metadata.name === anchorName(uid) && metadata.namespace === place.namespace;
  const anchor = seen.anchors.find(isItsAnchor);
  const copyPlace = { kind: target.kind, ...place };
  if (standings.has('foreign')) return refuse('OtherInstallation', copyPlace);
  if (anchor && ownershipOf(anchor, installation) === 'foreign') {
    return refuse('OtherInstallation', { kind: ConfigMap.kind, ...place, name: anchorName(uid) });
  }
  if (standings.has('stranger')) return refuse('PlaceTaken', copyPlace);
  return {
    at: 'keep',
    upstream,
    namespace,
    isNamespaceReady: state.at === 'ready',
    mapped,
    place,
    current: standings.get('own')?.[0],
    stale: standings.get('stale') ?? [],
    anchor,
    staleAnchors: seen.anchors.filter((other) => !isItsAnchor(other) && isEndable(other, seen, rules)),
  };
}

/** The upstream Namespace by its uid; undefined while it is not known. */
export function namespaceOf({ target, namespace }: Pick<Seen, 'target' | 'namespace'>): UpstreamNamespace | undefined {
  const uid = namespace?.metadata.uid;
  return uid === undefined ? undefined : { cluster: target.cluster, name: target.namespace, uid };
}

const mappedName = ({ uid }: Pick<UpstreamNamespace, 'uid'>): string => downstreamNamespace(uid);

export const placeOf = ({ name }: UpstreamName, { uid }: UpstreamNamespace): Place => ({
  namespace: mappedName({ uid }),
  name,
});

function isWanted({ upstream, namespace }: Seen, { policy, selection, single }: Rules): boolean {
  return (
    policy.enabled &&
    upstream !== undefined &&
    !isDeleting(upstream) &&
    matchesSelector(selection, upstream.metadata.labels) &&
    namespace !== undefined &&
    !(single && isMappedNamespace(namespace))
  );
}

function ending(seen: Seen, rules: Rules): Decision {
  const { upstream, emptied } = seen;
  const copies = seen.copies.filter((copy) => isEndable(copy, seen, rules));
  const anchors = seen.anchors.filter((anchor) => isEndable(anchor, seen, rules));
  const held = upstream && hasFinalizer(upstream, finalizers.replicator) ? upstream : undefined;
  if (copies.length === 0 && anchors.length === 0 && !held) return { at: 'nothing' };
  if (!upstream && emptied && rules.policy.enabled) return { at: 'sweep' };
  return { at: 'end', copies, anchors, held };
}

/**
 * Whether a copy or anchor that is not wanted may be deleted. Copies of the Go system bear no installation. Of a kind that we replicate they
 * are this object's, since nobody else writes them; of one that we do not, another controller may (the Gateways on the hub are such), so
 * only our finalizer upstream proves that a replicator made them.
 */
function isEndable(object: KubeObject, seen: Seen, rules: Rules): boolean {
  const { target, upstream } = seen;
  const { policy, installation } = rules;
  const own = ownPlace(seen, rules);
  const wanted = own && isAnchor(object, target) ? anchorPlace(own) : own;
  const standing = standingOf(object, { target, wanted, installation });
  if (standing !== 'own' && standing !== 'stale') return false;
  return (
    policy.enabled ||
    ownershipOf(object, installation) === 'ours' ||
    (upstream !== undefined && hasFinalizer(upstream, finalizers.replicator))
  );
}

/** Where the uid alone makes an object this one's copy: undefined where the namespace may be another project's. */
function ownPlace(seen: Seen, { installation }: Rules): Wanted | undefined {
  const { target, upstream, mapped } = seen;
  const namespace = namespaceOf(seen);
  if (!upstream?.metadata.uid || !namespace) return undefined;
  if (!mapped || namespaceState(mapped, namespace, installation).at === 'refused') return undefined;
  return { place: placeOf(target, namespace), uid: upstream.metadata.uid };
}

/** An anchor is told by its name and uid, whatever somebody made of its labels: our finalizer waits for its end too. */
const anchorPlace = ({ place: { namespace }, uid }: Wanted): Wanted => ({
  place: { namespace, name: anchorName(uid) },
  uid,
});

/** It makes a copy, deletes one or lets go of an object: nothing that a cache may be believed for alone. */
export function needsProof(decision: Decision): boolean {
  switch (decision.at) {
    case 'end':
      return true;
    case 'keep':
      return !decision.current || decision.stale.length > 0 || decision.staleAnchors.length > 0;
    case 'nothing':
    case 'sweep':
    case 'refused':
      return false;
  }
}
