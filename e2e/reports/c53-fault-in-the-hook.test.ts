/**
 * An error of the hook freezes the gateway, and after it is over only what changes anew comes back.
 * Source: envoyproxy/gateway#5595, #5465, PR #5540.
 * Cause:  one object's fault failed the whole call; and Envoy Gateway does not ask again after a call that failed.
 * Guard:  a fault of one object is contained; a real one ends the call at once, and all Gateways of it are stamped once it is over.
 */
import type { EdgeIndex } from '@lifeline/edge';
import { expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, through } from '../edge/edge-world.ts';

const names = Array.from({ length: 6 }, (_, at) => `web-${at}`);

async function published(merged: boolean, around?: (index: EdgeIndex) => EdgeIndex): Promise<EdgeWorld> {
  const world = await EdgeWorld.start({ merged, ...(around && { around }) });
  for (const name of names) {
    await world.connector(name);
    await world.publish(name, { rules: through(name) });
  }
  await world.until('all tunnels', () => names.every((name) => world.shows(name) === 'tunnel a'));
  await world.after(seconds(20));
  return world;
}

it('C53: what is wrong with one proxy is its own 503, and never an error of the call', async () => {
  await using world = await published(true);
  const failed: string[] = [];
  world.gateway().observers.add(({ outcome }) => outcome.at === 'failed' && failed.push(outcome.code));
  const [bad = '', ...others] = names;
  for (const endpoint of ['http://exa mple', 'gopher://x', 'http://localhost:99999', '']) {
    await world.publish(bad, { rules: [{ backends: [{ endpoint, connector: { name: bad } }] }] });
    await world.after(seconds(10));
    expect(others.map((name) => world.shows(name))).toEqual(others.map(() => 'tunnel a'));
  }
  expect(failed).toEqual([]);
  expect(world.unconverged).toBe(0);
});

it.each([{ merged: true }, { merged: false }])(
  'C53: a real fault (merged: $merged) is an error at once; what it hid comes by itself when it is over',
  async ({ merged }) => {
    let isBroken = false;
    const read = (index: EdgeIndex): EdgeIndex =>
      new Proxy(index, {
        get: (target, key) => {
          if (isBroken && key === 'revision') throw new TypeError('a cache that cannot be read');
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    await using world = await published(merged, read);
    const outcomes: string[] = [];
    world.gateway().observers.add(({ outcome }) => outcomes.push(outcome.at === 'failed' ? outcome.code : outcome.at));
    isBroken = true;
    for (const name of names) await world.connector(name, { ready: 'False' });
    await world.after(seconds(3));
    expect(new Set(outcomes)).toEqual(new Set(['INTERNAL']));
    expect(names.map((name) => world.shows(name))).toEqual(names.map(() => 'tunnel a'));
    isBroken = false;
    const all503 = (): boolean => names.every((name) => world.shows(name) === '503');
    await world.until('all of it', all503, minutes(1));
    await world.after(minutes(2));
    expect(world.unconverged).toBe(0);
  },
);
