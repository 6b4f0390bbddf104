/** The closed loop at one edge, with two replicas of the extension server: what becomes of a change, and what it costs. */
import { annotations, Connector, Gateway, HTTPProxy } from '@lifeline/core';
import { HookError } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, type EdgeWorldOptions, namespace, nodeB, through } from './edge-world.ts';

/** A world in which `web` goes through `a`, and is programmed. */
async function published(options: EdgeWorldOptions = {}): Promise<EdgeWorld> {
  const world = await EdgeWorld.start(options);
  await world.connector('a');
  await world.publish('web', { rules: through('a') });
  await world.until('the tunnel is programmed', () => world.everywhere('web', 'tunnel a'));
  await world.after(seconds(10));
  expect(world.unconverged).toBe(0);
  return world;
}

/** Nothing is left to do: nobody writes, nobody asks. */
async function expectQuiet(world: EdgeWorld): Promise<void> {
  expect(world.unconverged).toBe(0);
  const { mark, calls } = world;
  await world.after(minutes(30));
  expect(world.stamps(mark)).toEqual([]);
  expect(world.calls).toBe(calls);
}

describe.each([
  { name: 'one Envoy Gateway', options: {} },
  { name: 'merged Gateways', options: { merged: true } },
  { name: 'two Envoy Gateways', options: { callers: ['10.0.0.1', '10.0.0.2'] } },
])('$name', ({ options }) => {
  it('offline and online again: within a second, with one stamp each, and to the same program as before', async () => {
    await using world = await published(options);
    const before = world.envoy('web').program;
    for (const [ready, shown] of [
      ['False', '503'],
      ['True', 'tunnel a'],
    ] as const) {
      const { mark } = world;
      await world.connector('a', { ready });
      expect(await world.until(shown, () => world.everywhere('web', shown))).toBeLessThan(seconds(1));
      await world.after(seconds(20));
      expect(world.stamps(mark)).toHaveLength(1);
    }
    expect(world.envoy('web').program).toEqual(before);
    await expectQuiet(world);
  });

  it('another node id', async () => {
    await using world = await published(options);
    await world.connector('a', { nodeId: nodeB });
    await world.until('the other node', () => world.everywhere('web', 'tunnel b'), seconds(1));
    await world.after(seconds(20));
    await expectQuiet(world);
  });
});

describe('each change of what decides a program reaches Envoy', () => {
  it.each([
    {
      name: 'the connector is deleted',
      change: (world: EdgeWorld) => world.delete(Connector, 'a'),
      shown: '503',
    },
    {
      name: 'its annotation cannot be read, and its live status says that it is not ready',
      change: async (world: EdgeWorld) => {
        await world.patch(
          Connector,
          { namespace, name: 'a' },
          {
            metadata: { annotations: { [annotations.upstreamStatus]: '{"conditions":' } },
          },
        );
      },
      shown: '503',
    },
    {
      name: 'the HTTPProxy goes to another connector',
      change: async (world: EdgeWorld) => {
        await world.connector('b', { nodeId: nodeB });
        await world.publish('web', { rules: through('b') });
      },
      shown: 'tunnel b',
    },
    {
      name: 'the HTTPProxy goes to a connector that is not there',
      change: (world: EdgeWorld) => world.publish('web', { rules: through('nobody') }),
      shown: '503',
    },
    {
      name: 'the target is another one',
      change: (world: EdgeWorld) => world.publish('web', { rules: through('a', 'http://127.0.0.1:9090') }),
      shown: 'tunnel a',
    },
  ])('$name: $shown', async ({ change, shown }) => {
    await using world = await published();
    await change(world);
    await world.until(shown, () => world.everywhere('web', shown), seconds(5));
    await world.after(seconds(30));
    expect(world.shows('web')).toBe(shown);
    await expectQuiet(world);
  });

  it('two connectors behind one Gateway go offline one after the other, and come back in that order', async () => {
    await using world = await EdgeWorld.start();
    await world.connector('a');
    await world.connector('b', { nodeId: nodeB });
    const rule = (connector: string, path: string) => ({
      ...through(connector)[0],
      matches: [{ path: { type: 'PathPrefix', value: path } }],
    });
    await world.publish('web', { rules: [rule('a', '/a'), rule('b', '/b')] });
    const both = (): string => ['/a', '/b'].map((path) => world.shows('web', { path })).join();
    const steps = [
      ['a', 'False', '503,tunnel b'],
      ['b', 'False', '503,503'],
      ['a', 'True', 'tunnel a,503'],
      ['b', 'True', 'tunnel a,tunnel b'],
    ] as const;
    await world.until('both', () => both() === 'tunnel a,tunnel b');
    for (const [name, ready, shown] of steps) {
      await world.connector(name, { ready, nodeId: name.repeat(64) });
      await world.until(`${name} is ${ready}`, () => both() === shown, seconds(2));
      await world.after(seconds(2));
    }
    await world.after(seconds(30));
    await expectQuiet(world);
  });
});

