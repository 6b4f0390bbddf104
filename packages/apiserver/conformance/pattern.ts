/** Expectations of JSON that say what matters and leave the rest alone. */
import { deepEqual, isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '@lifeline/core';

/** A check of one value: what is wrong with it, or undefined. */
export type Check = (value: JsonValue | undefined) => string | undefined;

/**
 * An object matches when each named member does, whatever else it has; a list when it is as long and each item does; a number when it is
 * written alike; a RegExp when it finds itself in a string; undefined as {@link absent}.
 */
export type Pattern = JsonValue | undefined | RegExp | Check | readonly Pattern[] | { readonly [key: string]: Pattern };

const text = (value: JsonValue | undefined): string => (value === undefined ? 'nothing' : stringifyJson(value));

const textLimit = 300;
/** For people: not all of a long text. */
const shown = (value: JsonValue | undefined): string => {
  const whole = text(value);
  return whole.length > textLimit ? `${whole.slice(0, textLimit)}…` : whole;
};

export const absent: Check = (value) => (value === undefined ? undefined : `expected nothing, got ${shown(value)}`);

export const present: Check = (value) => (value === undefined ? 'expected something, got nothing' : undefined);

/** The whole value, nothing more. */
export const exactly =
  (expected: JsonValue): Check =>
  (value) =>
    deepEqual(value, expected) ? undefined : `expected exactly ${shown(expected)}, got ${shown(value)}`;

/** A list of at least these, in any order. */
export const containing =
  (...patterns: readonly Pattern[]): Check =>
  (value) => {
    if (!isJsonArray(value)) return `expected a list, got ${shown(value)}`;
    const missing = patterns.filter((pattern) => value.every((item) => mismatches(item, pattern).length > 0));
    if (missing.length === 0) return undefined;
    return missing.map((pattern) => `no item ${describePattern(pattern)}${nearest(value, pattern)}`).join(', and ');
  };

/** What keeps the most similar item of a list from matching. */
function nearest(list: readonly JsonValue[], pattern: Pattern): string {
  const faults = list.map((item) => mismatches(item, pattern)).sort((a, b) => a.length - b.length)[0];
  return faults === undefined ? ' in an empty list' : ` (nearest: ${faults.join('; ')})`;
}

/** What of a value is not as the pattern has it, one sentence each, with the path. Empty: it matches. */
export function mismatches(value: JsonValue | undefined, pattern: Pattern, path = ''): string[] {
  const say = (fault: string): string[] => [path === '' ? fault : `${path}: ${fault}`];
  const differs = (): string[] => say(`expected ${describePattern(pattern)}, got ${shown(value)}`);
  if (pattern === undefined) return mismatches(value, absent, path);
  if (typeof pattern === 'function') {
    const fault = pattern(value);
    return fault === undefined ? [] : say(fault);
  }
  if (pattern instanceof RegExp) return typeof value === 'string' && pattern.test(value) ? [] : differs();
  if (Array.isArray(pattern)) {
    const patterns = pattern as readonly Pattern[];
    if (!isJsonArray(value) || value.length !== patterns.length) return differs();
    return patterns.flatMap((item, index) => mismatches(value[index], item, `${path}[${index}]`));
  }
  if (isPatternObject(pattern)) {
    if (!isJsonObject(value)) return differs();
    return Object.entries(pattern).flatMap(([key, member]) =>
      mismatches(Object.hasOwn(value, key) ? value[key] : undefined, member, path === '' ? key : `${path}.${key}`),
    );
  }
  return text(value) === text(pattern as JsonValue) ? [] : differs();
}

/** A JsonNumber is a value, not an object of members. */
const isPatternObject = (pattern: Pattern): pattern is { readonly [key: string]: Pattern } =>
  typeof pattern === 'object' && pattern !== null && isJsonObject(pattern);

/** A pattern for people. */
export function describePattern(pattern: Pattern): string {
  if (pattern === undefined || pattern === absent) return 'nothing';
  if (typeof pattern === 'function') return 'what a check takes';
  if (pattern instanceof RegExp) return String(pattern);
  if (Array.isArray(pattern)) return `[${(pattern as readonly Pattern[]).map(describePattern).join(',')}]`;
  if (isPatternObject(pattern)) {
    return `{${Object.entries(pattern)
      .map(([key, member]) => `${JSON.stringify(key)}:${describePattern(member)}`)
      .join(',')}}`;
  }
  return text(pattern as JsonValue);
}
