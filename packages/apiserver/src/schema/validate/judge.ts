/** What JSON Schema says otherwise than Go, or not at all: types, numbers, enums, formats, and the message of a composition that fails. */
import { deepEqual, type JsonValue, sameValue } from '@lifeline/core';
import { notSupported } from '../../field-error.ts';
import { goJson } from '../../go-text.ts';
import { isInt64, isNumber } from '../../go-type.ts';
import type { Schema } from '../compiled-schema.ts';
import { textFormat } from '../formats.ts';
import { composition, type ValidatorOf } from './composition.ts';
import { fieldAt, type Flaw, rank } from './flaw.ts';
import { judgesNumbers, numberFlaws } from './number-flaws.ts';
import { typeFlaw, type WantedType, wantedType, wrongType } from './wanted-type.ts';

/** What is wrong with a value of its own, apart from what it holds. */
export type Judge = (value: JsonValue) => readonly Flaw[];

const none: readonly Flaw[] = [];

/** Undefined: whatever there is passes. */
export function judgeOf(schema: Schema, validatorOf: ValidatorOf): Judge | undefined {
  const wanted = wantedType(schema);
  const judges = [
    ...typeJudge(wanted),
    ...numberJudge(schema, wanted),
    ...formatJudge(wanted),
    ...enumJudge(schema),
    ...composition(schema, validatorOf),
  ];
  const [only, ...others] = judges;
  if (!only || others.length === 0) return only;
  return (value) => {
    let flaws = none;
    for (const judge of judges) {
      const found = judge(value);
      if (found.length > 0) flaws = [...flaws, ...found];
    }
    return flaws;
  };
}

function typeJudge(wanted: WantedType): readonly Judge[] {
  const [type, ...others] = wanted.types;
  if (type === undefined && wanted.format === undefined) return [];
  const judge: Judge = (value) => {
    const flaw = typeFlaw(wanted, value);
    return flaw ? [flaw] : none;
  };
  // What nearly every value is, without a further look.
  if (others.length === 0 && (type === 'string' || type === 'boolean')) {
    return [(value) => (typeof value === type ? none : judge(value))];
  }
  return [judge];
}

function numberJudge(schema: Schema, wanted: WantedType): readonly Judge[] {
  if (!judgesNumbers(schema, wanted)) return [];
  return [(value) => (isNumber(value) ? numberFlaws(schema, wanted, value) : none)];
}

function formatJudge({ format }: WantedType): readonly Judge[] {
  const fits = format === undefined ? undefined : textFormat(format);
  if (format === undefined || !fits) return [];
  return [
    (value) => {
      if (typeof value !== 'string' || fits(value)) return none;
      return [{ ...wrongType(format, value), rank: rank.format }];
    },
  ];
}

function enumJudge({ enum: allowed }: Schema): readonly Judge[] {
  if (!allowed || allowed.length === 0) return [];
  const texts = new Set(allowed.filter((item) => typeof item === 'string'));
  const shown = allowed.map((item) => (typeof item === 'string' ? item : goJson(item)));
  return [
    (value) => {
      if (typeof value === 'string' ? texts.has(value) : allowed.some((item) => equalsAsGo(item, value))) {
        return none;
      }
      return [{ rank: rank.enum, tell: (at) => [notSupported(fieldAt(at), value, shown)] }];
    },
  ];
}

/** Go turns a float into the integer that an enum allows, and loses its fraction on the way. */
const equalsAsGo = (item: JsonValue, value: JsonValue): boolean =>
  typeof item === 'number' && typeof value === 'number' && isInt64(item)
    ? item === Math.trunc(value)
    : deepEqual(item, value, sameValue);
