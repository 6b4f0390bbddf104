import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encoded, type Field, fieldsArb } from './wire.fixture.ts';
import { message, Writer } from './writer.ts';

/** Messages in messages, some with a wrong guess of their length. */
type Tree = readonly { readonly field: number; readonly guess: number; readonly content: Tree | string | number }[];

const treeArb: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.array(
    fc.record({
      field: fc.integer({ min: 1, max: 3000 }),
      guess: fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, 3_000_000),
      content: fc.oneof({ maxDepth: 4 }, fc.string({ maxLength: 200 }), fc.maxSafeNat(), tie('tree')),
    }),
    { maxLength: 5 },
  ),
})).tree;

function write(writer: Writer, tree: Tree): void {
  for (const { field, guess, content } of tree) {
    if (typeof content === 'string') writer.text(field, content);
    else if (typeof content === 'number') writer.uint(field, content);
    else {
      writer.begin(field, guess);
      write(writer, content);
      writer.end();
    }
  }
}

const plain = (tree: Tree): Field[] =>
  tree.map(({ field, content }) => {
    if (typeof content === 'number') return { field, type: 'varint', value: BigInt(content) };
    const value = typeof content === 'string' ? [...new TextEncoder().encode(content)] : encoded(plain(content));
    return { field, type: 'bytes', value };
  });

describe('Writer', () => {
  it('messages in messages, whatever length was guessed', () => {
    fc.assert(
      fc.property(treeArb, (tree) => {
        expect([...message((writer) => write(writer, tree))]).toEqual(encoded(plain(tree)));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it.each(['', 'plain', '\x7f', '\x80', '\xff', 'grüße', '中', '\u{1f600}', '\ud83d', `${'a'.repeat(300)}ß`])(
    'writes text as UTF-8: %j',
    (text) => {
      const value = [...new TextEncoder().encode(text)];
      expect([...message((writer) => writer.text(3, text))]).toEqual(encoded([{ field: 3, type: 'bytes', value }]));
    },
  );

  it('grows, and is used again without a trace of before', () => {
    const writer = new Writer(1);
    const big = 'x'.repeat(100_000);
    writer.text(1, big);
    expect(writer.written()).toHaveLength(100_004);
    writer.reset();
    writer.uint(1, 5);
    expect([...writer.written()]).toEqual([0x08, 5]);
  });

  it('copies of the source stand between what is written, in order', () => {
    fc.assert(
      fc.property(fieldsArb, fc.infiniteStream(fc.boolean()), (fields, doubled) => {
        const source = Uint8Array.from(encoded(fields));
        const writer = new Writer(8);
        writer.reset(source);
        const want: Field[] = [];
        let at = 0;
        for (const field of fields) {
          const { length } = encoded([field]);
          writer.copy(at, at + length);
          at += length;
          want.push(field);
          if (doubled.next().value) {
            writer.uint(7, 300);
            want.push({ field: 7, type: 'varint', value: 300n });
          }
          expect(writer.length).toBe(encoded(want).length);
        }
        expect([...writer.written()]).toEqual(encoded(want));
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it('tells where the value of an ended message begins', () => {
    const writer = new Writer();
    writer.begin(1, 5000);
    writer.text(2, 'abc');
    expect(writer.end()).toBe(2);
    writer.begin(1);
    writer.text(2, 'y'.repeat(200));
    const from = writer.end();
    expect(writer.written().subarray(from, from + 4)).toEqual(Uint8Array.from([0x12, 200, 1, 0x79]));
  });

  it('an end without a beginning is a mistake of ours', () => {
    expect(() => new Writer().end()).toThrow(RangeError);
  });
});
