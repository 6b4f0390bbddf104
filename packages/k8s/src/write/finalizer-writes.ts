import { addFinalizer, type JsonPatch, type Kind, type KubeObject, removeFinalizer } from '@lifeline/core';
import type { Write } from '../fleet/cluster.ts';

/** Adds our finalizer: a JSON patch that fails when the object has moved on. Empty when it is there, and when it is too late. */
export const finalizerAddition = <T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  finalizer: string,
): readonly Write<T>[] => patchOf(kind, object, addFinalizer(object, finalizer));

/** Takes our finalizer away, and nobody else's. Empty when it is not there. */
export const finalizerRemoval = <T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  finalizer: string,
): readonly Write<T>[] => patchOf(kind, object, removeFinalizer(object, finalizer));

function patchOf<T extends KubeObject>(kind: Kind<T>, object: T, body: JsonPatch | undefined): readonly Write<T>[] {
  const { namespace, name } = object.metadata;
  return body ? [{ verb: 'patch', kind, name: { namespace, name }, patch: { type: 'json', body } }] : [];
}
