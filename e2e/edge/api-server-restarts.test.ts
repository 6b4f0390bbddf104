/** The API server of any plane is restarted: a tunnel that is online stays so, and one that goes meanwhile is not shown for long. */
import { HTTPProxy } from '@lifeline/core';
import { restartApiServer } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { proxy } from '../hub-replicator/objects.ts';
import { EdgePlatform } from './platform.ts';

const host = 'web.example';
const leaseDurationSeconds = 10;
/** Another one takes over at once, and has only just started: whoever asks again after 0.8 s finds it so. */
const restart = { downMs: 0, forbidsMs: seconds(1.5) };
/** The pace doubles from there. */
const settlesMs = seconds(4);

const leaseMs = seconds(leaseDurationSeconds);

it.each([
  // Where nobody could renew, the time to renew begins again.
  { plane: 'p1', goneWithinMs: 1.1 * leaseMs + settlesMs },
  { plane: 'hub', goneWithinMs: 0.1 * leaseMs + settlesMs },
  { plane: 'e1', goneWithinMs: 0.1 * leaseMs + settlesMs },
])('of $plane', async ({ plane, goneWithinMs }) => {
  await using platform = await EdgePlatform.start({ settings: { connector: { leaseDurationSeconds } } });
  await platform.make('p1', HTTPProxy, proxy('web', { connector: 'conn-a' }));
  await platform.connector('p1', 'conn-a');
  using agent = platform.agent('p1', 'conn-a', { everyMs: seconds(1) }).start();
  const shows = (what: string) => (): boolean => platform.shows('e1', host) === what;
  await platform.until('the tunnel', shows('tunnel'));

  await restartApiServer(platform.world, plane, restart);
  let flickers = 0;
  for (let at = 0; at < 60; at++) {
    await platform.after(seconds(1));
    if (!shows('tunnel')()) flickers++;
  }
  expect(flickers).toBe(0);

  agent.stop();
  // It comes back as the tunnel is known to be gone, to whoever can be told.
  await platform.after(leaseMs - seconds(1));
  await restartApiServer(platform.world, plane, restart);
  await platform.until('503', shows('503'), goneWithinMs);
  agent.start();
  await platform.until('the tunnel again', shows('tunnel'), seconds(5));
});
