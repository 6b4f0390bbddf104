/**
 * A set of fields: FieldsV1 itself, read as a tree of path elements. A node without anything in it is a member of the set; one with a
 * `.` is a member and has others below it. The root is the whole object, which belongs to nobody.
 *
 * Sets are frozen, in one spelling and in the order in which a real server writes them, so nothing is parsed or written out between
 * writes. Operations share what does not change, and return their first operand when nothing does.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/set.go, fieldpath/serialize.go
 */
import { compareElements, describeElement, type Element } from './element.ts';

export interface FieldSet {
  readonly [element: Element]: FieldSet;
}

/** A member with nothing below; as a root the empty set. */
export const leaf: FieldSet = Object.freeze({});

export const emptySet = leaf;

const self = '.';

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

const isMember = (node: FieldSet): boolean => isEmptySet(node) || self in node;

/** The node of a member that may have others below. */
export const withSelf = (below: FieldSet): FieldSet =>
  isMember(below) ? below : Object.freeze({ [self]: leaf, ...below });

/** A set, or a node, of these children. Sorted and frozen here. */
export function nodeOf(children: Readonly<Record<Element, FieldSet>>): FieldSet {
  const keys = Object.keys(children);
  if (!isSorted(keys)) {
    const sorted = keys.sort(compareChildren).map((key) => [key, children[key] as FieldSet] as const);
    return Object.freeze(Object.fromEntries(sorted));
  }
  return Object.freeze(children);
}

const compareChildren = (a: Element, b: Element): number => (a === self ? -1 : b === self ? 1 : compareElements(a, b));

function isSorted(keys: readonly Element[]): boolean {
  for (let at = 1; at < keys.length; at++) {
    if (compareChildren(keys[at - 1] as Element, keys[at] as Element) > 0) return false;
  }
  return true;
}

/** What is in one of them. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return mergeChildren(a, b);
}

function mergeChildren(a: FieldSet, b: FieldSet): FieldSet {
  let out: Record<Element, FieldSet> | undefined;
  for (const key in b) {
    const [left, right] = [a[key], b[key] as FieldSet];
    const node = left === undefined ? right : unionNode(left, right);
    if (node !== left) (out ??= { ...a })[key] = node;
  }
  return out ? nodeOf(out) : a;
}

/** {@link union} of two nodes of one place, either of which may be a member. */
export function unionNode(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return withSelf(b);
  return isEmptySet(b) ? withSelf(a) : mergeChildren(a, b);
}

/** What is in both. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => commonChildren(a, b) ?? emptySet;

function commonChildren(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const out: Record<Element, FieldSet> = {};
  for (const key in a) {
    const other = b[key];
    const node = key === self || other === undefined ? undefined : commonNode(a[key] as FieldSet, other);
    if (node) out[key] = node;
  }
  return isEmptySet(out) ? undefined : Object.freeze(out);
}

function commonNode(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const below = commonChildren(a, b);
  if (!isMember(a) || !isMember(b)) return below;
  return below ? withSelf(below) : leaf;
}

/** What is in `a` and not in `b`. That `b` has a field says nothing of those below. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => keptChildren(a, b, keptNode) ?? emptySet;

/** What is in `a`, and neither in `b` nor below a member of it. */
export const withoutTrees = (a: FieldSet, b: FieldSet): FieldSet => keptChildren(a, b, keptTree) ?? emptySet;

type Keep = (a: FieldSet, b: FieldSet) => FieldSet | undefined;

/** Undefined: none is left. */
function keptChildren(a: FieldSet, b: FieldSet, keep: Keep): FieldSet | undefined {
  let changes: Map<Element, FieldSet | undefined> | undefined;
  for (const key in b) {
    const node = key === self ? undefined : a[key];
    if (node === undefined) continue;
    const kept = keep(node, b[key] as FieldSet);
    if (kept !== node) (changes ??= new Map()).set(key, kept);
  }
  return changes ? withChanges(a, changes) : a;
}

function withChanges(set: FieldSet, changes: ReadonlyMap<Element, FieldSet | undefined>): FieldSet | undefined {
  const out: Record<Element, FieldSet> = {};
  let count = 0;
  for (const key in set) {
    const node = changes.has(key) ? changes.get(key) : set[key];
    if (!node) continue;
    out[key] = node;
    count++;
  }
  if (count === 1 && self in out) return leaf;
  return count === 0 ? undefined : Object.freeze(out);
}

function keptNode(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const below = keptChildren(a, b, keptNode);
  if (isMember(a) && isMember(b)) {
    const { [self]: _, ...children } = below ?? leaf;
    return isEmptySet(children) ? undefined : Object.freeze(children);
  }
  return below;
}

function keptTree(a: FieldSet, b: FieldSet): FieldSet | undefined {
  return isMember(b) ? undefined : keptChildren(a, b, keptTree);
}

/** What is below a field; the empty set when nothing is. */
export const below = (set: FieldSet, element: Element): FieldSet => set[element] ?? emptySet;

/** Whether a child of the root is a member itself. */
export function hasMember(set: FieldSet, element: Element): boolean {
  const node = set[element];
  return node !== undefined && isMember(node);
}

/** The members as messages name them, those of each level before those below: `.spec.ports[port=1].label`. */
export function pathsOf(set: FieldSet, prefix = ''): readonly string[] {
  const children = Object.keys(set).filter((key) => key !== self);
  const named = children.map((key) => [set[key] as FieldSet, `${prefix}${describeElement(key)}`] as const);
  return [
    ...named.filter(([node]) => isMember(node)).map(([, path]) => path),
    ...named.flatMap(([node, path]) => pathsOf(node, path)),
  ];
}

/** A set of fields of structs: `setOf(['status'], ['metadata', 'name'])`. */
export const setOf = (...paths: readonly (readonly string[])[]): FieldSet =>
  paths.reduce<FieldSet>(
    (set, path) =>
      union(
        set,
        path.reduceRight<FieldSet>((node, name) => Object.freeze({ [`f:${name}`]: node }), leaf),
      ),
    emptySet,
  );
