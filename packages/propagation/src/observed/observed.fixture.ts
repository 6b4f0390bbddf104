/** What was recorded from a real Karmada: see `testdata/README.md`. */
import { readFileSync } from 'node:fs';
import { parseJson } from '@lifeline/core';

export interface Observation {
  readonly id: string;
  readonly rule: string;
  readonly given: string;
  readonly observed: unknown;
}

const file = new URL('../../testdata/observed.json', import.meta.url);

export const observations = parseJson(readFileSync(file, 'utf8')) as unknown as readonly Observation[];

/** @throws TypeError when nothing was recorded under that id */
export function observed(id: string): Observation {
  const found = observations.find((observation) => observation.id === id);
  if (!found) throw new TypeError(`nothing was recorded as ${id}`);
  return found;
}

/** What was recorded at a path below `observed`. */
export function recorded(id: string, ...path: readonly string[]): unknown {
  let value = observed(id).observed;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  if (value === undefined) throw new TypeError(`${id}: nothing was recorded at ${path.join('.')}`);
  return value;
}
