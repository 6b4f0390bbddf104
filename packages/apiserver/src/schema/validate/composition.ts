/** `anyOf`, `oneOf`, `allOf` and `not`, with the messages of the branch that came closest. */
import { isJsonArray, isJsonObject, type JsonValue } from '@lifeline/core';
import { invalidValue } from '../../field-error.ts';
import { goQuote } from '../../go-text.ts';
import { isNumber } from '../../go-type.ts';
import type { Schema } from '../compiled-schema.ts';
import { textFormat } from '../formats.ts';
import { type Flaw, rank, rootField } from './flaw.ts';
import type { Judge } from './judge.ts';
import type { Failure, Validator } from './failure.ts';
import { typeFlaw, wantedType } from './wanted-type.ts';

/** The validator of a branch. */
export type ValidatorOf = (schema: Schema) => Validator;

/** @see kubernetes/kube-openapi@43fb72c5454a pkg/validation/validate/schema_props.go */
export function composition(
  { anyOf = [], oneOf = [], allOf = [], not }: Schema,
  validatorOf: ValidatorOf,
): readonly Judge[] {
  const branchOf = (schema: Schema): Branch => ({ schema, validate: validatorOf(schema) });
  return [
    ...(anyOf.length > 0 ? [anyOfJudge(anyOf.map(branchOf))] : []),
    ...(oneOf.length > 0 ? [oneOfJudge(oneOf.map(branchOf))] : []),
    ...(allOf.length > 0 ? [allOfJudge(allOf.map(branchOf))] : []),
    ...(not ? [notJudge(branchOf(not))] : []),
  ];
}

interface Branch {
  readonly schema: Schema;
  readonly validate: Validator;
}

interface Tried {
  readonly branch: Branch;
  readonly failure: Failure | undefined;
}

const attempt = (branches: readonly Branch[], value: JsonValue): readonly Tried[] =>
  branches.map((branch) => ({ branch, failure: branch.validate(value) }));

const anyOfJudge =
  (branches: readonly Branch[]): Judge =>
  (value) => {
    const tried = attempt(branches, value);
    if (tried.some(({ failure }) => !failure)) return [];
    return [says('must validate at least one schema (anyOf)'), ...closest(tried, value)];
  };

const oneOfJudge =
  (branches: readonly Branch[]): Judge =>
  (value) => {
    const tried = attempt(branches, value);
    const valid = tried.filter(({ failure }) => !failure).length;
    if (valid === 1) return [];
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    return [
      says(`must validate one and only one schema (oneOf). ${found}`),
      ...(valid === 0 ? closest(tried, value) : []),
    ];
  };

const allOfJudge =
  (branches: readonly Branch[]): Judge =>
  (value) => {
    const failures = attempt(branches, value).flatMap(({ failure }) => (failure ? [failure] : []));
    if (failures.length === 0) return [];
    const none = failures.length === branches.length ? '. None validated' : '';
    return [...failures.map(asFlaw), says(`must validate all the schemas (allOf)${none}`)];
  };

const notJudge =
  ({ validate }: Branch): Judge =>
  (value) =>
    validate(value) ? [] : [says('must not validate the schema (not)')];

const says = (text: string): Flaw => ({
  rank: rank.composition,
  tell: (at) => [invalidValue(rootField(at), '', `${goQuote(at.name)} ${text}`)],
});

const asFlaw = (failure: Failure): Flaw => ({ rank: rank.composition, tell: failure });

/** The failure of the first of the branches that most checks were made for. */
function closest(tried: readonly Tried[], value: JsonValue): readonly Flaw[] {
  let best: { readonly failure: Failure; readonly checks: number } | undefined;
  for (const { branch, failure } of tried) {
    const checks = checksOf(branch.schema, value);
    if (failure && (!best || checks > best.checks)) best = { failure, checks };
  }
  return best ? [asFlaw(best.failure)] : [];
}

/** How many checks a real server makes of a value, counted as it counts them: by the kind of the value, and by what it holds. */
function checksOf(schema: Schema, value: JsonValue): number {
  const wanted = wantedType(schema);
  const typed = wanted.types.length > 0 || wanted.format !== undefined;
  const rightType = typed && !typeFlaw(wanted, value) ? 1 : 0;
  if (value === null) return rightType;
  const always = 4 + (typed ? 1 : 0) + rightType;
  if (typeof value === 'string') return always + 1 + (wanted.format !== undefined && textFormat(wanted.format) ? 1 : 0);
  if (isNumber(value)) return always + 2;
  if (isJsonArray(value)) {
    const { items } = schema;
    return always + 2 + (items ? sum(value.map((item) => checksOf(items, item))) : 0);
  }
  if (!isJsonObject(value)) return always;
  const members = Object.entries(value).map(([key, member]) => {
    const { properties = {}, additionalProperties } = schema;
    if (Object.hasOwn(properties, key)) return checksOf(properties[key] as Schema, member ?? null);
    return typeof additionalProperties === 'object' ? checksOf(additionalProperties, member ?? null) : 0;
  });
  return always + 1 + sum(members);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0);
