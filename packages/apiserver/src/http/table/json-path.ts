/**
 * The JSON paths that printer columns are written in: `.a.b`, `['a']`, `[0]`, `[-1]`, `[*]`, `..a` not at all, and filters that compare
 * one path below an item with one literal: `[?(@.type=="Ready")]`.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';

/** The values a path leads to, in order. Paths that lead nowhere lead to none. */
export type JsonPath = (object: JsonObject) => readonly JsonValue[];

type Step = (value: JsonValue) => readonly JsonValue[];

const paths = new Map<string, JsonPath | undefined>();

/** Undefined: not a path of the form above. */
export function jsonPath(text: string): JsonPath | undefined {
  if (!paths.has(text)) paths.set(text, parse(text));
  return paths.get(text);
}

function parse(text: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
  if (rest === '.') rest = '';
  while (rest !== '') {
    const parsed = firstStep(rest);
    if (!parsed) return undefined;
    steps.push(parsed.step);
    rest = rest.slice(parsed.length);
  }
  return (object) => steps.reduce<readonly JsonValue[]>((values, step) => values.flatMap(step), [object]);
}

interface Parsed {
  readonly step: Step;
  readonly length: number;
}

function firstStep(text: string): Parsed | undefined {
  const field = /^\.((?:\\.|[^.[\]\\])+)/.exec(text);
  if (field) return { step: member((field[1] as string).replace(/\\(.)/g, '$1')), length: field[0].length };
  const quoted = /^\.?\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/.exec(text);
  if (quoted) return { step: member(quoted[1] ?? (quoted[2] as string)), length: quoted[0].length };
  const all = /^\.?\[\s*\*?\s*\]|^\.\*/.exec(text);
  if (all) return { step: children, length: all[0].length };
  const index = /^\.?\[\s*(-?\d+)\s*\]/.exec(text);
  if (index) return { step: item(Number(index[1])), length: index[0].length };
  const filter = /^\.?\[\?\(\s*@((?:\.[^.[\]=!<>\s]+)*)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]+))\s*\)\s*\]/.exec(
    text,
  );
  if (!filter) return undefined;
  const [whole, path = '', operator, double, single, bare] = filter;
  return { step: where(path, operator === '==', double ?? single ?? literal(bare as string)), length: whole.length };
}

const member =
  (key: string): Step =>
  (value) => {
    const found = isJsonObject(value) ? ownValue(value, key) : undefined;
    return found === undefined ? [] : [found];
  };

const children: Step = (value) => {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) ? (Object.values(value) as JsonValue[]) : [];
};

const item =
  (index: number): Step =>
  (value) => {
    const found = isJsonArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };

function where(path: string, equal: boolean, wanted: JsonValue): Step {
  const below = jsonPath(path === '' ? '.' : path) as JsonPath;
  return (value) =>
    isJsonArray(value)
      ? value.filter((candidate) => {
          const found = isJsonObject(candidate) ? below(candidate) : path === '' ? [candidate] : [];
          return found.length > 0 && (found[0] === wanted) === equal;
        })
      : [];
}

function literal(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
