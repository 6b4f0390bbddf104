import { type DescField, fromBinary, type Message, toBinary, toJson } from '@bufbuild/protobuf';
import { reflect, type ReflectList, type ReflectMap, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64Encode } from '@bufbuild/protobuf/wire';
import type { Any } from '@bufbuild/protobuf/wkt';
import { describeError, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@lifeline/core';
import { envoyRegistry, messageType } from './descriptors.ts';
import { EnvoyApiError } from './error.ts';
import { anyName, formKeys, hasOwnForm, isOpaque, ownFormKey, typeNameOf } from './forms.ts';
import { byKey, inOrder } from './order.ts';

/**
 * The message of a type as JSON.
 *
 * Shape: protobuf's JSON with names as in the .proto files, fields in the order of their numbers, keys of maps and Structs sorted; 64-bit
 * numbers and bytes are strings. An `Any` is its message with `@type`; one whose type or bytes nobody knows has `@bytes`. Unknown fields
 * stand under `@unknown`. A type that JSON has a form of its own for is its `value`, here and in an `Any`.
 * Guarantees: equal messages have equal JSON, whatever the order on the wire was.
 * Caveats: what a wrapper (`UInt32Value`) holds beside its value is lost.
 * @throws EnvoyApiError `unknown-type`, `unreadable`
 */
export function decodeMessage(typeName: string, bytes: Uint8Array): JsonObject {
  const desc = messageType(typeName);
  let message: Message;
  try {
    message = fromBinary(desc, bytes);
  } catch (error) {
    throw new EnvoyApiError('unreadable', `${typeName}: ${describeError(error)}`, { cause: error });
  }
  const json = messageJson(reflect(desc, message));
  return isJsonObject(json) && (!hasOwnForm(desc) || isOpaque(json)) ? json : { [ownFormKey]: json };
}

function messageJson(message: ReflectMessage): JsonValue {
  if (message.desc.typeName === anyName) return anyJson(message.message as Any);
  if (hasOwnForm(message.desc)) return ownForm(message);
  const json: Record<string, JsonValue> = {};
  for (const field of message.sortedFields) {
    if (message.isSet(field)) json[field.name] = fieldJson(message, field);
  }
  const unknown = message.getUnknown() ?? [];
  if (unknown.length > 0)
    json[formKeys.unknown] = unknown.map(({ no, wireType, data }) => ({ no, wireType, data: base64Encode(data) }));
  return json;
}

function anyJson({ typeUrl, value, $unknown }: Any): JsonValue {
  if (typeUrl === '' && value.length === 0 && !$unknown?.length) return {};
  const desc = envoyRegistry().getMessage(typeNameOf(typeUrl));
  const opaque = { [formKeys.type]: typeUrl, [formKeys.bytes]: base64Encode(value) };
  // Nothing has a place for the unknown fields of an Any itself.
  if (!desc) return opaque;
  let inner: JsonValue;
  try {
    inner = messageJson(reflect(desc, fromBinary(desc, value)));
  } catch {
    return opaque;
  }
  // Nested Anys have a `@type` themselves.
  if (isJsonObject(inner) && !hasOwnForm(desc) && desc.typeName !== anyName)
    return { [formKeys.type]: typeUrl, ...inner };
  return { [formKeys.type]: typeUrl, [ownFormKey]: inner };
}

/** A duration beyond its limits, a Value without one, what has unknown fields: these have no form of their own. */
function ownForm({ desc, message }: ReflectMessage): JsonValue {
  const opaque = (): JsonObject => ({ [formKeys.bytes]: base64Encode(toBinary(desc, message)) });
  if (message.$unknown?.length) return opaque();
  try {
    return inOrder(toJson(desc, message));
  } catch {
    return opaque();
  }
}

function fieldJson(message: ReflectMessage, field: DescField): JsonValue {
  const value: unknown = message.get(field);
  switch (field.fieldKind) {
    case 'list':
      return [...(value as ReflectList)].map((item) => itemJson(field, item));
    case 'map': {
      const json: Record<string, JsonValue> = {};
      const entries = [...(value as ReflectMap)].map(([key, item]) => [String(key), itemJson(field, item)] as const);
      for (const [key, item] of entries.sort(byKey)) setOwn(json, key, item);
      return json;
    }
    case 'message':
    case 'enum':
    case 'scalar':
      return itemJson(field, value);
  }
}

function itemJson({ message, enum: values }: DescField, item: unknown): JsonValue {
  if (message) return messageJson(item as ReflectMessage);
  if (values) return values.value[item as number]?.name ?? (item as number);
  if (item instanceof Uint8Array) return base64Encode(item);
  if (typeof item === 'number') return Number.isFinite(item) ? item : String(item);
  return typeof item === 'bigint' ? String(item) : (item as JsonValue);
}
