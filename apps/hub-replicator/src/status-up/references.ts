/** References from a status to what stands above the object: Gateways and the like. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, kindById, kindId } from '@lifeline/core';

/** What a reference leaves out. @see Gateway API ParentReference */
const defaults = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** Whether the kind that a reference names lives in a namespace. One that we do not know is taken to. */
export function isNamespacedReference(reference: JsonObject): boolean {
  const { group = defaults.group, kind = defaults.kind } = {
    group: textOf(reference['group']),
    kind: textOf(reference['kind']),
  };
  return kindById(kindId(group, kind))?.scope !== 'Cluster';
}

/**
 * A reference as it reads upstream: the copy's namespace becomes the object's own. What is cluster-scoped gets no namespace, and loses
 * one that somebody gave it.
 * @param scrub see `scrubber`
 */
export function referenceUp(reference: JsonObject, scrub: (text: string) => string): JsonObject {
  const { namespace, ...rest } = reference;
  const named = textOf(namespace);
  if (named === undefined || !isNamespacedReference(reference)) return rest;
  return { ...rest, namespace: scrub(named) };
}

/** A text that is equal exactly for references to one thing, seen from `namespace`. */
export function referenceKey(reference: JsonValue | undefined, namespace: string): string {
  const target = isJsonObject(reference) ? reference : {};
  const where = isNamespacedReference(target) ? (textOf(target['namespace']) ?? namespace) : '';
  return JSON.stringify([
    textOf(target['group']) ?? defaults.group,
    textOf(target['kind']) ?? defaults.kind,
    where,
    textOf(target['name']) ?? '',
    textOf(target['sectionName']) ?? '',
    portOf(target['port']),
  ]);
}

const portOf = (port: JsonValue | undefined): string =>
  typeof port === 'number' || port instanceof JsonNumber ? String(port) : '';
