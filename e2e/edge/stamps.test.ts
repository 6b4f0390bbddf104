/** When a stamp is written, and when none is: what the contract says of it, seen at an edge. */
import { annotations, Gateway, HTTPRoute, noIntent } from '@lifeline/core';
import { HookError } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, type EdgeWorldOptions, namespace, nodeB, through } from './edge-world.ts';

async function published(options: EdgeWorldOptions = {}, names: readonly string[] = ['web']): Promise<EdgeWorld> {
  const world = await EdgeWorld.start(options);
  for (const name of names) {
    await world.connector(name);
    await world.publish(name, { rules: through(name) });
  }
  await world.until('all tunnels', () => names.every((name) => world.everywhere(name, 'tunnel a')), minutes(1));
  await world.after(minutes(1));
  expect(world.unconverged).toBe(0);
  return world;
}

const stampOf = (world: EdgeWorld, name = 'web'): string | undefined =>
  world.get(Gateway, { namespace, name })?.metadata.annotations?.[annotations.intent];

const setStamp = (world: EdgeWorld, value: string | null): Promise<unknown> =>
  world.patch(Gateway, { namespace, name: 'web' }, { metadata: { annotations: { [annotations.intent]: value } } });

describe('the stamp says what is wanted', () => {
  it('both replicas write the same, and the second write is none', async () => {
    await using world = await published();
    const { mark } = world;
    await world.connector('web', { nodeId: nodeB });
    await world.until('the other node', () => world.shows('web') === 'tunnel b', seconds(1));
    await world.after(minutes(1));
    expect(world.stamps(mark)).toHaveLength(1);
    expect(stampOf(world)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('it goes with the last connector backend, and nothing is left of it', async () => {
    await using world = await published();
    expect(stampOf(world)).toBeDefined();
    const { mark } = world;
    await world.publish('web', { rules: through(undefined) });
    await world.until('no tunnel', () => world.shows('web') === 'direct', seconds(5));
    await world.after(minutes(10));
    expect(stampOf(world)).toBeUndefined();
    expect(world.stamps(mark).map(({ stamp }) => stamp)).toEqual([undefined]);
    expect(world.unconverged).toBe(0);
  });

  it.each([
    { name: 'is taken off', value: null },
    { name: 'is written over with what is no stamp', value: 'restart please' },
    { name: 'is that of another state', value: '0123456789abcdef' },
    { name: `is ${noIntent}`, value: noIntent },
  ])('one that $name by hand: at most one is written against it, and it ends', async ({ value }) => {
    await using world = await published();
    const { mark } = world;
    await setStamp(world, value);
    await world.after(minutes(10));
    expect(world.stamps(mark).length).toBeLessThanOrEqual(1);
    expect(world.shows('web')).toBe('tunnel a');
    expect(world.unconverged).toBe(0);
    const { calls } = world;
    await world.after(minutes(30));
    expect(world.calls).toBe(calls);
  });
});

describe('pace', () => {
  const many = Array.from({ length: 60 }, (_, at) => `web-${at}`);

  it('more than 50 of a group at once: one stamp settles all', { timeout: 60_000 }, async () => {
    await using world = await published({ merged: true }, many);
    const { mark, calls } = world;
    for (const name of many) await world.connector(name, { ready: 'False' });
    await world.until('all offline', () => many.every((name) => world.shows(name) === '503'), seconds(10));
    await world.after(minutes(2));
    expect(world.unconverged).toBe(0);
    expect(world.stamps(mark).length).toBeLessThanOrEqual(3);
    expect(world.calls - calls).toBeLessThanOrEqual(4);
  });

  it('not merged: each once, at 20 a second after the first 100', { timeout: 60_000 }, async () => {
    await using world = await published({}, many);
    const { mark, calls } = world;
    for (const name of many) await world.connector(name, { ready: 'False' });
    await world.until('all offline', () => many.every((name) => world.shows(name) === '503'), seconds(10));
    await world.after(minutes(2));
    expect(
      world
        .stamps(mark)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(many.toSorted());
    expect(world.calls - calls).toBe(many.length);
  });
});

describe('who is asked', () => {
  it('a Gateway that no report names gets three attempts, and then rest until something changes', async () => {
    await using world = await EdgeWorld.start();
    await world.connector('a');
    await world.publish('web', { rules: through('a') });
    const { spec } = world.get(HTTPRoute, { namespace, name: 'web' }) ?? {};
    await world.delete(HTTPRoute, 'web');
    await world.after(minutes(1));
    const { mark } = world;
    await world.connector('a', { ready: 'False' });
    await world.after(minutes(30));
    const tried = world.stamps(mark).length;
    expect(tried).toBeGreaterThanOrEqual(2);
    expect(tried).toBeLessThanOrEqual(4);
    await world.after(minutes(60));
    expect(world.stamps(mark)).toHaveLength(tried);
    await world.do(world.hands.create('e1', HTTPRoute, { metadata: { namespace, name: 'web' }, spec } as never));
    await world.until('its route comes', () => world.shows('web') === '503', seconds(10));
    await world.after(minutes(10));
    expect(world.unconverged).toBe(0);
  });

  it('one of two Envoy Gateways loses its call: it alone keeps the Gateway from being converged', async () => {
    const callers = ['10.0.0.1', '10.0.0.2'];
    await using world = await published({ callers });
    let lost = 0;
    world.gateway('10.0.0.2').interceptors.add((next) => (request, options) => {
      if (lost++ > 0) return next(request, options);
      return Promise.reject(new HookError('INTERNAL', 'lost on its way'));
    });
    const { mark } = world;
    await world.connector('web', { ready: 'False' });
    await world.until('the first', () => world.shows('web', { caller: '10.0.0.1' }) === '503', seconds(1));
    expect(world.shows('web', { caller: '10.0.0.2' })).toBe('tunnel a');
    await world.until('the second', () => world.everywhere('web', '503'), seconds(10));
    await world.after(minutes(5));
    expect(world.stamps(mark).map(({ stamp }) => stamp)).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}\.1$/),
    ]);
    expect(world.unconverged).toBe(0);
  });

  it('an Envoy Gateway that starts anew asks about everything, and nobody stamps', async () => {
    await using world = await published({}, ['one', 'two']);
    const { mark, calls } = world;
    world.gateway().restart();
    await world.after(minutes(10));
    expect(world.calls - calls).toBe(2);
    expect(world.stamps(mark)).toEqual([]);
  });
});

