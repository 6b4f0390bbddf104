/* eslint-disable no-restricted-imports -- for tests only: no other file imports this one */
import fc from 'fast-check';
import { exactNumber, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './value.ts';

/** Names that objects inherit, that look like indices, that pointers escape, or that sort unlike they look. */
const awkwardKeys = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'length'],
  ...['443', '80', '8080', '0', '-1', '01', '-', ''],
  ...['a/b', 'm~n', '~1', '/', 'a"b', 'a\\', 'é', 'z', 'Z', '\u{1f600}', '\ufb33', '\u2028', '\ud83d'],
];

export const keyArb: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'spec', 'status') },
  { weight: 2, arbitrary: fc.constantFrom(...awkwardKeys) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);

const digits = fc.oneof(
  fc.nat(1000).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
  fc.constantFrom('0', '9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775807'),
);
const tail = fc.stringMatching(/^[0-9]{1,3}$/);

/** Every form of JSON number, as text. */
export const numberTextArb: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(tail, { nil: undefined, freq: 2 }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), tail), { nil: undefined, freq: 2 }),
  )
  .map(([sign, whole, fraction, exponent]) => {
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`;
  });

/** Strings that look like numbers in JSON, that need escapes, or that are no well-formed UTF-16. */
export const stringArb: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '1.0',
    ':1.0,',
    '"1.0"',
    '\\',
    '\\"',
    '\\\\',
    ',-0]',
    '[1e21]',
    '\ud800',
    'x\udc00',
    '\u0000\u001f',
    '',
  ),
);

/** The object of these members; later ones win. `Object.fromEntries` makes `__proto__` a member. */
export const objectOf = (members: readonly (readonly [string, JsonValue])[]): JsonObject => Object.fromEntries(members);

const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    numberTextArb.map(exactNumber),
    stringArb,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(keyArb, tie('value')), { maxLength: 5 }).map(objectOf),
}));

/** Any JSON value. */
export const jsonArb: fc.Arbitrary<JsonValue> = value;

/** The same content with the members of every object in another order, as far as JavaScript lets one choose it. */
export function reordered(content: JsonValue, seed: number): JsonValue {
  if (isJsonArray(content)) return content.map((item) => reordered(item, seed));
  if (!isJsonObject(content)) return content;
  const rank = (key: string): number =>
    Array.from(key).reduce((sum, char) => (sum * 31 + char.charCodeAt(0) * seed) % 9973, seed);
  const members = Object.entries(content) as [string, JsonValue][];
  members.sort(([a], [b]) => rank(a) - rank(b));
  return objectOf(members.map(([key, member]) => [key, reordered(member, seed)]));
}
