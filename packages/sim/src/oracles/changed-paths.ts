/** Which fields differ between two states of an object. */
import { deepEqual, isJsonObject, type JsonObject, type Kind, type KubeObject, stringifyJson } from '@lifeline/core';
import { type FieldPath, isWithin } from '@lifeline/k8s';

/** What API servers write themselves, and what only says which object it is. */
const servers: readonly FieldPath[] = [
  ['apiVersion'],
  ['kind'],
  ...[
    'name',
    'namespace',
    'generateName',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'managedFields',
    'selfLink',
  ].map((name) => ['metadata', name]),
];

/**
 * Paths that were set, changed or removed. A list is one path, unless it is a map for the kind: then each item is one, named by its keys.
 *
 * @param before undefined: the object is new
 */
export function changedPaths(before: KubeObject | undefined, after: KubeObject, kind?: Kind): readonly FieldPath[] {
  const found: FieldPath[] = [];
  walk({ left: before, right: after, path: [] }, kind?.listMapKeys ?? {}, found);
  return found.filter((path) => !servers.some((known) => isWithin(path, known)));
}

interface Pair {
  readonly left: unknown;
  readonly right: unknown;
  readonly path: FieldPath;
}

function walk({ left, right, path }: Pair, listMapKeys: Kind['listMapKeys'], found: FieldPath[]): void {
  if (left === right) return;
  const keys = listMapKeys[path.join('.')];
  const [a, b] = keys ? [itemsOf(left, keys), itemsOf(right, keys)] : [left, right];
  if (isMap(a) && isMap(b) && (a !== undefined || b !== undefined)) {
    for (const name of new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])) {
      const next = [...path, name];
      const pair = { left: a?.[name], right: b?.[name], path: next };
      if (keys) {
        if (!deepEqual(pair.left, pair.right)) found.push(next);
      } else walk(pair, listMapKeys, found);
    }
  } else if (!deepEqual(left, right)) found.push(path);
}

const isMap = (value: unknown): value is JsonObject | undefined => value === undefined || isJsonObject(value);

/** A list that is a map, as one. */
function itemsOf(value: unknown, keys: readonly string[]): unknown {
  if (!Array.isArray(value)) return value;
  const word = (member: unknown): string => (typeof member === 'string' ? member : stringifyJson(member ?? ''));
  const nameOf = (item: unknown): string => keys.map((key) => word(isJsonObject(item) ? item[key] : '')).join();
  return Object.fromEntries(value.map((item: unknown) => [nameOf(item), item]));
}
