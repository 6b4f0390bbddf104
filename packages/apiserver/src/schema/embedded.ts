/** Objects within objects (`x-kubernetes-embedded-resource`) say what they are. Their metadata is not looked into. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { label1035Problems } from '../dns-syntax.ts';
import { child, type FieldPath, invalidValue, required } from '../field-error.ts';
import type { Structure } from './structure.ts';

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/objectmeta/validation.go */
export function embeddedObjects(value: JsonValue, structure: Structure, path: FieldPath = ''): readonly Cause[] {
  if (!structure.hasEmbedded) return [];
  if (isJsonArray(value)) {
    const { items } = structure;
    return items ? value.flatMap((item, index) => embeddedObjects(item, items, `${path}[${index}]`)) : [];
  }
  if (!isJsonObject(value)) return [];
  const own = structure.embedded ? [...apiVersionOf(value, path), ...kindOf(value, path)] : [];
  const below = Object.entries(value).map(([key, member]) => {
    const property = structure.properties.get(key);
    if (property) return embeddedObjects(member ?? null, property, child(path, key));
    return structure.rest ? embeddedObjects(member ?? null, structure.rest, `${path}[${key}]`) : [];
  });
  return [...own, ...below.flat()];
}

function apiVersionOf(object: JsonObject, path: FieldPath): readonly Cause[] {
  return textMember(object, child(path, 'apiVersion'), (text) =>
    text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined,
  );
}

function kindOf(object: JsonObject, path: FieldPath): readonly Cause[] {
  return textMember(object, child(path, 'kind'), (text) => {
    const wrong = label1035Problems(text.toLowerCase());
    return wrong.length > 0 ? `may have mixed case, but should otherwise match: ${wrong.join(',')}` : undefined;
  });
}

/** @param path of the member; its last part is the key */
function textMember(object: JsonObject, path: FieldPath, flaw: (text: string) => string | undefined): readonly Cause[] {
  const value = ownValue(object, path.slice(path.lastIndexOf('.') + 1));
  if (value === undefined) return [required(path)];
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  const found = flaw(value);
  return found === undefined ? [] : [invalidValue(path, value, found)];
}
