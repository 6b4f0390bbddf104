/**
 * An object is created and changed at once; what the first version applied, and the second does not have, is left over.
 * Source: open-cluster-management-io/ocm#632.
 * Cause:  two workers handled one key at a time, so that the slow first apply landed after the second.
 * Guard:  a key is with one worker at most, and is looked at again after what came meanwhile; an apply takes away what it no longer names.
 */
import { ConfigMap, type TransportInterceptor } from '@lifeline/core';
import { expect, it } from 'vitest';
import { configMap, seconds, World } from './world.ts';

it('C24: a slow first apply leaves nothing of what the second does not have', async () => {
  await using world = new World();
  world.start();
  await world.after(seconds(15));
  let applies = 0;
  let underWay = 0;
  let most = 0;
  const firstIsSlow: TransportInterceptor = (next) => async (request, options) => {
    if (request.method !== 'PATCH' || request.url.includes('/leases/')) return next(request, options);
    most = Math.max(most, ++underWay);
    try {
      if (++applies === 1) await world.clock.sleep(2_000, options.signal);
      return await next(request, options);
    } finally {
      underWay--;
    }
  };
  using _slow = world.on('target', firstIsSlow);

  const plane = world.source();
  plane.put(ConfigMap, configMap('web', { r0: 'x', r1: 'y' }));
  await world.after(5);
  const { metadata } = plane.get(ConfigMap, { namespace: 'default', name: 'web' }) as ConfigMap;
  plane.put(ConfigMap, configMap('web', { r0: 'x' }, metadata));
  await world.after(1_000);
  expect(world.copies()).toEqual({});
  await world.after(seconds(9));
  expect(world.copies()).toEqual({ 'p1 default/web': { r0: 'x' } });
  expect(applies).toBe(2);
  expect(most).toBe(1);
  expect(world.differences()).toEqual([]);
});
