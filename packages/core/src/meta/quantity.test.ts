import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityFormat,
  QuantityError,
  unitsIn,
} from './quantity.ts';

const canonical = (text: string) => formatQuantity(parseQuantity(text));

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['500m', '500m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['+1', '1'],
    ['-1.5', '-1500m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['2Gi', '2Gi'],
    ['1.5Gi', '1536Mi'],
    ['2048Mi', '2Gi'],
    ['1024Ei', '1024Ei'],
    ['1023Ki', '1023Ki'],
    ['1024', '1024'],
    ['1000Ki', '1000Ki'],
    ['0.1Ki', '102400m'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['-2Ki', '-2Ki'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['1e+3', '1e3'],
    ['12e6', '12e6'],
    ['1200e4', '12e6'],
    ['1e2', '100'],
    ['1e-3', '1e-3'],
    ['1E', '1E'],
    ['1000E', '1000E'],
    ['1000k', '1M'],
    ['100n', '100n'],
    ['1u', '1u'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1.0000000001', '1000000001n'],
    ['9223372036854775807', '9223372036854775807'],
    ['9007199254740993m', '9007199254740993m'],
    ['00010', '10'],
  ])('%s is written %s', (text, want) => {
    expect(canonical(text)).toBe(want);
  });

  it.each([
    '',
    '.',
    '-',
    'm',
    '1 ',
    ' 1',
    '1mi',
    '1ki',
    '1K',
    '1KI',
    '1e',
    '1e1.5',
    '1e3Ki',
    '1.2.3',
    '0x1',
    '１',
    '1Kii',
  ])('%j is refused', (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  });

  it('refuses what would have to be built digit by digit', () => {
    expect(() => parseQuantity('1e999')).toThrow(QuantityError);
    expect(() => parseQuantity('9'.repeat(65))).toThrow(QuantityError);
  });

  it('takes bare JSON numbers, those beyond a double too', () => {
    expect(formatQuantity(parseQuantity(2))).toBe('2');
    expect(formatQuantity(parseQuantity(0.1))).toBe('100m');
    expect(formatQuantity(parseQuantity(1e-7))).toBe('100e-9');
    expect(formatQuantity(parseQuantity(new JsonNumber('9007199254740993')))).toBe('9007199254740993');
    expect(formatQuantity(parseQuantity(new JsonNumber('1.0')))).toBe('1');
  });

  it.each([
    { a: '1', b: '1000m', want: 0 },
    { a: '1Ki', b: '1024', want: 0 },
    { a: '1Ki', b: '1k', want: 1 },
    { a: '-1', b: '1n', want: -1 },
    { a: '9007199254740993', b: '9007199254740992', want: 1 },
  ])('$a against $b is $want', ({ a, b, want }) => {
    expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(want);
  });

  it('a sum keeps the first format, a zero has none', () => {
    const sum = (a: string, b: string) => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
    expect(sum('1Gi', '1024')).toBe('1048577Ki');
    expect(sum('100m', '0.9')).toBe('1');
    expect(sum('0', '1Gi')).toBe('1Gi');
  });

  it.each([
    { amount: '500m', unit: '1m', want: 500n },
    { amount: '0.0001', unit: '1m', want: 1n },
    { amount: '2Gi', unit: '1Mi', want: 2048n },
    { amount: '2Gi', unit: '1M', want: 2148n },
    { amount: '1048577', unit: '1Mi', want: 2n },
    { amount: '0', unit: '1Mi', want: 0n },
    { amount: '-1.5', unit: '1', want: -1n },
  ])('$amount is $want × $unit, rounded up', ({ amount, unit, want }) => {
    expect(unitsIn(parseQuantity(amount), parseQuantity(unit))).toBe(want);
  });

  it('the unit must be positive', () => {
    expect(() => unitsIn(parseQuantity('1'), parseQuantity('0'))).toThrow(RangeError);
  });

  it('what is written reads back as the same amount, and is written the same again', () => {
    const quantity = fc.record({
      nanos: fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }),
      format: fc.constantFrom<QuantityFormat>('DecimalSI', 'BinarySI', 'DecimalExponent'),
    });
    fc.assert(
      fc.property(quantity, fc.nat(9), ({ nanos, format }, zeros) => {
        const rounded = { nanos: nanos * 10n ** BigInt(zeros), format };
        const text = formatQuantity(rounded);
        expect(parseQuantity(text).nanos).toBe(rounded.nanos);
        expect(canonical(text)).toBe(text);
      }),
      { seed: 500, numRuns: 1000 },
    );
  });
});
