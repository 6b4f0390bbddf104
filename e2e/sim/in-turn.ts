/** What users do to one object, one thing after the other. */
import type { World } from '@lifeline/sim';

const turns = new WeakMap<World, Map<string, Promise<void>>>();

/** Begins when all that was begun before for the key has ended. */
export function inTurn(world: World, key: string, act: () => Promise<void>): Promise<void> {
  const all = turns.get(world) ?? new Map<string, Promise<void>>();
  turns.set(world, all);
  const turn = (all.get(key) ?? Promise.resolve()).then(act);
  all.set(key, turn);
  return turn;
}
