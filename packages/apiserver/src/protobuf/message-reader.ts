/** Protobuf messages of Kubernetes as JSON, field by field as their type tables say. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import {
  type EpochMicros,
  exactNumber,
  formatMicroTime,
  formatTime,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
  setOwn,
} from '@lifeline/core';
import type { Field, FieldType, MessageType, Scalar } from '../schema/message-type.ts';

type Members = Record<string, JsonValue>;

/**
 * A message as JSON, empty fields as they came. Fields that the type does not know are skipped, as Go does.
 * @throws Error where the bytes are no such message
 */
export function readMessage(type: MessageType, bytes: Uint8Array): JsonObject {
  const reader = new BinaryReader(bytes);
  const out: Members = {};
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = type.byNumber.get(number);
    if (field) readField(field, { reader, wireType, out });
    else reader.skip(wireType, number);
  }
  return out;
}

interface At {
  readonly reader: BinaryReader;
  readonly wireType: WireType;
  readonly out: Members;
}

function readField(field: Field, { reader, wireType, out }: At): void {
  const { type, name } = field;
  if (type.form === 'list' && !type.wrapped) {
    const items = (out[name] ??= []) as JsonValue[];
    items.push(...readItems(type.items, reader, wireType));
  } else if (type.form === 'map') {
    const [key, value] = readEntry(type.values, expectBytes(field, reader, wireType));
    setOwn((out[name] ??= {}) as Members, key, value);
  } else if (name === '...' && type.form === 'message') {
    Object.assign(out, readMessage(type.message, expectBytes(field, reader, wireType)));
  } else {
    expectWire(wireTypeOf(type), wireType, name);
    out[name] = readValue(type, reader);
  }
}

function expectWire(wanted: WireType, found: WireType, name: string): void {
  if (wanted !== found) throw new Error(`wrong wireType = ${found} for field ${name}`);
}

function expectBytes({ name }: Field, reader: BinaryReader, wireType: WireType): Uint8Array {
  expectWire(WireType.LengthDelimited, wireType, name);
  return reader.bytes();
}

/** One item, or many numbers packed into one field. */
function readItems(type: FieldType, reader: BinaryReader, wireType: WireType): JsonValue[] {
  const wanted = wireTypeOf(type);
  if (wireType !== WireType.LengthDelimited || wanted === WireType.LengthDelimited) {
    expectWire(wanted, wireType, 'items');
    return [readValue(type, reader)];
  }
  const packed = new BinaryReader(reader.bytes());
  const items: JsonValue[] = [];
  while (packed.pos < packed.len) items.push(readValue(type, packed));
  return items;
}

/** A map's entry is a message: 1 the key, 2 the value. */
function readEntry(values: FieldType, bytes: Uint8Array): [string, JsonValue] {
  const reader = new BinaryReader(bytes);
  let key = '';
  let value: JsonValue | undefined;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) key = reader.string(true);
    else if (number === 2) value = readValue(values, reader);
    else reader.skip(wireType, number);
  }
  return [key, value ?? readValue(values, new BinaryReader(emptyValue))];
}

/** A length of zero, or a number that is zero. */
const emptyValue = new Uint8Array([0]);

const wireTypeOf = (type: FieldType): WireType =>
  (type.form === 'scalar' ? plainWireTypes[type.scalar] : undefined) ?? WireType.LengthDelimited;

const plainWireTypes: Partial<Record<Scalar, WireType>> = {
  bool: WireType.Varint,
  int32: WireType.Varint,
  int64: WireType.Varint,
  float64: WireType.Bit64,
};

function readValue(type: FieldType, reader: BinaryReader): JsonValue {
  switch (type.form) {
    case 'scalar':
      return readScalar(type.scalar, reader);
    case 'message':
      return readMessage(type.message, reader.bytes());
    case 'list':
      return readWrapped(type.items, reader.bytes());
    case 'either':
      return readEither(type.message, reader.bytes());
    case 'map':
      throw new TypeError('a map is no single value');
  }
}

function readWrapped(items: FieldType, bytes: Uint8Array): JsonValue {
  const reader = new BinaryReader(bytes);
  const found: JsonValue[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) found.push(readValue(items, reader));
    else reader.skip(wireType, number);
  }
  return found;
}

/** The last field that says something: a schema goes before the boolean that allows it. */
function readEither(type: MessageType, bytes: Uint8Array): JsonValue {
  const set = readMessage(type, bytes);
  return [...type.fields.keys()].reduce<JsonValue>((found, name) => set[name] ?? found, null);
}

function readScalar(scalar: Scalar, reader: BinaryReader): JsonValue {
  switch (scalar) {
    case 'string':
      return reader.string(true);
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return exactNumber(String(reader.int64()));
    case 'float64':
      return exactNumber(String(reader.double()));
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'Time':
    case 'MicroTime':
      return readTime(scalar, reader.bytes());
    case 'Quantity':
      return readQuantity(reader.bytes());
    case 'IntOrString':
      return readIntOrString(reader.bytes());
    case 'Json':
      return readJson(reader.bytes());
  }
}

/** A message by field number, its numbers exact. */
function readNumbered(bytes: Uint8Array): ReadonlyMap<number, bigint | Uint8Array> {
  const reader = new BinaryReader(bytes);
  const found = new Map<number, bigint | Uint8Array>();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.Varint) found.set(number, BigInt(reader.int64()));
    else if (wireType === WireType.LengthDelimited) found.set(number, reader.bytes());
    else reader.skip(wireType, number);
  }
  return found;
}

const numberAt = (fields: ReadonlyMap<number, bigint | Uint8Array>, number: number): bigint => {
  const value = fields.get(number);
  return typeof value === 'bigint' ? value : 0n;
};

const bytesAt = (fields: ReadonlyMap<number, bigint | Uint8Array>, number: number): Uint8Array => {
  const value = fields.get(number);
  return value instanceof Uint8Array ? value : new Uint8Array();
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** 1 seconds, 2 nanoseconds. No bytes at all: Go's zero time. Whole seconds only in a `Time`. */
function readTime(kind: 'Time' | 'MicroTime', bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) return null;
  const fields = readNumbered(bytes);
  const seconds = numberAt(fields, 1) * 1_000_000n;
  if (kind === 'Time') return formatTime(seconds as EpochMicros);
  return formatMicroTime((seconds + numberAt(fields, 2) / 1000n) as EpochMicros);
}

/** 1 the text. */
const readQuantity = (bytes: Uint8Array): string => utf8.decode(bytesAt(readNumbered(bytes), 1)) || '0';

/** 1 whether it is a text, 2 the number, 3 the text. */
function readIntOrString(bytes: Uint8Array): JsonValue {
  const fields = readNumbered(bytes);
  if (numberAt(fields, 1) === 1n) return utf8.decode(bytesAt(fields, 3));
  return Number(BigInt.asIntN(32, numberAt(fields, 2)));
}

/** 1 the text of the JSON. */
function readJson(bytes: Uint8Array): JsonValue {
  const raw = bytesAt(readNumbered(bytes), 1);
  return raw.length === 0 ? null : parseJsonBytes(raw);
}
