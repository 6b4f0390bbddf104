import { copyName, finalizer } from '@lifeline/example-mirror';
import { ConfigMap, objectKey, type ObjectMeta } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { configMap, minutes, seconds, World } from '../reports/world.ts';

const name = { namespace: 'default', name: 'o' };
const copy = { namespace: 'mirrors', name: copyName('p1', objectKey(name)) };

async function mirrored(): Promise<World> {
  const world = new World();
  world.source().put(ConfigMap, configMap('o', { a: '1' }));
  world.start('a');
  await world.after(seconds(5));
  expect(world.differences()).toEqual([]);
  return world;
}

/** Somebody changes metadata of an object and nothing else. */
function mark(plane: ReturnType<World['source']>, which: typeof name, metadata: Partial<ObjectMeta>): void {
  const object = plane.get(ConfigMap, which);
  if (object) plane.put(ConfigMap, { ...object, metadata: { ...object.metadata, ...metadata } });
}

describe('the example mirror', () => {
  it('writes nothing on a steady world', async () => {
    await using world = await mirrored();
    const before = world.writes().length;
    await world.after(minutes(60));
    expect(world.writes().length).toBe(before);
  });

  it('keeps the finalizer while the copy is held by somebody, and releases it after', async () => {
    await using world = await mirrored();
    mark(world.target, copy, { finalizers: ['somebody/else'] });
    mark(world.source(), name, { labels: {} });
    await world.after(seconds(30));
    expect(world.target.get(ConfigMap, copy)?.metadata.deletionTimestamp).toBeDefined();
    expect(world.source().get(ConfigMap, name)?.metadata.finalizers).toEqual([finalizer]);
    world.target.remove(ConfigMap, copy);
    await world.after(seconds(10));
    expect(world.differences()).toEqual([]);
  });

  it('leaves an object that is not ours alone, and says so', async () => {
    await using world = new World();
    world.target.put(ConfigMap, { metadata: copy, data: { precious: 'yes' } });
    world.source().put(ConfigMap, configMap('o', { a: '1' }));
    world.start('a');
    await world.after(seconds(30));
    expect(world.target.get(ConfigMap, copy)?.data).toEqual({ precious: 'yes' });
    expect(world.sim.logLines.filter((line) => line.includes('exists and is not ours'))).not.toEqual([]);
    world.target.remove(ConfigMap, copy);
    await world.after(minutes(15));
    expect(world.differences()).toEqual([]);
  });

  it('makes the copy of a recreated source anew, never adopts the old one', async () => {
    await using world = await mirrored();
    const old = world.target.get(ConfigMap, copy)?.metadata.uid;
    world.source().put(ConfigMap, configMap('o', { a: '1' }, { uid: 'another' }));
    await world.after(seconds(30));
    expect(world.differences()).toEqual([]);
    expect(world.target.get(ConfigMap, copy)?.metadata.uid).not.toBe(old);
  });

  it('puts back what somebody edited or deleted, and leaves what others added', async () => {
    await using world = await mirrored();
    const made = world.target.get(ConfigMap, copy);
    const labels = { ...made?.metadata.labels, theirs: 'yes' };
    world.target.put(ConfigMap, { ...made, metadata: { ...made?.metadata, ...copy, labels }, data: { a: 'edited' } });
    await world.after(seconds(10));
    expect(world.target.get(ConfigMap, copy)?.data).toEqual({ a: '1' });
    expect(world.target.get(ConfigMap, copy)?.metadata.labels).toMatchObject({ theirs: 'yes' });
    world.target.remove(ConfigMap, copy);
    await world.after(seconds(10));
    expect(world.differences()).toEqual([]);
  });
});
