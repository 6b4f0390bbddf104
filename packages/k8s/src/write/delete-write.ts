import type { Kind, KubeObject } from '@lifeline/core';
import type { Write } from '../fleet/cluster.ts';

/** Deletes this very object, and no other that has taken its name. @throws TypeError when the object was never read from a server */
export function deleteWrite<T extends KubeObject>(kind: Kind<T>, object: T): Write<T> {
  const { namespace, name, uid } = object.metadata;
  if (!uid) throw new TypeError(`${kind.kind} ${name} has no uid to delete it by`);
  return { verb: 'delete', kind, name: { namespace, name }, uid };
}
