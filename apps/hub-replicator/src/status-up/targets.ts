/** What the spec of a policy or a route names above it: for entries of ours that no hub status tells. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject, ownValue } from '@lifeline/core';
import type { EntryShape } from './entries.ts';
import { isNamespacedReference, referenceKey } from './references.ts';

/** Entries without conditions, one for each target, by what they are about; for a policy without targets one that names itself. */
export function targetEntries(
  object: KubeObject,
  shape: EntryShape,
  controllerName: string,
): ReadonlyMap<string, JsonObject> {
  const { namespace = '' } = object.metadata;
  const named = shape.list === 'ancestors' ? policyTargets(object) : parentsOf(object);
  return new Map(
    named.map((reference) => [referenceKey(reference, namespace), { [shape.reference]: reference, controllerName }]),
  );
}

function policyTargets(object: KubeObject): readonly JsonObject[] {
  const { targetRef, targetRefs } = specOf(object);
  const targets = [targetRef, ...(isJsonArray(targetRefs) ? targetRefs : [])].filter(isJsonObject);
  const { namespace, name } = object.metadata;
  const named = targets.length > 0 ? targets : [{ group: groupOf(object.apiVersion), kind: object.kind, name }];
  return named.map((target) => ({
    ...picked(target, ['group', 'kind', 'name', 'sectionName']),
    ...(namespace !== undefined && isNamespacedReference(target) ? { namespace } : {}),
  }));
}

function parentsOf(object: KubeObject): readonly JsonObject[] {
  const { parentRefs } = specOf(object);
  return (isJsonArray(parentRefs) ? parentRefs : [])
    .filter(isJsonObject)
    .map((parent) => picked(parent, ['group', 'kind', 'namespace', 'name', 'sectionName', 'port']));
}

function specOf(object: KubeObject): JsonObject {
  const spec = ownValue(object as unknown as JsonObject, 'spec');
  return isJsonObject(spec) ? spec : {};
}

const picked = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = ownValue(from, name);
      return value == null ? [] : [[name, value]];
    }),
  );

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
