/** Copies that no write can make right. */
import { ConfigMap, type JsonObject, type Kind, type KubeObject, Secret } from '@lifeline/core';
import { bodyOfCopy, covers } from './covers.ts';

/**
 * Whether the copy has to be deleted and made anew: a Secret of another type, since a type never changes, and what was made immutable and
 * does not hold what it should.
 */
export function mustBeReplaced(kind: Kind, wanted: JsonObject, copy: KubeObject): boolean {
  if (kind.id !== Secret.id && kind.id !== ConfigMap.id) return false;
  const body = bodyOfCopy(copy);
  if ((body['type'] ?? defaultType) !== (wanted['type'] ?? defaultType)) return true;
  return body['immutable'] === true && !(covers(wanted, body) && covers(body, wanted));
}

const defaultType = 'Opaque';
