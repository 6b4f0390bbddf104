/** The types that schemas want, and whether values are of them. */
import type { JsonValue } from '@lifeline/core';
import { typeInvalid } from '../../field-error.ts';
import { goQuote } from '../../go-text.ts';
import { type GoType, goType } from '../../go-type.ts';
import type { Schema } from '../compiled-schema.ts';
import { textFormat } from '../formats.ts';
import { fieldAt, type Flaw, rank } from './flaw.ts';

/** What a schema wants of a value's type. */
export interface WantedType {
  /** Empty: any. */
  readonly types: readonly GoType[];
  readonly nullable: boolean;
  /** As far as the server enforces it. */
  readonly format: string | undefined;
}

export function wantedType(schema: Schema): WantedType {
  const types: readonly GoType[] = schema['x-kubernetes-int-or-string']
    ? ['integer', 'string']
    : schema.type
      ? [schema.type]
      : [];
  return { types, nullable: schema.nullable === true, format: enforced(schema.format, types) };
}

/** Whether a schema names a format that is not enforced for its type. */
export const isUnknownFormat = (schema: Schema): boolean =>
  Boolean(schema.format) && wantedType(schema).format === undefined;

const integerFormats = new Set(['int32', 'int64']);
const numberFormats = new Set(['float', 'double']);

function enforced(format: string | undefined, types: readonly GoType[]): string | undefined {
  if (!format) return undefined;
  switch (types.length === 1 ? types[0] : undefined) {
    case 'integer':
      return integerFormats.has(format) ? format : undefined;
    case 'number':
      return numberFormats.has(format) ? format : undefined;
    case 'string':
    case undefined:
      return textFormat(format) && format;
    case 'null':
    case 'boolean':
    case 'array':
    case 'object':
      return undefined;
  }
}

/** @see kubernetes/kube-openapi@43fb72c5454a pkg/validation/validate/type.go */
export function typeFlaw({ types, nullable, format }: WantedType, value: JsonValue): Flaw | undefined {
  const type = goType(value);
  if (type === 'null') {
    return types.length > 0 && !nullable ? wrongType(types.join(), type) : undefined;
  }
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
  if (format !== undefined) {
    const isTextOrList = type === 'string' || type === 'array';
    const native = type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
    if (!isTextOrList && !fits && native !== format) return wrongType(format, native);
    // A list passes for a text that has a format: so it does there.
    if (isTextOrList && !types.includes('number') && !types.includes('integer')) return undefined;
  }
  return fits || (types.length === 0 && format === undefined) ? undefined : wrongType(types.join(), type);
}

export const wrongType = (wanted: string, found: string): Flaw => ({
  rank: rank.type,
  tell: (at) => [typeInvalid(fieldAt(at), found, `${at.name} in body must be of type ${wanted}: ${goQuote(found)}`)],
});
