/** The least that a cache needs of an object, whatever else is wrong with it. */
import { objectKey, type KubeObject, type ObjectKey } from '@lifeline/core';
import { KubeError } from '../client/kube-error.ts';

export interface Identity {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * @throws KubeError `malformed` when the name, uid or resourceVersion is missing: what was sent is no stored object, so nothing that came
 * with it is to be believed
 */
export function identityOf(object: KubeObject): Identity {
  // Typed, but not yet checked: this came from a server.
  const { name, namespace, uid, resourceVersion } =
    (object as Partial<KubeObject> | undefined)?.metadata ?? ({} as never);
  if (isText(name) && isText(uid) && isText(resourceVersion))
    return { key: objectKey({ namespace, name }), uid, resourceVersion };
  throw new KubeError('malformed', `an object without name, uid or resourceVersion: ${namespace ?? ''}/${name ?? ''}`);
}
