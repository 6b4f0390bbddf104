/** What Go takes a decoded JSON value for: a number is an integer when an int64 holds it. */
import { JsonNumber, type JsonValue } from '@lifeline/core';

export type GoType = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

const int64Limit = 2n ** 63n;

export const isInt64 = (value: number | JsonNumber): boolean => {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < Number(int64Limit);
  if (!/^-?\d+$/.test(value.text)) return false;
  const exact = BigInt(value.text);
  return exact >= -int64Limit && exact < int64Limit;
};

export function goType(value: JsonValue): GoType {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (isNumber(value)) return isInt64(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Whether a value is a number, held as one or as its text. */
export const isNumber = (value: JsonValue | undefined): value is number | JsonNumber =>
  typeof value === 'number' || value instanceof JsonNumber;

/** `%T`. */
export const goTypeName = (value: JsonValue): string => typeNames[goType(value)];

const typeNames: Readonly<Record<GoType, string>> = {
  null: '<nil>',
  boolean: 'bool',
  string: 'string',
  integer: 'int64',
  number: 'float64',
  array: '[]interface {}',
  object: 'map[string]interface {}',
};

/** As Go's JSON decoder calls a value that it has no use for: `cannot unmarshal array`. */
export const goJsonName = (value: JsonValue): string => jsonNames[goType(value)];

const jsonNames: Readonly<Record<GoType, string>> = {
  null: 'null',
  boolean: 'bool',
  string: 'string',
  integer: 'number',
  number: 'number',
  array: 'array',
  object: 'object',
};
