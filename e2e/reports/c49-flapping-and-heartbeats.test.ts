/**
 * Connectors flap for minutes and every edge translates without end; heartbeats alone churn others.
 * Source: datum-cloud/app#189, datum-cloud/app#159; envoyproxy/envoy#35029.
 * Cause:  each event wrote to a Gateway, and each write made Envoy Gateway translate everything.
 * Guard:  only a changed intent is a cause; stamps of one translation are gathered and paced, and the last state wins.
 */
import { expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, through } from '../edge/edge-world.ts';

const flapping = Array.from({ length: 12 }, (_, at) => `flap-${at}`);
const steady = Array.from({ length: 12 }, (_, at) => `beat-${at}`);

it('C49: flapping is gathered and ends in the last state; heartbeats are nothing', { timeout: 60_000 }, async () => {
  await using world = await EdgeWorld.start({ merged: true });
  for (const name of [...flapping, ...steady]) {
    await world.connector(name);
    await world.publish(name, { rules: through(name) });
  }
  await world.until('all tunnels', () => [...flapping, ...steady].every((name) => world.shows(name) === 'tunnel a'));
  await world.after(seconds(20));

  const quiet = { mark: world.mark, calls: world.calls };
  for (let beat = 0; beat < 4 * 5; beat++) {
    for (const name of steady) await world.connector(name, { homeRelay: `https://relay-${beat}.example/` });
    await world.after(seconds(15));
  }
  expect(world.stamps(quiet.mark)).toEqual([]);
  expect(world.calls).toBe(quiet.calls);

  const { mark, calls } = world;
  const states = new Map<string, 'True' | 'False'>();
  for (let round = 0; round < 5; round++) {
    for (const [at, name] of flapping.entries()) {
      const ready = (round + at) % 2 === 0 ? 'False' : 'True';
      states.set(name, ready);
      await world.connector(name, { ready });
    }
    await world.after(seconds(30));
  }
  const last = (name: string): string => (states.get(name) === 'False' ? '503' : 'tunnel a');
  await world.until('the last state', () => flapping.every((name) => world.shows(name) === last(name)), seconds(2));
  await world.after(minutes(2));
  // A flip costs one stamp; what comes together is translated together.
  expect(world.stamps(mark).length).toBeLessThanOrEqual(5 * flapping.length);
  expect(world.calls - calls).toBeLessThanOrEqual(5 * 4);
  expect(new Set(world.stamps(mark).map(({ name }) => name)).isSubsetOf(new Set(flapping))).toBe(true);
  expect(world.unconverged).toBe(0);
});
