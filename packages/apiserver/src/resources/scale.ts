/** An object as a Scale: replicas under one name, wherever its kind has them. */
import {
  formatSelector,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
  type LabelSelector,
  requirementsOf,
} from '@lifeline/core';
import { internalError } from '../api-error.ts';
import { valueAtPath, withValueAtPath } from '../simple-path.ts';
import type { Resource, ScalePaths, StoredObject } from './resource.ts';

/** What a client reads. @throws ApiError 500 where the object does not say how many replicas it wants */
export function scaleOf(resource: Resource, object: StoredObject): JsonObject {
  const { specReplicasPath: path } = pathsOf(resource);
  if (valueAtPath(object, path) === undefined) throw internalError(`the spec replicas field "${path}" does not exist`);
  return scaleWith(resource, object);
}

/** What a client writes to, whether or not the object says how many replicas it wants. */
export function scaleWith(resource: Resource, object: StoredObject): JsonObject {
  const { specReplicasPath, statusReplicasPath } = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const [wanted, found] = [valueAtPath(object, specReplicasPath), valueAtPath(object, statusReplicasPath)];
  const selected = selectorOf(resource, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: wanted ? { replicas: wanted } : {},
    status: { replicas: found ?? 0, ...(selected ? { selector: selected } : {}) },
  };
}

/** The object that wants so many. */
export const withReplicas = (resource: Resource, object: StoredObject, replicas: number | JsonNumber): StoredObject =>
  resource.schema.applyDefaults(withValueAtPath(object, pathsOf(resource).specReplicasPath, replicas)) as StoredObject;

/** Built-in kinds have theirs as an object, custom resources as a text at a path of their choice. */
function selectorOf(resource: Resource, object: StoredObject): JsonValue | undefined {
  const { labelSelectorPath } = pathsOf(resource);
  if (labelSelectorPath !== undefined) return valueAtPath(object, labelSelectorPath);
  const own = resource.decoding === 'typed' ? valueAtPath(object, '.spec.selector') : undefined;
  return own === undefined ? undefined : formatSelector(requirementsOf(own as LabelSelector));
}

function pathsOf({ id, scaleSubresource }: Resource): ScalePaths {
  if (!scaleSubresource) throw new TypeError(`${id} has no scale`);
  return scaleSubresource;
}
