/** Rule 17: which changes of a member's object are looked into. */
import { deepEqual } from '@lifeline/core';
import type { Manifest } from '../manifest.ts';
import { comparable } from './retain.ts';

/**
 * How a member's own changes are noticed.
 *
 * - `new`: every change is, at once (Karmada since #7552).
 * - `old`: only a change of the generation, of the resourceVersion where there is no generation, or of labels: every release up to and
 *   including v1.18.2.
 */
export type Engine = 'new' | 'old';

/** The state that our last write left, by which the old engine knows its own work again. */
export const versionOf = ({ metadata: { generation, resourceVersion } }: Manifest): string =>
  generation !== undefined && Number(generation) !== 0 ? `gen:${String(generation)}` : `rv:${resourceVersion}`;

/** New engine: whether anything that is carried has changed. */
export const hasDrifted = (before: Manifest, now: Manifest): boolean => !deepEqual(comparable(before), comparable(now));

/** Old engine: whether the object looks like somebody else's work. @param written what {@link versionOf} said after our last write */
export function looksForeign(desired: Manifest, observed: Manifest, written: string): boolean {
  const version = versionOf(observed);
  if (version !== written) return true;
  return version.startsWith('gen:') && !deepEqual(desired.metadata.labels ?? {}, observed.metadata.labels ?? {});
}
