import type { World } from '../world/world.ts';

/** Stops everything in order, and says what is left: watches, timers. */
export async function leaksOf(world: World): Promise<string[]> {
  const left: string[] = [];
  try {
    await world[Symbol.asyncDispose]();
  } catch (error) {
    left.push(`not stopped in order: ${String(error)}`);
  }
  // What is due now is nobody's yet.
  await world.clock.advance(0);
  for (const { name, api } of world.planes.values())
    if (api.openWatches > 0) left.push(`${api.openWatches} watches of ${name} are left`);
  if (world.clock.pending > 0) left.push(`${world.clock.pending} timers are left`);
  return left;
}
