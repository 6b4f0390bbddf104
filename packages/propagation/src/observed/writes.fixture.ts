/** Sets of writes, of a rig and of the recording, in one form. */
import { recorded } from './observed.fixture.ts';
import type { Line } from './lines.fixture.ts';

/** What was written to each object: `ADDED`, `DELETED`, and changed paths; of a status only that it was written. */
export type Writes = ReadonlyMap<string, ReadonlySet<string>>;

interface RecordedLine {
  readonly where: string;
  readonly what: string | readonly string[];
}

export function recordedWrites(id: string, ...path: readonly string[]): Writes {
  const lines = recorded(id, ...path) as readonly RecordedLine[];
  return writesOf(lines.map(({ where, what }) => ({ where, what: [what].flat().map(pathOf) })));
}

export const writesOf = (lines: readonly Omit<Line, 'at'>[]): Writes => {
  const writes = new Map<string, Set<string>>();
  for (const { where, what } of lines) {
    const known = writes.get(where) ?? new Set();
    writes.set(where, known);
    for (const path of what) if (!ignored.has(path)) known.add(/^status\b/.test(path) ? 'status' : path);
  }
  return writes;
};

/** Those of the objects that were recorded. */
export const only = (writes: Writes, like: Writes): Writes =>
  new Map(Array.from(like.keys(), (where) => [where, writes.get(where) ?? new Set()]));

/**
 * What was recorded and is missing: for recordings that end early, or leave objects out. Of a map that came as a whole all keys count as
 * written.
 */
export function lacking(written: Writes, want: Writes): readonly string[] {
  const has = (where: string, path: string): boolean => {
    const paths = written.get(where);
    const map = /^metadata\.(labels|annotations)(?=\[)/.exec(path)?.[0];
    return paths !== undefined && (paths.has(path) || (map !== undefined && paths.has(map)));
  };
  return Array.from(want).flatMap(([where, what]) =>
    [...what].filter((path) => !has(where, path)).map((path) => `${where} ${path}`),
  );
}

/** Goes with the deletionTimestamp. */
const ignored = new Set(['metadata.deletionGracePeriodSeconds', 'metadata.managedFields']);

/** `.metadata.generation: 1 → 2` → `metadata.generation`; `.metadata.labels.a: …` → `metadata.labels[a]` */
function pathOf(what: string): string {
  const whole = /^(ADDED|DELETED)/.exec(what)?.[0];
  if (whole !== undefined) return whole;
  const path = what.replace(/^\./, '').replace(/(: | changed$| first written$| rewritten$| set$).*/, '');
  return path.replace(/^(metadata\.(?:labels|annotations))\.(.+)$/, '$1[$2]');
}
