/**
 * Kubernetes quantities (`500m`, `2Gi`, `1e3`), exact.
 *
 * @see kubernetes/apimachinery@357557a67 pkg/api/resource/quantity.go: grammar, rounding below a nano, canonical form
 */
import { PlatformError } from '../errors.ts';
import type { JsonNumber } from '../json/value.ts';

/** The suffix family a quantity was written with; it is written back with the same one where that loses nothing. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An amount in billionths, which is as fine as Kubernetes counts. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

/** A text that Kubernetes would not take for a quantity either, or that is longer than any is. */
export class QuantityError extends PlatformError<'invalid-quantity'> {
  constructor(text: string) {
    super('invalid-quantity', `${JSON.stringify(text.slice(0, 64))} is no quantity`);
  }
}

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const grammar = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]?)|([KMGTPE]i)|[eE]([+-]?\d{1,3}))$/;

/** Longer numbers and larger exponents are refused: no resource needs them, and their digits would have to be built. */
const maxDigits = 64;
const maxExponent = 64;

/**
 * The amount that a JSON value (text, or a bare number) stands for. What is finer than a nano is rounded away from zero: whoever asks
 * for a little gets some.
 * @throws QuantityError
 */
export function parseQuantity(value: string | number | JsonNumber): Quantity {
  const text = String(value);
  const match = grammar.exec(text);
  if (!match) throw new QuantityError(text);
  const [, sign, whole = '', fraction = '', decimal, binary, power] = match;
  const digits = whole + fraction;
  const exponent = power === undefined ? 3 * (decimalSuffixes.indexOf(decimal ?? '') - 3) : Number(power);
  if (digits === '' || digits.length > maxDigits || Math.abs(exponent) > maxExponent) throw new QuantityError(text);

  const factor = binary === undefined ? 1n : 1024n ** BigInt(binarySuffixes.indexOf(binary));
  const size = scale(BigInt(digits) * factor, exponent - fraction.length + 9);
  return {
    nanos: sign === '-' ? -size : size,
    format: binary !== undefined ? 'BinarySI' : power !== undefined ? 'DecimalExponent' : 'DecimalSI',
  };
}

/** The text Kubernetes would write: no fraction, the largest suffix that loses nothing. `1.5Gi` → `1536Mi`, `0.5` → `500m`. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const unit = 1_000_000_000n;
  const small = nanos > -1024n * unit && nanos < 1024n * unit;
  if (format === 'BinarySI' && !small && nanos % unit === 0n) {
    const [mantissa, steps] = divideOut(nanos / unit, 1024n, binarySuffixes.length - 1);
    return `${mantissa}${binarySuffixes[steps]}`;
  }
  const exponential = format === 'DecimalExponent';
  const [mantissa, steps] = divideOut(nanos, 1000n, exponential ? Infinity : decimalSuffixes.length - 1);
  if (!exponential) return `${mantissa}${decimalSuffixes[steps]}`;
  return steps === 3 ? `${mantissa}` : `${mantissa}e${3 * (steps - 3)}`;
}

/** Negative, zero or positive, as for `sort`; formats do not matter. */
export const compareQuantities = (a: Quantity, b: Quantity): number =>
  a.nanos < b.nanos ? -1 : Number(a.nanos > b.nanos);

/** The sum, in the format of the first that is not zero. */
export const addQuantities = (a: Quantity, b: Quantity): Quantity => ({
  nanos: a.nanos + b.nanos,
  format: a.nanos === 0n ? b.format : a.format,
});

/**
 * How many of `unit` hold the amount, rounded up: `unitsIn(cpu, quantity('1m'))` are millicores.
 * Shape: a whole number; the least n with n × unit ≥ amount. `unit` must be positive.
 */
export function unitsIn(amount: Quantity, unit: Quantity): bigint {
  if (unit.nanos <= 0n) throw new RangeError('the unit must be positive');
  const whole = amount.nanos / unit.nanos;
  return whole * unit.nanos < amount.nanos ? whole + 1n : whole;
}

/** `size × 10^exponent`, rounded up. `size` is not negative. */
function scale(size: bigint, exponent: number): bigint {
  if (exponent >= 0) return size * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (size + divisor - 1n) / divisor;
}

/** Divides by `base` while nothing is lost, `limit` times at most; the rest and how often. */
function divideOut(value: bigint, base: bigint, limit: number): [bigint, number] {
  let rest = value;
  let steps = 0;
  while (steps < limit && rest % base === 0n) {
    rest /= base;
    steps++;
  }
  return [rest, steps];
}
