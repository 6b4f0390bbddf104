/** A replicator that loses its planes at any request of a life, before the request arrives or before its answer does, and is started anew. */
import { annotations, finalizers, labels } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { ConfigMap, HTTPProxy, MirrorWorld, Namespace, seconds } from './mirror-world.ts';
import { proxy, synced } from './objects.ts';

const web = { namespace: 'default', name: 'web' };
const cm = { namespace: 'default', name: 'cm' };

/** What the hub should hold: exactly what stands upstream, each with its anchor, and no finalizer without a reason. */
async function expectConverged(world: MirrorWorld): Promise<void> {
  const project = world.project();
  const namespace = await world.namespace();
  const proxies = project.objects(HTTPProxy);
  const maps = project.objects(ConfigMap).filter(({ metadata }) => metadata.labels?.[labels.gatewaySync] !== undefined);
  const copies = world.hub.objects(HTTPProxy);
  expect(
    copies.map(({ metadata, spec }) => [
      metadata.namespace,
      metadata.name,
      metadata.annotations?.[annotations.upstreamUid],
      spec,
    ]),
  ).toEqual(proxies.map(({ metadata, spec }) => [namespace, metadata.name, metadata.uid, spec]));
  const inPlace = world.hub.objects(ConfigMap).filter(({ metadata }) => metadata.namespace === namespace);
  expect(inPlace.map(({ metadata }) => metadata.name).sort()).toEqual(
    [
      ...maps.map(({ metadata }) => metadata.name),
      ...[...proxies, ...maps].map(({ metadata }) => `anchor-${metadata.uid}`),
    ].sort(),
  );
  for (const { metadata } of [...proxies, ...maps]) expect(metadata.finalizers).toEqual([finalizers.replicator]);
  expect(
    world.hub.objects(Namespace).filter(({ metadata }) => metadata.name.startsWith('ns-')).length,
  ).toBeLessThanOrEqual(1);
}

type Act = (world: MirrorWorld) => Promise<void>;

/** What users do, one after the other. */
const acts: Readonly<Record<string, Act>> = {
  create: async (world) => {
    await world.make(world.project(), HTTPProxy, proxy('web'));
    await world.make(world.project(), ConfigMap, synced('cm', { a: '1' }));
  },
  update: async (world) => {
    await world.patch(world.project(), { kind: HTTPProxy, name: web }, { spec: { hostnames: null } });
    await world.patch(world.project(), { kind: ConfigMap, name: cm }, { data: { b: '2' } });
  },
  unselect: async (world) => {
    await world.patch(world.project(), { kind: ConfigMap, name: cm }, { metadata: { labels: null } });
  },
  'make anew': async (world) => {
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(1));
    // By force, where nobody lets go of it.
    const held = { kind: HTTPProxy, name: web };
    if (world.project().get(HTTPProxy, web))
      await world.patch(world.project(), held, { metadata: { finalizers: null } });
    await world.make(world.project(), HTTPProxy, proxy('web'));
  },
  delete: async (world) => {
    await world.delete(world.project(), HTTPProxy, web);
  },
};

/** Lives until `act`, in which every plane is lost at the n-th request; how many requests there were, when none was lost. */
async function live(act: string, lostAt: number, how: 'before' | 'after'): Promise<number> {
  await using world = new MirrorWorld();
  await world.namespace();
  world.start();
  await world.after(seconds(2));
  let count = 0;
  for (const [name, doIt] of Object.entries(acts)) {
    if (name === act) {
      for (const plane of ['p1', 'hub']) {
        world.wire(plane, ({ url }) => {
          if (url.includes('watch=true') || ++count < lostAt) return;
          if (how === 'before' || count > lostAt) throw new Error('the plane is lost');
        });
        world.answers(plane, ({ url }) => {
          if (!url.includes('watch=true') && count >= lostAt) throw new Error('the answer is lost');
        });
      }
    }
    await doIt(world);
    await world.after(seconds(1));
    if (name !== act) continue;
    for (const plane of ['p1', 'hub']) {
      world.wire(plane, undefined);
      world.answers(plane, undefined);
    }
    await world.restart();
    await world.after(seconds(30));
    await expectConverged(world);
    return count;
  }
  return count;
}

describe.each(Object.keys(acts))('%s', (act) => {
  it.each(['before', 'after'] as const)('converges whichever request is lost, %s it arrives', async (how) => {
    const requests = await live(act, Infinity, how);
    expect(requests).toBeGreaterThan(1);
    for (let lostAt = 1; lostAt <= requests; lostAt++) await live(act, lostAt, how);
  });
});
