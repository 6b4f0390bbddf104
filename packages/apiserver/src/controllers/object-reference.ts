/** Names of objects over all resources. */
import { objectKey, type ObjectName, parseKey } from '@lifeline/core';
import { type Spoken, spokenBy } from '../resources/spoken.ts';
import type { ResourceId, StoredObject } from '../resources/resource.ts';
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
