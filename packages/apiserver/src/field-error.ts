/** What is wrong with one field, in the words of a real server. @see kubernetes/apimachinery@v0.36.3 pkg/util/validation/field/errors.go */
import { type JsonNumber, type JsonValue } from '@lifeline/core';
import type { Cause } from './api-error.ts';
import { goJson, goNumber, goQuote } from './go-text.ts';
import { isNumber } from './go-type.ts';

/** A field's path, as messages write it: `spec.list[0].name`, `metadata.labels[a/b]`. */
export type FieldPath = string;

export const child = (path: FieldPath, name: string): FieldPath => (path ? `${path}.${name}` : name);

const cause = (reason: string, field: FieldPath, [text, detail]: readonly [string, string]): Cause => ({
  reason,
  message: detail ? `${text}: ${detail}` : text,
  field,
});

/** As a message shows it: texts quoted, numbers plain, all else as JSON. */
const shown = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return goQuote(value);
  return isNumber(value) ? goNumber(value) : goJson(value);
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const required = (field: FieldPath, detail = ''): Cause =>
  cause('FieldValueRequired', field, ['Required value', detail]);

export const forbidden = (field: FieldPath, detail: string): Cause =>
  cause('FieldValueForbidden', field, ['Forbidden', detail]);

export const invalidValue = (field: FieldPath, value: JsonValue | undefined, detail: string): Cause =>
  cause('FieldValueInvalid', field, [`Invalid value: ${shown(value)}`, detail]);

export const typeInvalid = (field: FieldPath, value: JsonValue | undefined, detail: string): Cause =>
  cause('FieldValueTypeInvalid', field, [`Invalid value: ${shown(value)}`, detail]);

export const notSupported = (field: FieldPath, value: JsonValue | undefined, supported: readonly string[]): Cause =>
  cause('FieldValueNotSupported', field, [
    `Unsupported value: ${shown(value)}`,
    supported.length > 0 ? `supported values: ${supported.map(goQuote).join(', ')}` : '',
  ]);

export const duplicate = (field: FieldPath, value: JsonValue | undefined): Cause =>
  cause('FieldValueDuplicate', field, [`Duplicate value: ${shown(value)}`, '']);

/** @param max in bytes, whatever was counted: the real server's words */
export const tooLong = (field: FieldPath, max: number): Cause =>
  cause('FieldValueTooLong', field, ['Too long', `may not be more than ${counted(max, 'byte')}`]);

export const tooMany = (field: FieldPath, actual: number, max: number): Cause =>
  cause('FieldValueTooMany', field, [`Too many: ${actual}`, `must have at most ${counted(max, 'item')}`]);

// Of the following, a value that is undefined is none that was given, which is no flaw.

/** What a syntax has against a text: one cause for each of its problems. */
export const syntaxFlaws = (
  field: FieldPath,
  text: string | undefined,
  problems: (text: string) => readonly string[],
): readonly Cause[] => (text === undefined ? [] : problems(text).map((problem) => invalidValue(field, text, problem)));

export const choiceFlaws = (
  field: FieldPath,
  value: string | undefined,
  supported: readonly string[],
): readonly Cause[] =>
  value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)];

export const negativeFlaws = (field: FieldPath, value: number | JsonNumber | undefined): readonly Cause[] =>
  Number(value ?? 0) < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
