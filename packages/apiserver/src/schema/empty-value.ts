/** What Go writes of values that are empty or missing. */
import { deepFreeze, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import type { Field, FieldType, MessageType } from './message-type.ts';

/**
 * What is left of a field's value; undefined where Go leaves the field out. Lists and maps that are empty are gone even where they are
 * written: they do not survive etcd.
 */
export function kept(field: Field, value: JsonValue): JsonValue | undefined {
  if (value === null) return field.always ? zeroOf(field) : undefined;
  if (field.pointer || !isEmpty(field.type, value)) return value;
  return field.always ? zeroOf(field) : undefined;
}

function isEmpty(type: FieldType, value: JsonValue): boolean {
  switch (type.form) {
    case 'scalar':
      return value === '' || value === 0 || value === false;
    case 'list':
      return isJsonArray(value) && value.length === 0;
    case 'map':
      return isJsonObject(value) && Object.keys(value).length === 0;
    case 'message':
    case 'either':
      return false;
  }
}

/** Of a field that is missing and written all the same. */
export const zeroOf = (field: Field): JsonValue => (field.pointer ? null : zeroOfType(field.type));

/** Of a null in a list or a map. */
export function zeroOfType(type: FieldType): JsonValue {
  switch (type.form) {
    case 'scalar':
      return zeros[type.scalar];
    case 'message':
      return zeroMessage(type.message);
    case 'list':
    case 'map':
    case 'either':
      return null;
  }
}

const zeroMessages = new WeakMap<MessageType, JsonObject>();

/** A struct about which nothing is said. Frozen, and shared. */
export function zeroMessage(type: MessageType): JsonObject {
  let zero = zeroMessages.get(type);
  if (!zero) {
    zero = deepFreeze(Object.fromEntries(type.always.map((field) => [field.name, zeroOf(field)])));
    zeroMessages.set(type, zero);
  }
  return zero;
}

const zeros = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: '',
  Time: null,
  MicroTime: null,
  Quantity: '0',
  IntOrString: 0,
  Json: null,
} as const;
