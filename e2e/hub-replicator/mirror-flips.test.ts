/** A flip of liveness that comes while a write of the same copy has hardly left. */
import { annotations, classifyLiveness } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Connector, minutes, MirrorWorld, seconds } from './mirror-world.ts';
import { connector, onlineStatus } from './objects.ts';

const target = { kind: Connector, name: { namespace: 'default', name: 'c1' } };

/** A connector that is online, and so is its copy. */
async function online(world: MirrorWorld): Promise<() => string> {
  const namespace = await world.namespace();
  await world.make(world.project(), Connector, connector('c1'));
  await world.status(world.project(), target, onlineStatus('True'));
  world.start();
  await world.after(minutes(1));
  return () => classifyLiveness(world.hub.get(Connector, { namespace, name: 'c1' })).state;
}

describe('a flip', () => {
  it('waits for no spacing of writes: not after a write of the spec, nor after another flip', async () => {
    await using world = new MirrorWorld();
    const state = await online(world);
    await world.patch(world.project(), target, { spec: { connectorClassName: 'other' } });
    await world.after(10);
    const since = world.calls.length;
    await world.status(world.project(), target, onlineStatus('False'));
    await world.after(1);
    expect(state()).toBe('offline');
    await world.status(world.project(), target, onlineStatus('True'));
    await world.after(1);
    expect(state()).toBe('online');
    expect(world.writes(since)).toHaveLength(2);
  });

  it('that is taken back before the hub’s watch has told of it is taken back on the hub', async () => {
    await using world = new MirrorWorld();
    const replica = world.hub.replica();
    world.route('hub', replica.transport);
    const state = await online(world);
    replica.freeze();
    for (const ready of ['False', 'True', 'False', 'True'] as const) {
      await world.status(world.project(), target, onlineStatus(ready));
      await world.after(seconds(1));
      expect(state()).toBe(ready === 'True' ? 'online' : 'offline');
    }
    const since = world.calls.length;
    replica.thaw();
    await world.after(minutes(15));
    expect(state()).toBe('online');
    expect(world.writes(since)).toEqual([]);
  });

  it('what is no flip waits for its turn, though the hub’s watch has not told of the last one', async () => {
    await using world = new MirrorWorld();
    const replica = world.hub.replica();
    world.route('hub', replica.transport);
    await online(world);
    replica.freeze();
    await world.status(world.project(), target, onlineStatus('True', 'https://one.example'));
    await world.after(seconds(1));
    await world.status(world.project(), target, onlineStatus('True', 'https://two.example'));
    await world.after(seconds(1));
    const carried = (): string =>
      world.hub.objects(Connector)[0]?.metadata.annotations?.[annotations.upstreamStatus] ?? '';
    expect(carried()).toContain('one.example');
    await world.after(seconds(30));
    expect(carried()).toContain('two.example');
  });
});
