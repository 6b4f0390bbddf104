/** What an object on the hub is to an upstream object. */
import {
  anchorName,
  annotations,
  type KubeObject,
  objectKey,
  type ObjectName,
  type OwnerReference,
  ownershipOf,
  type UpstreamName,
} from '@lifeline/core';
import { claims } from './identity-index.ts';

/**
 * - `own`: its copy, ours or to be adopted
 * - `stale`: a copy of an earlier object of this name, or in the mapped namespace of an earlier Namespace: deleted, never adopted
 * - `foreign`: another installation's, where ours should stand
 * - `stranger`: not a copy of this object, where its copy should stand
 * - `unconcerned`: somewhere else, and not ours to judge
 */
export type Standing = 'own' | 'stale' | 'foreign' | 'stranger' | 'unconcerned';

/** Where the copy of an upstream object belongs. */
export interface Place extends ObjectName {
  /** The mapped one. */
  readonly namespace: string;
}

/** What stands there, and names that uid, is ours. */
export interface Wanted {
  readonly place: Place;
  readonly uid: string;
}

export interface StandingInputs {
  readonly target: UpstreamName;
  /** Undefined: nothing of this object is wanted on the hub. */
  readonly wanted: Wanted | undefined;
  readonly installation: string;
}

const anchorPrefix = anchorName('x').slice(0, -1);

/** The anchors that own a copy. */
export const anchorsOf = ({ metadata }: Pick<KubeObject, 'metadata'>): readonly OwnerReference[] =>
  (metadata.ownerReferences ?? []).filter(({ kind, name }) => kind === 'ConfigMap' && name.startsWith(anchorPrefix));

/** What a copy says about whose it is: the uid in its annotation, and in the names of the anchors that own it. */
type Evidence = 'names the uid' | 'names another' | 'names none';

/**
 * One word for the uid is enough: somebody may have edited the other. The Go system wrote no annotation, but let an anchor named after the
 * uid own each copy; a copy that only other objects' anchors own is another object's.
 */
function evidenceOf({ metadata }: KubeObject, uid: string): Evidence {
  const named = metadata.annotations?.[annotations.upstreamUid];
  const anchors = anchorsOf({ metadata }).map(({ name }) => name);
  if (named === uid || anchors.includes(anchorName(uid))) return 'names the uid';
  return named === undefined && anchors.length === 0 ? 'names none' : 'names another';
}

/**
 * What `object` is to the target. Assumes that the mapped namespace of the place is the target's cluster's (`namespaceState`): so what names
 * its uid there is its copy, whatever somebody made of the labels.
 *
 * A copy that names no uid at all stands where only this Namespace's objects are copied to, under this object's name: it is taken, since
 * every field of ours is written anew, and deleting it would only cut the traffic that it carries.
 */
export function standingOf(object: KubeObject, { target, wanted, installation }: StandingInputs): Standing {
  const ownership = ownershipOf(object, installation);
  if (wanted === undefined || !isAt(object, wanted.place)) {
    const isACopy = ownership === 'ours' || ownership === 'adoptable';
    return isACopy && claims(object, target) ? 'stale' : 'unconcerned';
  }
  if (ownership === 'foreign') return 'foreign';
  const evidence = evidenceOf(object, wanted.uid);
  if (evidence === 'names the uid') return 'own';
  if (ownership === 'unrelated' || (ownership === 'adoptable' && !claims(object, target))) return 'stranger';
  return evidence === 'names none' && claims(object, target) ? 'own' : 'stale';
}

export const isAt = (object: KubeObject, place: Place): boolean => objectKey(object.metadata) === objectKey(place);

/** Of ConfigMaps that say they belong to the target: an anchor is called after the uid that it stands for, never after the object. */
export const isAnchor = ({ metadata }: KubeObject, { name }: UpstreamName): boolean =>
  metadata.name !== name && metadata.name.startsWith(anchorPrefix);

/** Names that only anchors have: a copy of this name would stand in an anchor's place. */
export const isReservedName = ({ group, kind, name }: UpstreamName): boolean =>
  group === '' && kind === 'ConfigMap' && /^anchor-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
