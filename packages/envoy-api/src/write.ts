import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type Message,
  ScalarType,
  toBinary,
  type UnknownField,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64Decode, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import {
  describeError,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  ownValue,
} from '@lifeline/core';
import { messageType } from './descriptors.ts';
import { EnvoyApiError } from './error.ts';
import { anyName, formKeys, hasOwnForm, isOpaque, ownFormKey, typeNameOf } from './forms.ts';
import { byKey, inOrder, type Plain } from './order.ts';

/**
 * The bytes of a message that {@link decodeMessage} shows as JSON; names of fields may also be protobuf's JSON names.
 *
 * Guarantees: equal content gives equal bytes: fields in the order of their numbers, maps in the order of their keys.
 * @throws EnvoyApiError `unknown-type`; `invalid`, with the path of what does not fit
 */
export function encodeMessage(typeName: string, json: JsonObject): Uint8Array<ArrayBuffer> {
  const desc = messageType(typeName);
  const form = hasOwnForm(desc) && !isOpaque(json) ? (ownValue(json, ownFormKey) ?? null) : json;
  return toBinary(desc, messageFrom(desc, form, typeName).message);
}

function messageFrom(desc: DescMessage, json: JsonValue, path: string): ReflectMessage {
  if (isOpaque(json))
    return reflect(
      desc,
      attempt(path, () => fromBinary(desc, bytesFrom(json[formKeys.bytes]))),
    );
  if (hasOwnForm(desc))
    return reflect(
      desc,
      attempt(path, () => fromJson(desc, plainForm(desc, json))),
    );
  if (!isJsonObject(json)) throw new EnvoyApiError('invalid', `${path}: no object`);
  if (desc.typeName === anyName) return reflect(desc, anyFrom(json, path));
  const message = reflect(desc);
  for (const [name, value] of Object.entries(json)) {
    if (value === undefined) continue;
    const here = `${path}.${name}`;
    if (name === formKeys.unknown) {
      message.setUnknown(attempt(here, () => unknownFrom(value)));
      continue;
    }
    const field = desc.fields.find((field) => field.name === name || field.jsonName === name);
    if (!field) throw new EnvoyApiError('invalid', `${here}: no such field in ${desc.typeName}`);
    setField(message, field, { value, path: here });
  }
  return message;
}

/** What a double cannot hold is text to a wrapper, and a double to a Value. */
const plainForm = ({ typeName }: DescMessage, json: JsonValue): Plain =>
  json instanceof JsonNumber && typeName !== 'google.protobuf.Value' ? json.text : inOrder(json);

function anyFrom(json: JsonObject, path: string): Message {
  if (Object.keys(json).length === 0) return create(AnySchema);
  const { [formKeys.type]: url = '', [formKeys.bytes]: bytes, ...rest } = json;
  if (typeof url !== 'string') throw new EnvoyApiError('invalid', `${path}.${formKeys.type}: no string`);
  if (bytes !== undefined) return create(AnySchema, { typeUrl: url, value: attempt(path, () => bytesFrom(bytes)) });
  const desc = messageType(typeNameOf(url));
  const isWrapped = hasOwnForm(desc) || desc.typeName === anyName;
  const inner = messageFrom(desc, isWrapped ? (ownValue(rest, ownFormKey) ?? null) : rest, path);
  return create(AnySchema, { typeUrl: url, value: toBinary(desc, inner.message) });
}

interface Given {
  readonly value: JsonValue;
  readonly path: string;
}

function setField(message: ReflectMessage, field: DescField, { value, path }: Given): void {
  switch (field.fieldKind) {
    case 'list': {
      if (!isJsonArray(value)) throw new EnvoyApiError('invalid', `${path}: no list`);
      const list = message.get(field);
      value.forEach((item, i) => {
        const here = `${path}[${i}]`;
        attempt(here, () => list.add(itemFrom(field, { value: item, path: here })));
      });
      return;
    }
    case 'map': {
      if (!isJsonObject(value)) throw new EnvoyApiError('invalid', `${path}: no object`);
      const map = message.get(field);
      for (const [key, item] of Object.entries(value).sort(byKey)) {
        const here = `${path}[${JSON.stringify(key)}]`;
        if (item !== undefined)
          attempt(here, () => map.set(keyFrom(field.mapKey, key), itemFrom(field, { value: item, path: here })));
      }
      return;
    }
    case 'message':
    case 'enum':
    case 'scalar':
      attempt(path, () => message.set(field, itemFrom(field, { value, path })));
  }
}

function itemFrom({ message, enum: values, scalar }: DescField, { value, path }: Given): unknown {
  if (message) return messageFrom(message, value, path);
  if (values) return values.values.find(({ name }) => name === value)?.number ?? Number(value);
  if (scalar === undefined || scalar === ScalarType.STRING || scalar === ScalarType.BOOL) return value;
  if (scalar === ScalarType.BYTES) return bytesFrom(value);
  return is64Bit.has(scalar) ? BigInt(textOf(value)) : Number(value);
}

function keyFrom(type: ScalarType, key: string): unknown {
  if (type === ScalarType.STRING) return key;
  if (type === ScalarType.BOOL) return key === 'true';
  return is64Bit.has(type) ? BigInt(key) : Number(key);
}

const is64Bit: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function textOf(value: JsonValue): string {
  if (isJsonArray(value) || isJsonObject(value)) throw new TypeError('no number');
  return String(value);
}

function bytesFrom(value: JsonValue | undefined): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'string') throw new TypeError('no base64');
  return base64Decode(value);
}

function unknownFrom(value: JsonValue): UnknownField[] {
  if (!isJsonArray(value)) throw new TypeError('no list');
  return value.map((item) => {
    const { no, wireType: number, data } = item as JsonObject;
    const wireType = byNumber[Number(number)];
    if (wireType === undefined) throw new TypeError('no wire type');
    return { no: Number(no), wireType, data: bytesFrom(data) };
  });
}

const byNumber = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
];

/** What the library throws says nothing of where it was. */
function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof EnvoyApiError) throw error;
    throw new EnvoyApiError('invalid', `${path}: ${describeError(error)}`, { cause: error });
  }
}
