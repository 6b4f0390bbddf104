/** Planes and control planes that came back without their data, and what is counted of them. */
import { expect, it } from 'vitest';
import { Connector, HTTPProxy, minutes, MirrorWorld, seconds } from './mirror-world.ts';
import { connector, proxy } from './objects.ts';

const orphans = async ({ metrics }: MirrorWorld): Promise<number> =>
  Number(/^lifeline_orphans (\d+)$/m.exec(await metrics.text())?.[1]);

it('a plane that has lost its data is not believed about a single copy either', async () => {
  await using world = new MirrorWorld();
  const empty = world.project().snapshot();
  await world.namespace('team');
  await world.make(world.project(), Connector, connector('c1', 'team'));
  await world.make(world.project(), HTTPProxy, proxy('web', { namespace: 'team' }));
  world.start();
  await world.after(seconds(5));
  await world.stop();
  world.project().restore(empty);
  await world.namespace('team');
  world.start();
  await world.after(minutes(120));
  expect(world.hub.objects(Connector)).toHaveLength(1);
  expect(world.hub.objects(HTTPProxy)).toHaveLength(1);
  expect(await world.metrics.text()).toMatch(/lifeline_sweep_total\{result="refused"\} [1-9]/);
  expect(await orphans(world)).toBe(2);
});

it('so is one that loses them while it is watched', async () => {
  await using world = new MirrorWorld();
  const empty = world.project().snapshot();
  await world.namespace('team');
  await world.make(world.project(), Connector, connector('c1', 'team'));
  world.start();
  await world.after(seconds(5));
  world.project().restore(empty);
  await world.after(minutes(120));
  expect(world.hub.objects(Connector)).toHaveLength(1);
});

it('orphans that were swept are orphans no more', async () => {
  await using world = new MirrorWorld();
  await world.namespace();
  const names = ['a', 'b', 'c'];
  for (const name of names) await world.make(world.project(), Connector, connector(name));
  world.start();
  await world.after(seconds(5));
  await world.stop();
  for (const name of names) {
    const target = { kind: Connector, name: { namespace: 'default', name } };
    await world.patch(world.project(), target, { metadata: { finalizers: null } });
    await world.delete(world.project(), Connector, target.name);
  }
  world.start();
  await world.after(minutes(1));
  expect(await orphans(world)).toBe(3);
  await world.after(minutes(30));
  expect(world.hub.objects(Connector)).toEqual([]);
  expect(await orphans(world)).toBe(0);
});
