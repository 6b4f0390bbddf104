/** The way back from what `decodeProtobuf` reads, as Go writes it. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parseTime,
  stringifyJson,
} from '@lifeline/core';
import type { Field, FieldType, MessageType, Scalar } from '../schema/message-type.ts';

/** A `runtime.Unknown` around an object. */
export function writeProtobuf(type: MessageType, object: JsonObject): Uint8Array {
  const meta = new BinaryWriter();
  writeBytes(meta, 1, Buffer.from(object['apiVersion'] as string));
  writeBytes(meta, 2, Buffer.from(object['kind'] as string));
  const unknown = new BinaryWriter();
  writeBytes(unknown, 1, meta.finish());
  writeBytes(unknown, 2, writeMessage(type, object));
  writeBytes(unknown, 3, new Uint8Array());
  writeBytes(unknown, 4, new Uint8Array());
  return Buffer.concat([Buffer.from('k8s\0'), unknown.finish()]);
}

function writeBytes(writer: BinaryWriter, number: number, bytes: Uint8Array): void {
  writer.tag(number, WireType.LengthDelimited).bytes(bytes);
}

function writeMessage(type: MessageType, object: JsonObject): Uint8Array {
  const writer = new BinaryWriter();
  for (const field of type.byNumber.values()) {
    const value = field.name === '...' ? object : ownValue(object, field.name);
    if (value !== undefined && value !== null) writeField(writer, field, value);
  }
  return writer.finish();
}

function writeField(writer: BinaryWriter, { number, type }: Field, value: JsonValue): void {
  if (type.form === 'list' && !type.wrapped && isJsonArray(value)) {
    for (const item of value) writeValue(writer.tag(number, wireType(type.items)), type.items, item);
  } else if (type.form === 'map' && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const entry = new BinaryWriter();
      writeBytes(entry, 1, Buffer.from(key));
      writeValue(entry.tag(2, wireType(type.values)), type.values, item ?? null);
      writeBytes(writer, number, entry.finish());
    }
  } else {
    writeValue(writer.tag(number, wireType(type)), type, value);
  }
}

function wireType(type: FieldType): WireType {
  if (type.form !== 'scalar') return WireType.LengthDelimited;
  if (type.scalar === 'float64') return WireType.Bit64;
  return ['bool', 'int32', 'int64'].includes(type.scalar) ? WireType.Varint : WireType.LengthDelimited;
}

function writeValue(writer: BinaryWriter, type: FieldType, value: JsonValue): void {
  if (type.form === 'scalar') writeScalar(writer, type.scalar, value);
  else writer.bytes(writeStruct(type, value));
}

function writeStruct(type: Exclude<FieldType, { form: 'scalar' }>, value: JsonValue): Uint8Array {
  const inner = new BinaryWriter();
  if (type.form === 'message') return writeMessage(type.message, isJsonObject(value) ? value : {});
  if (type.form === 'list' && isJsonArray(value)) {
    for (const item of value) writeValue(inner.tag(1, wireType(type.items)), type.items, item);
  }
  if (type.form === 'either') {
    for (const field of type.message.fields.values()) if (holds(field.type, value)) writeField(inner, field, value);
  }
  return inner.finish();
}

const holds = (type: FieldType, value: JsonValue): boolean =>
  type.form === 'list' ? isJsonArray(value) : type.form === 'message' ? isJsonObject(value) : value === true;

function writeScalar(writer: BinaryWriter, scalar: Scalar, value: JsonValue): void {
  const text = value === null ? '' : textOf(value);
  if (scalar === 'string') writer.string(text);
  else if (scalar === 'bool') writer.bool(value === true);
  else if (scalar === 'int32') writer.int32(Number(value));
  else if (scalar === 'int64') writer.int64(text || '0');
  else if (scalar === 'float64') writer.double(Number(value));
  else if (scalar === 'bytes') writer.bytes(Buffer.from(text, 'base64'));
  else writer.bytes(value === null ? new Uint8Array() : writeWrapped(scalar, value));
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));

/** Values with a message around them. */
function writeWrapped(scalar: Scalar, value: JsonValue): Uint8Array {
  const inner = new BinaryWriter();
  if (scalar === 'Time' || scalar === 'MicroTime') {
    const micros = parseTime(value) ?? 0n;
    const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
    inner.tag(1, WireType.Varint).int64((micros - fraction) / 1_000_000n);
    inner.tag(2, WireType.Varint).int32(Number(fraction) * 1000);
  } else if (scalar === 'IntOrString') {
    const isText = typeof value === 'string';
    inner.tag(1, WireType.Varint).int64(isText ? 1 : 0);
    inner.tag(2, WireType.Varint).int32(isText ? 0 : Number(value));
    writeBytes(inner, 3, Buffer.from(isText ? value : ''));
  } else {
    writeBytes(inner, 1, Buffer.from(scalar === 'Json' ? stringifyJson(value) : textOf(value)));
  }
  return inner.finish();
}
