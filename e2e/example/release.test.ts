/**
 * An object that is not mirrored any more must not stay held by our finalizer.
 * Found by killing the leader at every await: between the deletion of the copy and the release of the finalizer nothing but the finalizer
 * itself says that there is work left, so the cache must hold objects that have lost their label.
 */
import { finalizer } from '@lifeline/example-mirror';
import { ConfigMap } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { configMap, seconds, World } from '../reports/world.ts';

const name = { namespace: 'default', name: 'o' };

describe('the finalizer', () => {
  it('is released by the next leader when the last one died just before', async () => {
    await using world = new World();
    world.source().put(ConfigMap, configMap('o'));
    world.start('a');
    await world.after(seconds(5));
    expect(world.differences()).toEqual([]);
    {
      // The copy goes, the release never arrives.
      using _lost = world.on(
        'p1',
        (next) => (request, options) =>
          request.method === 'PATCH' ? new Promise(() => undefined) : next(request, options),
      );
      world.source().put(ConfigMap, {
        ...configMap('o'),
        metadata: { ...world.source().get(ConfigMap, name)?.metadata, ...name, labels: {} },
      });
      await world.after(seconds(10));
      expect(world.copies()).toEqual({});
      expect(world.source().get(ConfigMap, name)?.metadata.finalizers).toEqual([finalizer]);
      world.sim.kill('a');
    }
    world.start('b');
    await world.after(seconds(40));
    expect(world.differences()).toEqual([]);
    expect(world.source().get(ConfigMap, name)?.metadata.finalizers ?? []).toEqual([]);
  });
});
