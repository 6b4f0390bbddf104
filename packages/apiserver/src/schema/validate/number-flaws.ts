/** Bounds of numbers, exact for every int64. */
import type { JsonNumber } from '@lifeline/core';
import { invalidValue } from '../../field-error.ts';
import { goNumber } from '../../go-text.ts';
import { isInt64 } from '../../go-type.ts';
import type { Schema } from '../compiled-schema.ts';
import { fieldAt, type Flaw, rank, rootField } from './flaw.ts';
import type { WantedType } from './wanted-type.ts';

type AnyNumber = number | JsonNumber;

/** Whether {@link numberFlaws} may find something in a schema's numbers. */
export const judgesNumbers = (schema: Schema, { types, format }: WantedType): boolean =>
  (types.length === 1 && types[0] === 'integer') ||
  format === 'float' ||
  schema.minimum !== undefined ||
  schema.maximum !== undefined ||
  schema.multipleOf !== undefined;

/** @see kubernetes/kube-openapi@43fb72c5454a pkg/validation/validate/validator.go numberValidator, values.go */
export function numberFlaws(schema: Schema, wanted: WantedType, value: AnyNumber): readonly Flaw[] {
  return [
    ...rangeFlaw(wanted, value),
    ...(schema.multipleOf === undefined ? [] : multipleFlaw(schema.multipleOf, value)),
    ...(schema.minimum === undefined ? [] : minimumFlaw(schema.minimum, schema.exclusiveMinimum === true, value)),
    ...(schema.maximum === undefined ? [] : maximumFlaw(schema.maximum, schema.exclusiveMaximum === true, value)),
  ];
}

const wrong = (value: AnyNumber, detail: string): readonly Flaw[] => [
  { rank: rank.number, tell: (at) => [invalidValue(fieldAt(at), value, `${at.name} in body should be ${detail}`)] },
];

const largestFloat32 = 3.4028235677973366e38;

function rangeFlaw({ types, format }: WantedType, value: AnyNumber): readonly Flaw[] {
  if (types.length !== 1) return [];
  const outside =
    types[0] === 'integer'
      ? !isInt64(value) || (format === 'int32' && Math.abs(Number(value) + 0.5) > 2 ** 31)
      : format === 'float' && Math.abs(Number(value)) >= largestFloat32;
  if (!outside) return [];
  const called = format === undefined ? '(default format)' : `with format ${format}`;
  const tell: Flaw['tell'] = (at) => [
    invalidValue(rootField(at), '', `Checked value must be of type ${types.join()} ${called} in ${at.name}`),
  ];
  return [{ rank: rank.number, tell }];
}

/** What a bound comes to in Go: a bound of integers loses its fraction. */
const boundOf = (bound: number, value: AnyNumber): number => (isInt64(value) ? Math.trunc(bound) : bound);

function minimumFlaw(minimum: number, exclusive: boolean, value: AnyNumber): readonly Flaw[] {
  const bound = boundOf(minimum, value);
  const order = compare(value, bound);
  if (order > 0 || (order === 0 && !exclusive)) return [];
  return wrong(value, `greater than ${exclusive ? '' : 'or equal to '}${goNumber(bound)}`);
}

function maximumFlaw(maximum: number, exclusive: boolean, value: AnyNumber): readonly Flaw[] {
  const bound = boundOf(maximum, value);
  const order = compare(value, bound);
  if (order < 0 || (order === 0 && !exclusive)) return [];
  return wrong(value, `less than ${exclusive ? '' : 'or equal to '}${goNumber(bound)}`);
}

function compare(value: AnyNumber, bound: number): number {
  if (typeof value === 'number' || !isInt64(value)) return Number(value) - bound;
  const exact = BigInt(value.text);
  const other = BigInt(bound);
  return exact < other ? -1 : exact > other ? 1 : 0;
}

function multipleFlaw(factor: number, value: AnyNumber): readonly Flaw[] {
  const integer = isInt64(value);
  const step = integer ? Math.trunc(factor) : factor;
  if (step <= 0) {
    const tell: Flaw['tell'] = (at) => [
      invalidValue(fieldAt(at), step, `factor MultipleOf declared for ${at.name} must be positive: ${goNumber(step)}`),
    ];
    return [{ rank: rank.number, tell }];
  }
  const even = integer
    ? BigInt(String(value)) % BigInt(step) === 0n
    : isWhole(step < 1 ? (1 / step) * Number(value) : Number(value) / step);
  return even ? [] : wrong(value, `a multiple of ${goNumber(step)}`);
}

/** With the tolerance that divided floats need. */
function isWhole(value: number): boolean {
  const distance = Math.abs(value - Math.trunc(value));
  return distance === 0 || distance / (Math.abs(value) + Math.abs(Math.trunc(value))) < 1e-9;
}
