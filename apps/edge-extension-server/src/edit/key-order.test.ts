import { encodeMessage } from '@lifeline/envoy-api';
import { describe, expect, it } from 'vitest';
import { wireTypes } from '../wire/cursor.ts';
import { encodeText, sliceOf } from '../wire/text.ts';
import { message, type Writer } from '../wire/writer.ts';
import { any, mapEntry, struct, value } from './envoy-fields.ts';
import { KeyOrder } from './key-order.ts';
import { placeType } from './map-places.ts';

type Write = (out: Writer) => void;

const anyType = placeType('envoy.config.core.v3.TypedExtensionConfig').places[2]?.leadsTo;

const anyOf = (type: string, content: Uint8Array): Uint8Array =>
  message((out) => {
    out.text(any.typeUrl, `type.googleapis.com/${type}`);
    out.bytes(any.value, content);
  }).slice();

const structOf = (...entries: readonly Write[]): Uint8Array =>
  message((out) => {
    for (const entry of entries) entry(out);
  }).slice();

/** A Struct's entry: its value is a text, or fields of a Struct. */
const entry =
  (key: string, content: string | readonly Write[]): Write =>
  (out) => {
    out.begin(struct.fields);
    out.text(mapEntry.key, key);
    out.begin(mapEntry.value);
    if (typeof content === 'string') out.text(value.string, content);
    else out.bytes(value.struct, structOf(...content));
    out.end();
    out.end();
  };

/** An `Any` that holds a Struct, after it was put in order. */
function sorted(...entries: readonly Write[]): Uint8Array {
  const bytes = anyOf('google.protobuf.Struct', structOf(...entries));
  if (!anyType) throw new Error('no Any there');
  new KeyOrder().sort(sliceOf(bytes), anyType);
  return bytes;
}
const expected = (...entries: readonly Write[]): Uint8Array => anyOf('google.protobuf.Struct', structOf(...entries));

const [a, b, c] = ['a', 'b', 'c'].map((key) => entry(key, `value of ${key}`)) as [Write, Write, Write];

describe('the entries of a map', () => {
  it.each<{ name: string; given: Write[]; want: Write[] }>([
    { name: 'none', given: [], want: [] },
    { name: 'one', given: [a], want: [a] },
    { name: 'in order', given: [a, b, c], want: [a, b, c] },
    {
      name: 'of different lengths',
      given: [c, entry('b', 'x'.repeat(20_000)), a],
      want: [a, entry('b', 'x'.repeat(20_000)), c],
    },
    { name: 'a prefix comes first', given: [entry('aa', ''), a], want: [a, entry('aa', '')] },
    { name: 'the order is of bytes', given: [entry('é', ''), entry('z', '')], want: [entry('z', ''), entry('é', '')] },
    {
      name: 'maps in maps',
      given: [entry('o', [c, a]), entry('n', [entry('m', [b, a])])],
      want: [entry('n', [entry('m', [a, b])]), entry('o', [a, c])],
    },
    {
      name: 'of one key twice the last still counts',
      given: [c, entry('a', 'first'), entry('a', 'last'), b],
      want: [entry('a', 'first'), entry('a', 'last'), b, c],
    },
    {
      name: 'an entry without a key comes first',
      given: [b, (out) => out.bytes(struct.fields, new Uint8Array())],
      want: [(out) => out.bytes(struct.fields, new Uint8Array()), b],
    },
    {
      name: 'what stands between them stays where it is',
      given: [c, b, (out) => out.uint(99, 7), b, a],
      want: [b, c, (out) => out.uint(99, 7), a, b],
    },
    {
      name: 'a field of the same number that is no entry stays where it is',
      given: [c, b, (out) => out.uint(struct.fields, 7), b, a],
      want: [b, c, (out) => out.uint(struct.fields, 7), a, b],
    },
  ])('$name', ({ given, want }) => {
    expect(sorted(...given)).toEqual(expected(...want));
  });
});

it('what cannot be read stays as it is, with what stands behind it', () => {
  const broken: Write = (out) => out.raw(Uint8Array.of(0x0a, 0x7f));
  expect(sorted(c, b, broken)).toEqual(expected(c, b, broken));
});

/** A Struct in a Struct in a Struct …, around these bytes; written from its end, as each length depends on what is inside. */
function nested(levels: number, innermost: Uint8Array): Uint8Array {
  const room = new Uint8Array(levels * 20 + innermost.length);
  let from = room.length - innermost.length;
  room.set(innermost, from);
  for (let level = 0; level < levels; level++) {
    for (const field of [value.struct, mapEntry.value, struct.fields]) {
      const head = message((out) => {
        out.uint(field, room.length - from);
      });
      from -= head.length;
      room.set(head, from);
      room[from] = (room[from] as number) + wireTypes.bytes;
    }
  }
  return room.slice(from);
}

it.each([
  { levels: 20, want: expected(a, b) },
  { levels: 20_000, want: expected(b, a) },
])(
  '$levels Structs in each other: what nobody reads stays as it is, and the stack does not overflow',
  ({ levels, want }) => {
    const bytes = anyOf('google.protobuf.Struct', nested(levels, structOf(b, a)));
    new KeyOrder().sort(sliceOf(bytes), anyType as NonNullable<typeof anyType>);
    const tail = structOf(b, a).length;
    expect(bytes.subarray(-tail)).toEqual(want.subarray(-tail));
  },
);

it('an Any of a type that nobody knows stays as it is', () => {
  const bytes = anyOf('example.com.Unknown', structOf(b, a));
  const before = bytes.slice();
  new KeyOrder().sort(sliceOf(bytes), anyType as NonNullable<typeof anyType>);
  expect(bytes).toEqual(before);
});

it('a map outside of an Any stays as it came', () => {
  const bytes = message((out) => {
    out.bytes(1, encodeText('name'));
    out.bytes(25, encodeMessage('envoy.config.core.v3.Metadata', { filter_metadata: { a: {} } }));
    out.bytes(25, encodeMessage('envoy.config.core.v3.Metadata', { filter_metadata: { b: {}, a: {} } }));
  }).slice();
  const before = bytes.slice();
  new KeyOrder().sort(sliceOf(bytes), placeType('envoy.config.cluster.v3.Cluster'));
  expect(bytes).toEqual(before);
});
