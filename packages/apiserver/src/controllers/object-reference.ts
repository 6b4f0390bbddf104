/** Names of objects over all resources. */
import { objectKey, type ObjectName, parseKey } from '@lifeline/core';
import type { Spoken } from '../http/present.ts';
import type { Resource, ResourceId, ResourceVersion, StoredObject } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';

/** `configmaps default/a`: as it is stored. */
export type ObjectReference = string;

export const referenceTo = (resource: ResourceId, { metadata }: StoredObject): ObjectReference =>
  `${resource} ${objectKey(metadata)}`;

export interface Found {
  readonly spoken: Spoken;
  readonly name: ObjectName;
  readonly object: StoredObject;
}

/** Undefined where it is gone, or its resource is. */
export function find({ store, resources }: Server, reference: ObjectReference): Found | undefined {
  const space = reference.indexOf(' ');
  const resource = resources.byId(reference.slice(0, space));
  const name = parseKey(reference.slice(space + 1));
  const object = resource && store.get(resource.id, name);
  return object && { spoken: spokenBy(resource), name, object };
}

/** As controllers speak with a resource: in the version that it prefers. */
export const spokenBy = (resource: Resource): Spoken => ({
  resource,
  version: resource.versions[0] as ResourceVersion,
});
