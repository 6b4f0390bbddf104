/** Names of the objects that processes find each other by. */
import { ContractError } from './errors.ts';

/** The hub namespace that belongs to no release: the installation id and the watermark stand there. */
export const truthNamespace = 'lifeline-truth';
/** ConfigMap in {@link truthNamespace}: created once, never updated; its {@link installationKey} is the installation id. */
export const installationConfigMap = 'lifeline-installation';
export const installationKey = 'id';
/** ConfigMap in {@link truthNamespace}, see `watermark.ts`. */
export const watermarkConfigMap = 'lifeline-watermark';

/** The hub and edge namespace of an upstream Namespace. @throws ContractError `missing-uid` */
export const downstreamNamespace = (namespaceUid: string): string => `ns-${requireUid(namespaceUid)}`;

/** The ConfigMap that owns the copy of an upstream object, so that deleting it deletes the copy. @throws ContractError `missing-uid` */
export const anchorName = (objectUid: string): string => `anchor-${requireUid(objectUid)}`;

function requireUid(uid: string): string {
  if (uid === '') throw new ContractError('missing-uid', 'an object that was never stored has no name downstream');
  return uid;
}
