/** Which fields a write touches. */
import { isJsonObject, type JsonPatch, type Kind, pointerTokens } from '@lifeline/core';
import type { Write } from '../fleet/cluster.ts';
import { type FieldPath, isWithin } from './field-path.ts';

export interface WrittenPath {
  readonly path: FieldPath;
  /** An empty map: it makes sure that the map is there and changes nothing inside. */
  readonly empty: boolean;
}

/** Says which object is meant, and in which state: no fields of anybody. */
const identity: readonly FieldPath[] = [
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'uid'],
  ['metadata', 'resourceVersion'],
];

/** Whether all below a path is known to be allowed: its parts need no naming. */
export type IsAllowed = (path: FieldPath) => boolean;

const nothing: IsAllowed = () => false;

/**
 * The paths that a write sets or removes; empty for a delete.
 *
 * Guarantees: a list is one path (it is replaced), unless it is applied and is a map for this kind: then each item is one, by its keys.
 * A `null` of a merge patch and both ends of a `move` count as written, a `test` does not. A path that is no pointer counts as the
 * whole object. What `isAllowed` says of a path ends the way down: it stands for all below.
 */
export function writtenPaths(write: Write, isAllowed = nothing): readonly WrittenPath[] {
  switch (write.verb) {
    case 'create':
      return leavesOf(write.object, [], { isAllowed });
    case 'apply':
      return leavesOf(write.object, [], { isAllowed, listMapKeys: write.kind.listMapKeys });
    case 'patch':
      return write.patch.type === 'merge'
        ? leavesOf(write.patch.body, [], { isAllowed })
        : patchPaths(write.patch.body);
    case 'delete':
      return [];
  }
}

interface Grain {
  readonly isAllowed: IsAllowed;
  readonly listMapKeys?: Kind['listMapKeys'];
}

function leavesOf(value: unknown, path: FieldPath, grain: Grain): WrittenPath[] {
  if (identity.some((known) => isWithin(path, known))) return [];
  if (grain.isAllowed(path)) return [{ path, empty: false }];
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.length === 0 && path.length > 0) return [{ path, empty: true }];
    return members.flatMap(([name, member]) => leavesOf(member, [...path, name], grain));
  }
  const keys = grain.listMapKeys?.[path.join('.')];
  if (!keys || !Array.isArray(value)) return [{ path, empty: false }];
  return value.map((item: unknown) => ({ path: [...path, ...(itemName(item, keys) ?? [])], empty: false }));
}

/** The name of an item of a list that is a map; undefined (the whole list is meant) when a key is missing. */
function itemName(item: unknown, keys: readonly string[]): string[] | undefined {
  const values = keys.map((key) => (isJsonObject(item) ? item[key] : undefined));
  return values.some((value) => value === undefined) ? undefined : [values.map(String).join(',')];
}

function patchPaths(patch: JsonPatch): WrittenPath[] {
  return patch
    .filter(({ op }) => op !== 'test')
    .flatMap((operation) => {
      const { op, path } = operation;
      const written = op === 'move' ? [operation.from, path] : [path];
      const empty = op === 'add' && isJsonObject(operation.value) && Object.keys(operation.value).length === 0;
      return written.map((pointer) => ({ path: pointerTokens(pointer) ?? [], empty }));
    })
    .filter(({ path }) => !identity.some((known) => isWithin(path, known)));
}
