/** List types, and the keys of lists that are maps. */
import type { Cause } from '../../api-error.ts';
import { child, choiceFlaws, type FieldPath, forbidden, invalidValue, required } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';

/** Of one schema, not of what it holds. */
export function listFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const listType: string | undefined = schema['x-kubernetes-list-type'];
  const at = child(path, 'x-kubernetes-list-type');
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const wantsMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return [
    ...typeFlaws(schema, path),
    ...choiceFlaws(at, listType, ['atomic', 'set', 'map']),
    ...(keys.length > 0 && listType === undefined ? [required(at, wantsMap)] : []),
    ...(keys.length > 0 && listType !== undefined && listType !== 'map' ? [invalidValue(at, listType, wantsMap)] : []),
    ...(listType === 'map' ? mapFlaws(schema, path) : []),
    ...itemFlaws(schema, path),
  ];
}

function typeFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  if (schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    const at = child(path, 'type');
    return [schema.type ? invalidValue(at, schema.type, detail) : required(at, detail)];
  }
  const { items } = schema;
  if (listType !== 'set' || !items) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const itemType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && itemType !== undefined && itemType !== 'atomic') {
    return [invalidValue(child(path, 'items.x-kubernetes-list-type'), itemType, detail)];
  }
  // The real server shows the list type here, which an object has not.
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
    ? [invalidValue(child(path, 'items.x-kubernetes-map-type'), null, detail)]
    : [];
}

function mapFlaws({ items, 'x-kubernetes-list-map-keys': keys = [] }: Schema, path: FieldPath): readonly Cause[] {
  const at = child(path, 'x-kubernetes-list-map-keys');
  const found: Cause[] = [];
  if (keys.length === 0) found.push(required(at, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) return [...found, required(child(path, 'items'), 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...found, invalidValue(child(path, 'items.type'), items.type ?? '', detail)];
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (!property) {
      found.push(invalidValue(at, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      found.push(invalidValue(child(path, `items.properties[${key}].type`), items.type, detail));
    }
    if (seen.has(key)) found.push(invalidValue(at, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return found;
}

/** Items of sets and maps are always there, and so are the keys that tell them apart. */
function itemFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const { items, 'x-kubernetes-list-type': listType } = schema;
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const found: Cause[] = [];
  if (items.nullable) {
    found.push(
      forbidden(child(path, 'items.nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  }
  if (listType !== 'map') return found;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (!property) continue;
    const at = child(path, `items.properties[${key}]`);
    if (!items.required?.includes(key) && property.default === undefined) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      found.push(required(child(at, 'default'), detail));
    }
    if (property.nullable) {
      found.push(
        forbidden(child(at, 'nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
      );
    }
  }
  return found;
}