describe('behind', () => {
  it('the stamp comes before the cache has the change: the call waits for it, and one is enough', async () => {
    await using world = await published();
    const { mark, calls } = world;
    const held = world.holdBack('x1');
    await world.connector('web', { ready: 'False' });
    await world.until('it is asked', () => world.calls > calls, seconds(2));
    await world.after(50);
    expect(world.shows('web')).toBe('tunnel a');
    held[Symbol.dispose]();
    await world.after(5);
    expect(world.shows('web')).toBe('503');
    await world.after(minutes(1));
    expect(world.stamps(mark)).toHaveLength(1);
    expect(world.calls).toBe(calls + 1);
    const metrics = await world.world.processes.process('x1').metrics.text();
    expect(metrics).toContain('lifeline_hook_wait_seconds_count 1');
  });

  it('it waits no longer than 100 ms, and once for a stamp', async () => {
    await using world = await published();
    const { calls } = world;
    const held = world.holdBack('x1');
    await world.connector('web', { ready: 'False' });
    await world.until('it is asked', () => world.calls > calls, seconds(2));
    const asked = world.world.clock.monotonic();
    let answeredAt = Infinity;
    world.gateway().observers.add(() => (answeredAt = Math.min(answeredAt, world.world.clock.monotonic())));
    await world.after(seconds(1));
    expect(answeredAt - asked).toBeLessThanOrEqual(101);
    await world.connector('other');
    world.gateway().restart();
    await world.after(seconds(1));
    const metrics = await world.world.processes.process('x1').metrics.text();
    expect(metrics).toContain('lifeline_hook_wait_seconds_count 1');
    held[Symbol.dispose]();
    await world.until('503', () => world.shows('web') === '503', minutes(1));
  });
});
