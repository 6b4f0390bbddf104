/** Sets read by a schema: the fields of structs that they imply, and what becomes of them when the schema has changed since. */
import type { Element } from './element.ts';
import { type FieldSet, isEmptySet, leaf, nodeOf, withSelf } from './field-set.ts';
import type { MergeType } from './merge-type.ts';

/**
 * With the structs that have a member below them.
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/set.go EnsureNamedFieldsAreMembers
 */
export function withStructs(type: MergeType | undefined, set: FieldSet): FieldSet {
  const children: Record<Element, FieldSet> = {};
  for (const element of Object.keys(set)) {
    const node = set[element] as FieldSet;
    const inner = isEmptySet(node) ? node : withStructs(typeBelow(type, element), node);
    children[element] = isNamedField(type, element) ? withSelf(inner) : inner;
  }
  return nodeOf(children);
}

const isNamedField = (type: MergeType | undefined, element: Element): boolean =>
  element.startsWith('f:') && type?.map?.fields.has(element.slice(2)) === true;

function typeBelow(type: MergeType | undefined, element: Element): MergeType | undefined {
  if (!element.startsWith('f:')) return type?.list?.items;
  const map = type?.map;
  return map && (map.fields.get(element.slice(2))?.type ?? map.rest);
}

/** Sets that are known to fit, by the type they fit. */
const fitting = new WeakMap<FieldSet, MergeType>();

/**
 * A set that was written under an older schema, made to fit: who owned a part of what is one value now owns that value.
 * @param set frozen
 * @see kubernetes-sigs/structured-merge-diff@v6.3.3 typed/reconcile_schema.go
 */
export function fitToSchema(type: MergeType, set: FieldSet): FieldSet {
  if (fitting.get(set) === type) return set;
  const fitted = fitChildren(type, set);
  fitting.set(fitted, type);
  return fitted;
}

function fitChildren(type: MergeType, set: FieldSet): FieldSet {
  let out: Record<Element, FieldSet> | undefined;
  for (const element of Object.keys(set)) {
    const node = set[element] as FieldSet;
    const inner = isEmptySet(node) ? undefined : typeBelow(type, element);
    const fitted = inner ? fitNode(inner, node) : node;
    if (fitted !== node) (out ??= { ...set })[element] = fitted;
  }
  return out ? Object.freeze(out) : set;
}

/** @param node with others below */
function fitNode(type: MergeType, node: FieldSet): FieldSet {
  const isWhole = type.map ? type.map.atomic : !type.scalar && type.list?.kind === 'atomic';
  return isWhole ? leaf : fitChildren(type, node);
}
