/** Single values of built-in kinds, as Go decodes and writes them. */
import { formatQuantity, type JsonValue, parseQuantity, QuantityError } from '@lifeline/core';
import { isNumber } from '../go-type.ts';
import { goBase64 } from './go-base64.ts';
import { goTime } from './go-time.ts';
import type { Scalar } from './message-type.ts';

/** The value as Go writes it back; or the type that the value is not, by Go's name for it; or a complaint of another kind. */
export type GoScalar =
  { readonly value: JsonValue } | { readonly notOf: string | undefined } | { readonly complaint: string };

/** @param value not null */
export function goScalar(scalar: Scalar, value: JsonValue): GoScalar {
  switch (scalar) {
    case 'string':
      return typeof value === 'string' ? { value } : mistyped;
    case 'bool':
      return typeof value === 'boolean' ? { value } : mistyped;
    case 'int32':
    case 'int64':
      return integer(value, scalar);
    case 'float64':
      return isNumber(value) && Number.isFinite(Number(value)) ? { value: Number(value) } : mistyped;
    case 'bytes':
      return typeof value === 'string' ? bytes(value) : mistyped;
    case 'Time':
    case 'MicroTime':
      return typeof value === 'string' ? time(scalar, value) : { notOf: 'string' };
    case 'Quantity':
      return quantity(value);
    case 'IntOrString':
      return typeof value === 'string' ? { value } : integer(value, 'int32');
    case 'Json':
      return { value };
  }
}

const mistyped = { notOf: undefined };

/** The text decides: 1.0 is no integer to Go. */
function integer(value: JsonValue, type: 'int32' | 'int64'): GoScalar {
  const wrong = { notOf: type };
  if (!isNumber(value)) return wrong;
  if (typeof value === 'number' && Number.isInteger(value)) {
    return type === 'int64' || (value >= -(2 ** 31) && value < 2 ** 31) ? { value } : wrong;
  }
  const text = String(value);
  if (!/^-?\d+$/.test(text)) return wrong;
  const big = BigInt(text);
  if (BigInt.asIntN(type === 'int32' ? 32 : 64, big) !== big) return wrong;
  // Only -0 is written differently.
  return { value: big === 0n ? 0 : value };
}

function bytes(text: string): GoScalar {
  const read = goBase64(text);
  return 'text' in read ? { value: read.text } : { complaint: `illegal base64 data at input byte ${read.badByte}` };
}

function time(kind: 'Time' | 'MicroTime', text: string): GoScalar {
  const read = goTime(kind, text);
  return 'text' in read ? { value: read.text } : { complaint: read.error };
}

const quantityGrammar = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

function quantity(value: JsonValue): GoScalar {
  const text = typeof value === 'string' || isNumber(value) ? String(value).trim() : '';
  try {
    return { value: formatQuantity(parseQuantity(text)) };
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    const wellFormed = /^[+-]?\d+(?:\.\d*)?[eEinumkKMGTP]*[-+]?\d*$/.test(text);
    return {
      complaint: wellFormed
        ? "unable to parse quantity's suffix"
        : `quantities must match the regular expression '${quantityGrammar}'`,
    };
  }
}
