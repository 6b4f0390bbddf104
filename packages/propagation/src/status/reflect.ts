/** Rule 20: what is taken up of a member's object. */
import { isJsonObject, type Work } from '@lifeline/core';
import type { KindInterpreter } from '../interpreter/interpreter.ts';
import type { Manifest } from '../manifest.ts';
import type { Health } from '../words.ts';

export type ManifestStatus = NonNullable<NonNullable<Work['status']>['manifestStatuses']>[number];

/**
 * Status and health of the object, as its Work holds them. Without a hook the whole status, and `Healthy`, whatever it says.
 * @throws what ReflectStatus throws; a health that cannot be told is `Unknown`
 */
export function reflect(object: Manifest, { reflectStatus, interpretHealth }: KindInterpreter): ManifestStatus {
  const status = reflectStatus ? reflectStatus(object) : object.status;
  const { apiVersion, kind, metadata } = object;
  const slash = apiVersion.indexOf('/');
  return {
    identifier: {
      ordinal: 0,
      ...(slash < 0 ? {} : { group: apiVersion.slice(0, slash) }),
      version: apiVersion.slice(slash + 1),
      kind,
      resource: '',
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      name: metadata.name,
    },
    ...(isJsonObject(status) ? { status: status } : {}),
    health: healthOf(object, interpretHealth),
  };
}

function healthOf(object: Manifest, interpretHealth: KindInterpreter['interpretHealth']): Health {
  if (!interpretHealth) return 'Healthy';
  try {
    return interpretHealth(object) ? 'Healthy' : 'Unhealthy';
  } catch {
    return 'Unknown';
  }
}
