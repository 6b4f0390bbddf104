/** The slow second look at everything, which makes a lost event cost minutes and not forever. */
import type { Clock, DurationMs, ObjectKey, Random } from '@lifeline/core';

/** Which objects have their turn. */
export type Turn = (cluster: string, key: ObjectKey) => boolean;

export interface FloorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly floorMs: DurationMs;
  /** Looks at all objects that have their turn. */
  readonly visit: (hasTurn: Turn) => void;
}

/** A visit asks every cached key whether it has its turn: cheap, but not nothing with a million of them, nor several times a second. */
const mostSlices = 64;
const shortestSliceMs: DurationMs = 5_000;

/**
 * Gives every object its turn once per `floorMs` ±10 %, until disposed. An object's slice of that time follows from its name, so turns
 * are spread evenly and nothing has to be remembered; the first slice is left to chance, so replicas differ.
 */
export function runFloor({ clock, random, floorMs, visit }: FloorOptions): Disposable {
  const slices = Math.max(1, Math.min(mostSlices, Math.floor(floorMs / shortestSliceMs)));
  let slice = random.int(slices);
  const next = (): Disposable =>
    clock.timer((floorMs / slices) * (0.9 + 0.2 * random.next()), () => {
      slice = (slice + 1) % slices;
      visit((cluster, key) => hashOf(cluster, key) % slices === slice);
      timer = next();
    });
  let timer = next();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

const hashOf = (cluster: string, key: ObjectKey): number => fnv1a(key, fnv1a(cluster)) >>> 0;

/** FNV-1a, 32 bits. */
function fnv1a(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
