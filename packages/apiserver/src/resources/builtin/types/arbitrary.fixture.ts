/** Objects of the built-in types, as clients may send them. */
import { JsonNumber, type JsonObject, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import type { Field, FieldType, MessageType, Scalar } from '../../../schema/message-type.ts';

/** Objects of a type, as clients may send them. @param depth structs within structs */
export function arbitraryMessage(type: MessageType, depth = 3): fc.Arbitrary<JsonObject> {
  const members: Record<string, fc.Arbitrary<JsonValue>> = {};
  for (const field of type.fields.values()) {
    if (depth > 0 || !isDeep(field.type)) members[field.name] = arbitraryField(field, depth);
  }
  return fc.record(members, { requiredKeys: [] });
}

const isDeep = (type: FieldType): boolean =>
  type.form === 'list' ? isDeep(type.items) : type.form === 'map' ? isDeep(type.values) : type.form !== 'scalar';

/** Now and then a null, which Go takes for nothing. */
const arbitraryField = (field: Field, depth: number): fc.Arbitrary<JsonValue> =>
  fc.oneof({ weight: 9, arbitrary: arbitraryValue(field.type, depth) }, { weight: 1, arbitrary: fc.constant(null) });

function arbitraryValue(type: FieldType, depth: number): fc.Arbitrary<JsonValue> {
  switch (type.form) {
    case 'scalar':
      return scalars[type.scalar];
    case 'message':
      return arbitraryMessage(type.message, depth - 1);
    case 'list':
      return fc.array(arbitraryValue(type.items, depth), { maxLength: 2 });
    case 'map':
      return fc.dictionary(keys, arbitraryValue(type.values, depth), { maxKeys: 2 });
    case 'either':
      return fc.oneof(...Array.from(type.message.fields.values(), (field) => arbitraryValue(field.type, depth)));
  }
}

const keys = fc.oneof(
  fc.constantFrom('a', '__proto__', 'constructor', '443', 'x.y/z'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);

const fraction = fc.integer({ min: 0, max: 999_999 }).map((micros) => String(micros).padStart(6, '0'));
const seconds = fc
  .date({ min: new Date('0005-01-01T00:00:00Z'), max: new Date('9990-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));

const scalars: Readonly<Record<Scalar, fc.Arbitrary<JsonValue>>> = {
  string: fc.string({ unit: 'grapheme', maxLength: 4 }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.integer(), fc.constant(new JsonNumber('9007199254740993'))),
  float64: fc.oneof(fc.integer(), fc.constantFrom(0.5, new JsonNumber('1.0'))),
  bytes: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  Time: fc.tuple(seconds, fc.constantFrom('Z', '.5Z', '+01:30')).map((parts) => parts.join('')),
  MicroTime: fc.tuple(seconds, fraction).map(([text, micros]) => `${text}.${micros}Z`),
  Quantity: fc.constantFrom('1', '0.5', '1.5Gi', '100m', '1e3', '-2k'),
  IntOrString: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.constantFrom('25%', 'http')),
  Json: fc.constantFrom<JsonValue>({ 'f:spec': { 'k:{"a":1}': {} } }, [1, 'a'], 5),
};
