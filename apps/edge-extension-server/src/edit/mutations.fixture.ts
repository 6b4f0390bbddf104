/** Hook requests that nobody sends: real ones, damaged in every way that bytes can be, or changed so that they still read as messages. */
import type { Random } from '@lifeline/core';
import { Cursor, wireTypes } from '../wire/cursor.ts';
import { encodeText } from '../wire/text.ts';
import { varint } from '../wire/wire.fixture.ts';

/** The same request, a few times mutated. */
export function mutated(request: Uint8Array, random: Random): Uint8Array {
  let bytes = request;
  for (let times = 1 + random.int(4); times > 0; times--) {
    // Damage mostly ends in bytes that nobody can read: changes get further.
    const mutate = random.int(3) === 0 ? pick(damages, random) : changed;
    bytes = mutate(bytes, random);
  }
  return bytes;
}

type Mutate = (bytes: Uint8Array, random: Random) => Uint8Array;

const pick = <T>(items: readonly T[], random: Random): T => items[random.int(items.length)] as T;

const damages: readonly Mutate[] = [
  // Truncated.
  (bytes, random) => bytes.slice(0, random.int(bytes.length + 1)),
  // Bits flipped.
  (bytes, random) => {
    const copy = bytes.slice();
    for (let times = 1 + random.int(8); times > 0 && copy.length > 0; times--) {
      const at = random.int(copy.length);
      copy[at] = (copy[at] as number) ^ (1 << random.int(8));
    }
    return copy;
  },
  // Cut out.
  (bytes, random) => {
    const from = random.int(bytes.length + 1);
    return joined(bytes.subarray(0, from), bytes.subarray(Math.min(bytes.length, from + random.int(64))));
  },
  // Said twice.
  (bytes, random) => {
    const from = random.int(bytes.length + 1);
    const to = Math.min(bytes.length, from + random.int(256));
    return joined(bytes.subarray(0, to), bytes.subarray(from));
  },
  // Something in between.
  (bytes, random) => {
    const from = random.int(bytes.length + 1);
    const noise = Uint8Array.from({ length: 1 + random.int(12) }, () => random.int(256));
    return joined(bytes.subarray(0, from), noise, bytes.subarray(from));
  },
];

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A field with its tag and length: what it says may be changed, its length is then put right in all that it stands in. */
interface Field {
  readonly field: number;
  readonly type: number;
  readonly value: Uint8Array;
}

function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const fields: Field[] = [];
  const cursor = new Cursor(bytes);
  try {
    while (cursor.next()) {
      if (cursor.type === wireTypes.startGroup) return undefined;
      fields.push({ field: cursor.field, type: cursor.type, value: bytes.slice(cursor.from, cursor.to) });
    }
  } catch {
    return undefined;
  }
  return fields;
}

const encodeField = ({ field, type, value }: Field): Uint8Array =>
  joined(
    Uint8Array.from(varint(BigInt(field) * 8n + BigInt(type))),
    type === wireTypes.bytes ? Uint8Array.from(varint(BigInt(value.length))) : new Uint8Array(),
    value,
  );

/** One field somewhere in the message, as deep as it goes, is changed. */
const changed: Mutate = (bytes, random) => {
  const fields = fieldsOf(bytes);
  if (!fields || fields.length === 0) return pick(contents, random)(bytes, random);
  const at = random.int(fields.length);
  const chosen = fields[at] as Field;
  const before = fields.slice(0, at);
  const after = fields.slice(at + 1);
  // Most of what is worth changing is deep inside.
  if (chosen.type === wireTypes.bytes && random.int(8) !== 0) {
    const inside = { ...chosen, value: changed(chosen.value, random) };
    return joined(...[...before, inside, ...after].map(encodeField));
  }
  return joined(...pick(changes, random)({ before, chosen, after }, random).map(encodeField));
};

interface Around {
  readonly before: readonly Field[];
  readonly chosen: Field;
  readonly after: readonly Field[];
}

const edges = [
  0n,
  1n,
  127n,
  128n,
  65_535n,
  65_536n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
];
const edgeField = (field: number, random: Random): Field => ({
  field,
  type: wireTypes.varint,
  value: Uint8Array.from(varint(pick(edges, random))),
});

const changes: readonly ((around: Around, random: Random) => readonly Field[])[] = [
  // Left out.
  ({ before, after }) => [...before, ...after],
  // Repeated, where it stands or at the end.
  ({ before, chosen, after }) => [...before, chosen, chosen, ...after],
  ({ before, chosen, after }) => [...before, chosen, ...after, chosen],
  // The first at last.
  ({ before, chosen, after }) => [...before, ...after, chosen],
  // A number of 64 bits at its edges.
  ({ before, chosen, after }, random) => [...before, edgeField(chosen.field, random), ...after],
  // As another field, known or not.
  ({ before, chosen, after }, random) => [
    ...before,
    { ...chosen, field: pick([1, 2, 3, 4, 5, 7, 24, 33, 43, 2 ** 29 - 1], random) },
    ...after,
  ],
  // With something that nobody knows beside it.
  ({ before, chosen, after }, random) => [...before, edgeField(1000 + random.int(9000), random), chosen, ...after],
  // In eight bytes, or in four.
  ({ before, chosen, after }) => [
    ...before,
    { ...chosen, type: wireTypes.fixed64, value: new Uint8Array(8).fill(255) },
    ...after,
  ],
  ({ before, chosen, after }) => [
    ...before,
    { ...chosen, type: wireTypes.fixed32, value: new Uint8Array(4) },
    ...after,
  ],
  // Empty.
  ({ before, chosen, after }) => [...before, { ...chosen, type: wireTypes.bytes, value: new Uint8Array() }, ...after],
];

/** What a text, or a message with nothing in it, may become. */
const contents: readonly Mutate[] = [
  () => new Uint8Array(),
  () => encodeText('connector.local'),
  () => encodeText('__proto__'),
  () => encodeText('/'),
  () => encodeText('httproute/a/b/rule/18446744073709551616/backend/-1'),
  () => Uint8Array.of(0xff, 0xfe, 0x80),
  (bytes) => joined(bytes, bytes),
  (bytes, random) => joined(bytes, encodeText(String(random.int(10)))),
  (_, random) => encodeText('x'.repeat(random.int(300))),
  (_, random) => encodeField(edgeField(1 + random.int(10), random)),
];
