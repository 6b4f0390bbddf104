/** The ConfigMap that owns the copy of an upstream object: deleting it deletes the copy, whoever asks. */
import {
  anchorName,
  ConfigMap,
  type Identity,
  identityOf,
  isDeleting,
  type KubeObject,
  type OwnerReference,
  ownerReferenceTo,
  type UpstreamName,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import { applied } from './applied.ts';

export interface AnchorInputs {
  readonly target: UpstreamName;
  readonly uid: string;
  readonly installation: string;
  /** The mapped one. */
  readonly namespace: string;
}

/** Content-free: all it says is in its metadata. The generation is not: an anchor changes never. */
export function anchorObject({ target, uid, installation, namespace }: AnchorInputs): {
  readonly metadata: { readonly namespace: string; readonly name: string } & Identity;
} {
  return { metadata: { namespace, name: anchorName(uid), ...identityOf({ ...target, uid }, installation) } };
}

export const anchorWrite = (inputs: AnchorInputs): Write<ConfigMap> => ({
  verb: 'apply',
  kind: ConfigMap,
  object: applied(anchorObject(inputs)),
  force: true,
});

/** - `ready`: it may own the copy · `wanting`: to be made or put right · `going`: wait */
export type AnchorState = 'ready' | 'wanting' | 'going';

export function anchorState(found: KubeObject | undefined, inputs: AnchorInputs): AnchorState {
  if (!found) return 'wanting';
  if (isDeleting(found)) return 'going';
  const { labels, annotations } = anchorObject(inputs).metadata;
  const isRight =
    Object.entries(labels).every(([key, value]) => found.metadata.labels?.[key] === value) &&
    Object.entries(annotations).every(([key, value]) => found.metadata.annotations?.[key] === value);
  return isRight ? 'ready' : 'wanting';
}

/** Not its controller: others may own the copy too, and it goes with the last of them. */
export const anchorReference = (anchor: KubeObject): OwnerReference => ownerReferenceTo(anchor);
