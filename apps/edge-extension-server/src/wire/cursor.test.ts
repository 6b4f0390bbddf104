import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursor, wireTypes } from './cursor.ts';
import { encoded, type Field, fieldsArb, varint } from './wire.fixture.ts';
import { WireError } from './wire-error.ts';

const over = (bytes: readonly number[]): Cursor => new Cursor(Uint8Array.from(bytes));

/** The fields of a message, each as the fixture has it. */
function read(cursor: Cursor): Field[] {
  const fields: Field[] = [];
  while (cursor.next()) {
    const { field, bytes, from, to } = cursor;
    const value = [...bytes.subarray(from, to)];
    switch (cursor.type) {
      case wireTypes.varint:
        fields.push({ field, type: 'varint', value: cursor.uint64() });
        break;
      case wireTypes.fixed64:
        fields.push({ field, type: 'fixed64', value });
        break;
      case wireTypes.fixed32:
        fields.push({ field, type: 'fixed32', value });
        break;
      case wireTypes.bytes:
        fields.push({ field, type: 'bytes', value });
        break;
      case wireTypes.startGroup:
        fields.push({ field, type: 'group', value: read(cursor.enter()) });
        break;
    }
  }
  return fields;
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
  return 'none';
};

describe('Cursor', () => {
  it('an empty message has no field', () => {
    expect(over([]).next()).toBe(false);
  });

  it('tells where tag, value and next field stand', () => {
    const cursor = new Cursor(Uint8Array.from([0, 0, 0x12, 2, 7, 8, 0x08, 1, 9]), 2, 8);
    expect(cursor.next()).toBe(true);
    expect(cursor).toMatchObject({ field: 2, type: wireTypes.bytes, start: 2, from: 4, to: 6, after: 6 });
    expect([cursor.isBytes(2), cursor.isBytes(1), cursor.isVarint(2)]).toEqual([true, false, false]);
    expect(cursor.next()).toBe(true);
    expect(cursor).toMatchObject({ field: 1, type: wireTypes.varint, start: 6, from: 7, to: 8, after: 8 });
    expect([cursor.isBytes(1), cursor.isVarint(1)]).toEqual([false, true]);
    expect(cursor.next()).toBe(false);
  });

  it.each([
    { name: 'a tag that does not end', bytes: [0x80], want: 'truncated' },
    { name: 'a varint that does not end', bytes: [0x08, 0x80], want: 'truncated' },
    { name: 'no value', bytes: [0x08], want: 'truncated' },
    { name: 'no length', bytes: [0x0a], want: 'truncated' },
    { name: 'a length past the end', bytes: [0x0a, 2, 1], want: 'truncated' },
    { name: 'a length of 2^64-1', bytes: [0x0a, ...varint(2n ** 64n - 1n), 1], want: 'truncated' },
    { name: 'a length of 2^32', bytes: [0x0a, ...varint(2n ** 32n), 1], want: 'truncated' },
    { name: 'three of four bytes', bytes: [0x0d, 1, 2, 3], want: 'truncated' },
    { name: 'seven of eight bytes', bytes: [0x09, 1, 2, 3, 4, 5, 6, 7], want: 'truncated' },
    { name: 'a varint of 65 bits', bytes: [0x08, ...Array<number>(9).fill(0xff), 2], want: 'overlong-varint' },
    { name: 'a varint of eleven bytes', bytes: [0x08, ...Array<number>(10).fill(0x80), 0], want: 'overlong-varint' },
    { name: 'a tag of 2^64-1', bytes: [...varint(2n ** 64n - 1n), 0], want: 'bad-field-number' },
    { name: 'field 0', bytes: [0x00, 0], want: 'bad-field-number' },
    { name: 'field 0 in two bytes', bytes: [0x80, 0, 0], want: 'bad-field-number' },
    { name: 'field 2^29', bytes: [...varint(2n ** 32n), 0], want: 'bad-field-number' },
    { name: 'wire type 6', bytes: [0x0e, 0], want: 'bad-wire-type' },
    { name: 'wire type 7', bytes: [0x0f, 0], want: 'bad-wire-type' },
    { name: 'a group that nobody began', bytes: [0x0c], want: 'unbalanced-group' },
    { name: 'a group that ends as another', bytes: [0x0b, 0x14], want: 'unbalanced-group' },
    { name: 'groups crossed', bytes: [0x0b, 0x13, 0x0c, 0x14], want: 'unbalanced-group' },
    { name: 'a group without an end', bytes: [0x0b, 0x08, 1], want: 'truncated' },
    { name: 'wire type 6 in a group', bytes: [0x0b, 0x0e, 0x0c], want: 'bad-wire-type' },
    { name: '64 groups deep', bytes: [...Array<number>(64).fill(0x0b), ...Array<number>(64).fill(0x0c)], want: 'none' },
    {
      name: '65 groups deep',
      bytes: [...Array<number>(65).fill(0x0b), ...Array<number>(65).fill(0x0c)],
      want: 'too-deep',
    },
    { name: 'a million groups deep', bytes: Array<number>(1e6).fill(0x0b), want: 'too-deep' },
    { name: 'the highest field number', bytes: [...varint(2n ** 32n - 8n), 0], want: 'none' },
    { name: 'a tag with more bytes than it needs', bytes: [0x88, 0x80, 0x00, 1], want: 'none' },
  ])('$name: $want', ({ bytes, want }) => {
    expect(codeOf(() => over(bytes).next())).toBe(want);
  });

  it('a message that stands within others is read to its own end and no further', () => {
    expect(codeOf(() => new Cursor(Uint8Array.from([0x0a, 2, 1, 1]), 0, 3).next())).toBe('truncated');
    expect(codeOf(() => new Cursor(Uint8Array.from([0x08, 0x80, 1]), 0, 2).next())).toBe('truncated');
  });

  it.each([0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 35n + 5n, 2n ** 53n + 1n, 2n ** 64n - 1n])(
    'integer %s: all 64 bits, or the lowest 32',
    (value) => {
      const cursor = over([0x08, ...varint(value)]);
      cursor.next();
      expect(cursor.uint64()).toBe(value);
      expect(cursor.uint32()).toBe(Number(BigInt.asUintN(32, value)));
    },
  );

  it('text, a byte order mark and bytes that are none included', () => {
    const cursor = over([0x0a, 7, 0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x41, 0xff]);
    cursor.next();
    expect(cursor.text()).toBe('\uFEFFéA\uFFFD');
  });

  it('reads whatever was written, fields of every type and groups of groups', () => {
    fc.assert(
      fc.property(fieldsArb, (fields) => {
        expect(read(over(encoded(fields)))).toEqual(fields);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('fields follow each other without a gap, to the end', () => {
    fc.assert(
      fc.property(fieldsArb, (fields) => {
        const cursor = over(encoded(fields));
        let at = 0;
        while (cursor.next()) {
          expect(cursor.start).toBe(at);
          expect(cursor.start < cursor.from && cursor.from <= cursor.to && cursor.to <= cursor.after).toBe(true);
          at = cursor.after;
        }
        expect(at).toBe(cursor.end);
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it('any bytes are a message or a WireError, and no byte is read twice', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const cursor = new Cursor(bytes);
        let at = 0;
        expect(
          codeOf(() => {
            while (cursor.next()) {
              expect(cursor.after).toBeGreaterThan(at);
              at = cursor.after;
            }
            expect(at).toBe(bytes.length);
          }),
        ).toBeTypeOf('string');
      }),
      { seed: 3, numRuns: 3000 },
    );
  });

  it('a message cut short is a WireError, or one with fewer fields', () => {
    fc.assert(
      fc.property(fieldsArb, fc.nat(), (fields, cut) => {
        const bytes = encoded(fields);
        const rest = bytes.slice(0, cut % (bytes.length + 1));
        let seen: Field[] = [];
        const code = codeOf(() => (seen = read(over(rest))));
        if (code === 'none') expect(seen).toEqual(fields.slice(0, seen.length));
        else expect(code).toBe('truncated');
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
