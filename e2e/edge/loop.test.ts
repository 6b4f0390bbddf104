/** The closed loop at one edge: what users see of a connector that comes and goes. */
import { expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { EdgeWorld, through } from './edge-world.ts';

it('online, offline, online: the route switches each time', async () => {
  await using world = await EdgeWorld.start();
  await world.connector('a');
  await world.publish('web', { rules: through('a') });
  await world.until('the tunnel is programmed', () => world.everywhere('web', 'tunnel a'));
  await world.connector('a', { ready: 'False' });
  const took = await world.until('503', () => world.everywhere('web', '503'));
  expect(took).toBeLessThan(seconds(1));
});
