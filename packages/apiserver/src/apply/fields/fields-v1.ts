import { isJsonObject, type JsonValue } from '@lifeline/core';
import { type Element, parseElement } from './element.ts';
import { emptySet, type FieldSet, isEmptySet, nodeOf, unionNode, withSelf } from './field-set.ts';

/** FieldsV1 objects that are sets already. */
const sets = new WeakMap<object, FieldSet>();

/**
 * A `fieldsV1` as a client or the store has it, as a set: steps in our spelling, unknown kinds of steps passed over.
 * @param fields remembered when it is frozen
 * @throws JsonError or TypeError for what is no FieldsV1
 */
export function parseFields(fields: JsonValue | undefined): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJsonObject(fields)) throw new TypeError('fieldsV1 is no object');
  const known = sets.get(fields);
  if (known) return known;
  const set = parseNode(fields).children;
  if (Object.isFrozen(fields)) sets.set(fields, set);
  return set;
}

/** A set as it is stored: itself, and known for one when it is read again. */
export function writeFields(set: FieldSet): FieldSet {
  sets.set(set, set);
  return set;
}

function parseNode(value: JsonValue | undefined): { readonly children: FieldSet; readonly isMember: boolean } {
  if (value === undefined || value === null) return { children: emptySet, isMember: true };
  if (!isJsonObject(value)) throw new TypeError('a path element holds no object');
  const children: Record<Element, FieldSet> = {};
  let isMember = false;
  for (const key of Object.keys(value)) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const inner = parseNode(value[key]);
    const node = inner.isMember ? withSelf(inner.children) : inner.children;
    const before = children[element];
    children[element] = before ? unionNode(before, node) : node;
  }
  const hasChildren = !isEmptySet(children);
  return { children: hasChildren ? nodeOf(children) : emptySet, isMember: isMember || !hasChildren };
}
