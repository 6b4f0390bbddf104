/** Stored objects as clients of one version see them. */
import { apiVersionOf, type Resource, type ResourceVersion, type StoredObject } from '../resources/resource.ts';

export interface Spoken {
  readonly resource: Resource;
  readonly version: ResourceVersion;
}

/** A stored object in the version that was asked for. */
export function present({ resource, version }: Spoken, stored: StoredObject): StoredObject {
  const object = resource.fromStored?.(stored) ?? stored;
  const apiVersion = apiVersionOf(resource, version.name);
  return object.apiVersion === apiVersion ? object : ({ ...object, apiVersion } as StoredObject);
}

/** The same without its type where it is an item of a list: those of built-in kinds do not say what they are. */
export function presentItem(spoken: Spoken, stored: StoredObject): StoredObject {
  const object = present(spoken, stored);
  if (spoken.resource.decoding !== 'typed') return object;
  const { apiVersion: _, kind: __, ...item } = object;
  return item as StoredObject;
}
