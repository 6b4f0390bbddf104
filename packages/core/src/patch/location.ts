/**
 * Reading and editing a JSON tree at a location, given by its tokens.
 *
 * Guarantees: the tree is never changed; an edit returns a new one that shares everything beside the path. Undefined means that there is
 * no such location (JSON has no undefined). Keys are data: `__proto__` names a member or nothing. Takes any depth.
 */
import { ownValue, setOwn } from '../json/own.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

export type Location = readonly string[];

type Container = readonly JsonValue[] | JsonObject;
type Changed = JsonValue | undefined;

/** The value at a location. */
export function lookup(root: JsonValue, location: Location): Changed {
  let node: Changed = root;
  for (const token of location) {
    if (node === undefined) return undefined;
    node = child(node, token);
  }
  return node;
}

/** With `value` inserted into an array (before the item of that index, or at the end for `-`), or set as a member. */
export const insert = (root: JsonValue, location: Location, value: JsonValue): Changed =>
  edit(root, location, {
    whole: value,
    item: (items, token) => {
      const index = token === '-' ? items.length : indexIn(items.length + 1, token);
      return index === undefined ? undefined : items.toSpliced(index, 0, value);
    },
    member: (object, key) => withMember(object, key, value),
  });

/** With `value` in the place of the value there. */
export const substitute = (root: JsonValue, location: Location, value: JsonValue): Changed =>
  edit(root, location, {
    whole: value,
    item: (items, token) => {
      const index = indexIn(items.length, token);
      return index === undefined ? undefined : items.with(index, value);
    },
    member: (object, key) => (ownValue(object, key) === undefined ? undefined : withMember(object, key, value)),
  });

/** Without the value there. The whole document cannot be removed. */
export const remove = (root: JsonValue, location: Location): Changed =>
  edit(root, location, {
    whole: undefined,
    item: (items, token) => {
      const index = indexIn(items.length, token);
      return index === undefined ? undefined : items.toSpliced(index, 1);
    },
    member: (object, key) => (ownValue(object, key) === undefined ? undefined : withoutMember(object, key)),
  });

/** The object with one member set, at its old place if it had it. */
export function withMember(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy = { ...object };
  setOwn(copy, key, value);
  return copy;
}

/** The object without one member. */
export function withoutMember(object: JsonObject, key: string): JsonObject {
  const copy = { ...object };
  delete copy[key];
  return copy;
}

interface Edit {
  /** The new document when the location is the whole of it. */
  readonly whole: Changed;
  readonly item: (items: readonly JsonValue[], token: string) => Changed;
  readonly member: (object: JsonObject, key: string) => Changed;
}

/** Changes the container that holds the location, then every container above it. */
function edit(root: JsonValue, location: Location, { whole, item, member }: Edit): Changed {
  const last = location.at(-1);
  if (last === undefined) return whole;
  const path = location.slice(0, -1);
  const above: Container[] = [];
  let node: JsonValue = root;
  for (const token of path) {
    const next: Changed = child(node, token);
    if (next === undefined) return undefined;
    above.push(node as Container);
    node = next;
  }
  let changed: Changed;
  if (isJsonArray(node)) changed = item(node, last);
  else if (isJsonObject(node)) changed = member(node, last);
  for (let i = path.length - 1; i >= 0 && changed !== undefined; i--) {
    const container = above[i] as Container;
    const token = path[i] as string;
    changed = isJsonArray(container) ? container.with(Number(token), changed) : withMember(container, token, changed);
  }
  return changed;
}

function child(node: JsonValue, token: string): Changed {
  if (isJsonArray(node)) {
    const index = indexIn(node.length, token);
    return index === undefined ? undefined : node[index];
  }
  return isJsonObject(node) ? ownValue(node, token) : undefined;
}

/** An array index below `length`: digits without leading zeros. */
function indexIn(length: number, token: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/.test(token) && Number(token) < length ? Number(token) : undefined;
}
