/** Messages for tests: any fields, and their encoding written a second time, plainly. */
import fc from 'fast-check';

export type Field =
  | { readonly field: number; readonly type: 'varint'; readonly value: bigint }
  | { readonly field: number; readonly type: 'fixed64' | 'fixed32'; readonly value: readonly number[] }
  | { readonly field: number; readonly type: 'bytes'; readonly value: readonly number[] }
  | { readonly field: number; readonly type: 'group'; readonly value: readonly Field[] };

export function varint(value: bigint): number[] {
  const bytes = [];
  let rest = value;
  while (rest >= 128n) {
    bytes.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  return [...bytes, Number(rest)];
}

const tag = (field: number, type: number): number[] => varint(BigInt(field) * 8n + BigInt(type));

export function encoded(fields: readonly Field[]): number[] {
  return fields.flatMap((each) => {
    switch (each.type) {
      case 'varint':
        return [...tag(each.field, 0), ...varint(each.value)];
      case 'fixed64':
        return [...tag(each.field, 1), ...each.value];
      case 'fixed32':
        return [...tag(each.field, 5), ...each.value];
      case 'bytes':
        return [...tag(each.field, 2), ...varint(BigInt(each.value.length)), ...each.value];
      case 'group':
        return [...tag(each.field, 3), ...encoded(each.value), ...tag(each.field, 4)];
    }
  });
}

const byte = fc.nat(255);
const field = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 2 ** 29 - 1 }));
const bytes = (length: number): fc.Arbitrary<number[]> => fc.array(byte, { minLength: length, maxLength: length });

/** Fields of every wire type, groups within groups included. */
export const fieldsArb: fc.Arbitrary<Field[]> = fc.letrec<{ field: Field; fields: Field[] }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 4 },
    fc.record({ field, type: fc.constant('varint'), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
    fc.record({ field, type: fc.constant('fixed64'), value: bytes(8) }),
    fc.record({ field, type: fc.constant('fixed32'), value: bytes(4) }),
    fc.record({ field, type: fc.constant('bytes'), value: fc.array(byte, { maxLength: 200 }) }),
    fc.record({ field, type: fc.constant('group'), value: tie('fields') }),
  ),
  fields: fc.array(tie('field'), { maxLength: 6 }),
})).fields;
