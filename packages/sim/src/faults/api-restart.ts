/** An API server goes and comes back, and its clients see what a real one shows them. */
import type { DurationMs } from '@lifeline/core';
import type { World } from '../world/world.ts';
import { lostConnection, statusAnswer } from './wire-answers.ts';

export interface ApiRestart {
  /** Nobody answers. */
  readonly downMs: DurationMs;
  /** It answers and knows no roles yet: it forbids everybody everything. Seen of kube-apiserver 1.36.3, for some tenths of a second. */
  readonly forbidsMs: DurationMs;
}

/** Resolves when the server of a plane is itself again. */
export async function restartApiServer(world: World, plane: string, { downMs, forbidsMs }: ApiRestart): Promise<void> {
  for (const watch of world.wires.watches({ plane })) watch.end(lostConnection('in the body'));
  {
    using _down = world.wires.put(() => () => () => Promise.reject(lostConnection('before the answer')), { plane });
    await world.after(downMs);
  }
  using _forbids = world.wires.put(() => () => async () => statusAnswer(403, 'Forbidden'), { plane });
  await world.after(forbidsMs);
}
