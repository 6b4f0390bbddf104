/** A kind that the hub does not serve any more: what waits for it says so, and goes on when it is back. */
import { Connector, finalizers, HTTPProxy, KubeEvent } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { MirrorWorld, minutes, seconds } from './mirror-world.ts';
import { connector, proxy } from './objects.ts';

const c1 = { namespace: 'default', name: 'c1' };
const c2 = { namespace: 'default', name: 'c2' };

/** From the replicator's next start on: watches that run go on. */
const unserve = (world: MirrorWorld): void =>
  world.wire('hub', (request) => {
    if (!request.url.includes('/connectors')) return undefined;
    const url = request.url.replace('/connectors', '/nothings');
    return world.hub.transport({ ...request, url }, { signal: new AbortController().signal });
  });

const unserved = async (world: MirrorWorld): Promise<string | undefined> =>
  /^lifeline_mirror_unserved (\d+)$/m.exec(await world.metrics.text())?.[1];

describe('a kind that the hub stops serving', () => {
  it('is said on every object that is deleted meanwhile; they go when it is back', async () => {
    await using world = new MirrorWorld();
    await world.namespace();
    for (const { name } of [c1, c2]) await world.make(world.project(), Connector, connector(name));
    await world.make(world.project(), HTTPProxy, proxy('web'));
    world.start();
    await world.after(seconds(5));
    await world.stop();
    unserve(world);
    const { lag } = world.start();
    await world.after(seconds(5));
    expect(world.project().objects(KubeEvent)).toEqual([]);
    await world.delete(world.project(), Connector, c1);
    await world.after(minutes(30));
    expect(world.project().get(Connector, c1)?.metadata.finalizers).toEqual([finalizers.replicator]);
    const told = world.project().objects(KubeEvent);
    expect(new Set(told.map(({ reason, regarding }) => `${reason} ${regarding?.name}`))).toEqual(
      new Set(['HubKindUnavailable c1']),
    );
    expect(world.logLines.filter((line) => line.includes('a deleted object waits'))).toHaveLength(1);
    expect(await unserved(world)).toBe('1');
    // The hub lacks a change of this project: an edge may know.
    expect(lag.oldest('p1')).toBeDefined();

    world.wire('hub', undefined);
    await world.after(minutes(6));
    expect(world.project().get(Connector, c1)).toBeUndefined();
    expect(world.hub.objects(Connector).map(({ metadata }) => metadata.name)).toEqual(['c2']);
    expect(await unserved(world)).toBe('0');
    expect(lag.oldest('p1')).toBeUndefined();
  });
});
