import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { messageType } from '../descriptors.ts';

/**
 * Whether every field that is known is written as its type is; one that is not counts as unknown everywhere but with the library that
 * the rest of this package is built on, which reads on behind it. `Any`s are not looked into.
 */
export function isWellTyped(typeName: string, bytes: Uint8Array): boolean {
  try {
    return isWellTypedMessage(messageType(typeName), bytes);
  } catch {
    return false;
  }
}

function isWellTypedMessage(desc: DescMessage, bytes: Uint8Array): boolean {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = desc.fields.find((each) => each.number === number);
    if (!field) {
      reader.skip(wireType, number);
      continue;
    }
    if (!isWrittenAs(field, wireType)) return false;
    if (wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    const value = reader.bytes();
    if (field.fieldKind === 'map') {
      if (!isWellTypedEntry(field, value)) return false;
    } else if (field.message && !isWellTypedMessage(field.message, value)) return false;
  }
  return true;
}

const numbers: Readonly<Record<number, WireType>> = {
  [ScalarType.DOUBLE]: WireType.Bit64,
  [ScalarType.FIXED64]: WireType.Bit64,
  [ScalarType.SFIXED64]: WireType.Bit64,
  [ScalarType.FLOAT]: WireType.Bit32,
  [ScalarType.FIXED32]: WireType.Bit32,
  [ScalarType.SFIXED32]: WireType.Bit32,
  [ScalarType.STRING]: WireType.LengthDelimited,
  [ScalarType.BYTES]: WireType.LengthDelimited,
};

function isWrittenAs(field: DescField, wireType: WireType): boolean {
  if (field.fieldKind === 'map' || field.message) return wireType === WireType.LengthDelimited;
  const own = field.scalar === undefined ? WireType.Varint : (numbers[field.scalar] ?? WireType.Varint);
  // Lists of numbers may be packed.
  return wireType === own || (field.fieldKind === 'list' && wireType === WireType.LengthDelimited);
}

/** Of a map: the key is field 1, the value field 2. */
function isWellTypedEntry(field: DescField & { readonly fieldKind: 'map' }, entry: Uint8Array): boolean {
  const reader = new BinaryReader(entry);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) {
      if (wireType !== (numbers[field.mapKey] ?? WireType.Varint)) return false;
    } else if (number === 2) {
      const isMessage = field.message !== undefined;
      const own = field.scalar === undefined ? WireType.Varint : (numbers[field.scalar] ?? WireType.Varint);
      if (wireType !== (isMessage ? WireType.LengthDelimited : own)) return false;
      if (field.message) {
        if (!isWellTypedMessage(field.message, reader.bytes())) return false;
        continue;
      }
    }
    reader.skip(wireType, number);
  }
  return true;
}
