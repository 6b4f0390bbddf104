/** Everything that is wrong with a value, in the order in which a real server tells of it. */
import { deepEqual, isJsonArray, isJsonObject, type JsonValue, ownValue } from '@lifeline/core';
import type { ErrorObject } from 'ajv';
import type { Cause } from '../../api-error.ts';
import { child, invalidValue, required, tooLong, tooMany } from '../../field-error.ts';
import { goQuote } from '../../go-text.ts';
import { keysOf } from '../list-types.ts';
import type { Structure } from '../structure.ts';
import { fieldAt, type Flaw, type Place, rank } from './flaw.ts';

/** What a value was before, and the structure that says which of its parts were which. */
export interface Before {
  readonly value: JsonValue;
  readonly structure: Structure;
}

/** Tells causes. With `before`, what did not change is forgiven. */
export type Failure = (at: Place, before?: Before) => readonly Cause[];

/** Undefined: the value is valid. */
export type Validator = (value: JsonValue) => Failure | undefined;

/** Flaws by where they are. */
interface Branch {
  readonly flaws: Flaw[];
  /** By property or index, in the order of discovery. */
  readonly below: Map<string, Branch>;
}

export function failureOf(value: JsonValue, errors: readonly ErrorObject[]): Failure {
  const root: Branch = { flaws: [], below: new Map() };
  for (const error of errors) {
    const [branch, at] = find(root, value, error.instancePath);
    branch.flaws.push(...flawsOf(error, at));
  }
  return (at, before) => unique(tell(root, { value, at, before }));
}

function find(root: Branch, value: JsonValue, pointer: string): readonly [Branch, JsonValue] {
  let branch = root;
  let at = value;
  for (const escaped of pointer.split('/').slice(1)) {
    const token = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = branch.below.get(token) ?? { flaws: [], below: new Map<string, Branch>() };
    branch.below.set(token, next);
    branch = next;
    at = memberOf(at, token) ?? null;
  }
  return [branch, at];
}

const memberOf = (value: JsonValue, token: string): JsonValue | undefined => {
  if (isJsonArray(value)) return value[Number(token)];
  return isJsonObject(value) ? ownValue(value, token) : undefined;
};

interface Told {
  readonly value: JsonValue;
  readonly at: Place;
  readonly before: Before | undefined;
}

function tell({ flaws, below }: Branch, { value, at, before }: Told): readonly Cause[] {
  if (before && deepEqual(value, before.value)) return [];
  const isList = isJsonArray(value);
  const inside = [...below].flatMap(([token, branch]) => {
    const name = isList ? `${at.name}[${token}]` : child(at.name, token);
    const member = memberOf(value, token) ?? null;
    return tell(branch, { value: member, at: { ...at, name }, before: before && correlate(before, member, token) });
  });
  const sorted = withoutShadowed(flaws).sort((a, b) => a.rank - b.rank);
  const limit = isList ? rank.items : rank.members;
  return [
    ...sorted.filter((flaw) => flaw.rank <= limit).flatMap((flaw) => flaw.tell(at)),
    ...inside,
    ...sorted.filter((flaw) => flaw.rank > limit).flatMap((flaw) => flaw.tell(at)),
  ];
}

const textRanks: readonly number[] = [rank.maxLength, rank.minLength, rank.pattern];

/** The real server stops at the first flaw of a text. */
function withoutShadowed(flaws: readonly Flaw[]): Flaw[] {
  const first = Math.min(...flaws.map((flaw) => flaw.rank).filter((each) => textRanks.includes(each)));
  return flaws.filter((flaw) => !textRanks.includes(flaw.rank) || flaw.rank === first);
}

/**
 * What a member was before. Undefined for what cannot be told: items of a list that is no list map, and what was not there.
 * @see kubernetes/apiserver@v0.36.3 pkg/cel/common/equality.go
 */
function correlate({ value, structure }: Before, member: JsonValue, token: string): Before | undefined {
  if (isJsonArray(value)) {
    const { items, listType, listMapKeys } = structure;
    if (!items || listType !== 'map' || !isJsonObject(member)) return undefined;
    const keys = keysOf(member, listMapKeys);
    const old = value.find((item) => isJsonObject(item) && deepEqual(keysOf(item, listMapKeys), keys));
    return old === undefined ? undefined : { value: old, structure: items };
  }
  const old = isJsonObject(value) ? ownValue(value, token) : undefined;
  const at = structure.properties.get(token) ?? structure.rest;
  return old === undefined || !at ? undefined : { value: old, structure: at };
}

/** Each cause once. */
const unique = (causes: readonly Cause[]): readonly Cause[] => [
  ...new Map(causes.map((cause) => [`${cause.field ?? ''}\n${cause.reason}\n${cause.message}`, cause])).values(),
];

/** What ajv found, of a value. */
function flawsOf({ keyword, params }: ErrorObject, value: JsonValue): readonly Flaw[] {
  const limit = (params as { readonly limit?: number }).limit ?? 0;
  const size = sizeOf(value);
  switch (keyword) {
    case 'judge':
      return (params as { readonly flaws: readonly Flaw[] }).flaws;
    case 'maxLength':
      return [{ rank: rank.maxLength, tell: (at) => [tooLong(fieldAt(at), limit)] }];
    case 'minLength':
      return [should(rank.minLength, value, `be at least ${limit} chars long`)];
    case 'pattern':
      return [should(rank.pattern, value, `match '${(params as { readonly pattern: string }).pattern}'`)];
    case 'maxItems':
      return [{ rank: rank.listSize, tell: (at) => [tooMany(fieldAt(at), size, limit)] }];
    case 'minItems':
      return [should(rank.listSize, size, `have at least ${limit} items`)];
    case 'maxProperties':
      return [{ rank: rank.objectSize, tell: (at) => [tooMany(fieldAt(at), size, limit)] }];
    case 'minProperties':
      return [should(rank.objectSize, size, `have at least ${limit} properties`)];
    case 'required': {
      const { missingProperty } = params as { readonly missingProperty: string };
      const tellMissing: Flaw['tell'] = (at) => [required(fieldAt({ ...at, name: child(at.name, missingProperty) }))];
      return [{ rank: rank.required, tell: tellMissing }];
    }
    default:
      throw new TypeError(`no words for ${goQuote(keyword)}`);
  }
}

const should = (at: Flaw['rank'], value: JsonValue, what: string): Flaw => ({
  rank: at,
  tell: (place) => [invalidValue(fieldAt(place), value, `${place.name} in body should ${what}`)],
});

function sizeOf(value: JsonValue): number {
  if (isJsonArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
