/** Writes as the recording puts them. */
import { deepEqual, isJsonObject } from '@lifeline/core';

export interface Line {
  readonly at: number;
  readonly where: string;
  /** `ADDED`, `DELETED`, or the paths that changed. */
  readonly what: readonly string[];
}

/** Members that differ, three levels deep, as `metadata.annotations[a]`. What every write changes is left out. */
export function changedPaths(before: unknown, after: unknown): readonly string[] {
  return [...differences([before, after], '', 3)].filter((path) => path !== 'metadata.resourceVersion').toSorted();
}

function* differences([a, b]: readonly [unknown, unknown], path: string, depth: number): IterableIterator<string> {
  if (deepEqual(a, b)) return;
  if (depth === 0 || !isJsonObject(a) || !isJsonObject(b)) {
    yield path;
    return;
  }
  const isMap = path === 'metadata.annotations' || path === 'metadata.labels';
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    yield* differences([a[key], b[key]], isMap ? `${path}[${key}]` : path ? `${path}.${key}` : key, depth - 1);
  }
}
