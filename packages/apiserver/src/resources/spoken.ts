/** A resource in one of its versions: objects between the form that clients of the version see, and the one that is stored. */
import { apiVersionOf, type Resource, type ResourceVersion, type StoredObject, withFields } from './resource.ts';

export interface Spoken {
  readonly resource: Resource;
  readonly version: ResourceVersion;
}

/** As controllers speak with a resource: in the version that it prefers. */
export const spokenBy = (resource: Resource): Spoken => ({
  resource,
  version: resource.versions[0] as ResourceVersion,
});

/** A stored object in the version that was asked for. */
export function present({ resource, version }: Spoken, stored: StoredObject): StoredObject {
  const object = resource.fromStored?.(stored) ?? stored;
  const apiVersion = apiVersionOf(resource, version.name);
  return object.apiVersion === apiVersion ? object : withFields(object, { apiVersion });
}

/** The same without its type where it is an item of a list: those of built-in kinds do not say what they are. */
export function presentItem(spoken: Spoken, stored: StoredObject): StoredObject {
  const object = present(spoken, stored);
  if (spoken.resource.decoding !== 'typed') return object;
  const { apiVersion: _, kind: __, ...item } = object;
  return item as StoredObject;
}

/** An object in the version of a client as it is stored. */
export function asStored({ resource }: Pick<Spoken, 'resource'>, object: StoredObject): StoredObject {
  const apiVersion = apiVersionOf(resource, resource.storageVersion);
  const own = object.apiVersion === apiVersion ? object : withFields(object, { apiVersion });
  return resource.toStored?.(own) ?? own;
}