describe('when something goes wrong', () => {
  it('the cache of the replica that is asked stands still: no lie is believed, and it ends well', async () => {
    await using world = await published();
    const { mark, calls } = world;
    const held = world.holdBack('x1');
    await world.connector('a', { ready: 'False' });
    await world.after(seconds(20));
    expect(world.shows('web')).toBe('tunnel a');
    expect(world.servers.find('x2')?.unconverged()).toBe(1);
    held[Symbol.dispose]();
    await world.until('503', () => world.shows('web') === '503', seconds(30));
    await world.after(minutes(1));
    expect(world.stamps(mark).length).toBeLessThanOrEqual(6);
    expect(world.calls - calls).toBeLessThanOrEqual(6);
    await expectQuiet(world);
  });

  it('the servers are down during a flip: no call until they have listed, then the truth of then', async () => {
    await using world = await published();
    for (const replica of world.replicas) world.world.processes.kill(replica);
    await world.connector('a', { ready: 'False' });
    await world.publish('shop', { rules: through('a') });
    await world.after(seconds(20));
    expect(world.shows('web')).toBe('tunnel a');
    const { calls } = world;
    const held = world.holdBack('x1', HTTPProxy);
    world.world.processes.start('x1');
    await world.after(seconds(60));
    expect(world.calls).toBe(calls);
    held[Symbol.dispose]();
    await world.until('503 for both', () => world.shows('web') === '503' && world.shows('shop') === '503', seconds(60));
    await world.after(minutes(2));
    await expectQuiet(world);
  });

  it.each([
    { name: 'on its way there', code: 'INTERNAL', arrives: false },
    { name: 'its answer on the way back', code: 'RESOURCE_EXHAUSTED', arrives: true },
  ] as const)('a call about a flip is lost, $name: one stamp more settles it', async ({ code, arrives }) => {
    await using world = await published();
    let lost = 0;
    world.gateway().interceptors.add((next) => async (request, options) => {
      if (lost++ > 0) return next(request, options);
      const stream = new AbortController();
      if (arrives) void next(request, { signal: stream.signal });
      // What has not got through when the caller resets the stream was no answer.
      stream.abort();
      throw new HookError(code, 'by the test');
    });
    const { mark } = world;
    await world.connector('a', { ready: 'False' });
    await world.until('503', () => world.shows('web') === '503', seconds(15));
    await world.after(minutes(1));
    expect(lost).toBe(2);
    expect(world.stamps(mark)).toHaveLength(2);
    await expectQuiet(world);
  });

  it('the replica that answered dies: the other is asked next, and nothing is stamped for it', async () => {
    await using world = await published();
    const { mark } = world;
    world.world.processes.kill('x1');
    await world.after(minutes(5));
    await world.connector('a', { ready: 'False' });
    await world.until('503', () => world.shows('web') === '503', seconds(1));
    await world.after(minutes(1));
    expect(world.stamps(mark).length).toBeLessThanOrEqual(2);
  });
});

describe('what is none of its business', () => {
  it('a Gateway of another class, or in a namespace of nobody, is not stamped, and serves what it can', async () => {
    await using world = await EdgeWorld.start();
    await world.namespace('private', false);
    await world.connector('a', { namespace: 'private' });
    await world.publish('own', { rules: through('a') }, 'private');
    await world.connector('a');
    await world.publish('web', { rules: through('a') });
    await world.patch(Gateway, { namespace, name: 'web' }, { spec: { gatewayClassName: 'internal' } });
    await world.after(minutes(1));
    const { mark } = world;
    await world.connector('a', { ready: 'False' });
    await world.connector('a', { ready: 'False', namespace: 'private' });
    await world.after(minutes(10));
    expect(world.stamps(mark)).toEqual([]);
  });

  it('a plain backend beside a connector keeps being served', async () => {
    await using world = await published();
    await world.publish('web', {
      rules: [
        {
          backends: [
            { endpoint: 'http://localhost:8080', connector: { name: 'a' } },
            { endpoint: 'http://origin.example.com' },
          ],
        },
      ],
    });
    await world.until('the tunnel', () => world.shows('web') === 'tunnel a', seconds(5));
    await world.connector('a', { ready: 'False' });
    await world.until('the other backend', () => world.shows('web') === 'direct', seconds(2));
  });
});
