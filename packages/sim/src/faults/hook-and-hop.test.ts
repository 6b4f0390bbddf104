/** F22 and F25 take hold where the smallest app has nothing: on the way from hub to member, and between an Envoy Gateway and its hook. */
import { ClusterPropagationPolicy, ConfigMap, Connector, Gateway, type JsonObject, seeded } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Hook, HookCall } from '../edge/hook.ts';
import { answerBytes, requestOf } from '../edge/xds-wire.ts';
import { World } from '../world/world.ts';
import { injectedFault } from './all-faults.ts';
import type { FaultId } from './catalogue.ts';

const namespace = 'default';

/** Lets it go wrong; `fired` counts. */
function begin(world: World, fault: FaultId, args: JsonObject): Disposable & { readonly fired: number } {
  let fired = 0;
  const step = { id: 1, step: 'fault', fault, at: 0, forMs: 0, args } as const;
  const active = injectedFault(fault).begin({ world, step, random: seeded(fault), fired: () => fired++ });
  return {
    get fired() {
      return fired;
    },
    [Symbol.dispose]: () => active?.[Symbol.dispose](),
  };
}

describe('F25 hook-fault', () => {
  it.each([
    { how: 'unavailable', ends: 'UNAVAILABLE', asked: [0, 0] },
    { how: 'internal', ends: 'INTERNAL', asked: [0, 0] },
    { how: 'refused', ends: 'RESOURCE_EXHAUSTED', asked: [1, 0] },
    { how: 'doubled', ends: 'answered', asked: [2, 0] },
    { how: 'other-replica', ends: 'answered', asked: [0, 1] },
    { how: 'late', ends: 'answered', asked: [1, 0], afterMs: 5_000 },
  ])('$how: $ends', async ({ how, ends, asked, afterMs = 0 }) => {
    const counts = [0, 0];
    const hooks = counts.map((_, index): Hook => async ({ bytes }) => {
      counts[index] = (counts[index] ?? 0) + 1;
      return answerBytes(requestOf(bytes));
    });
    await using world = new World({
      seed: how,
      planes: [{ name: 'e1', role: 'edge' }],
      apps: [],
      edges: [{ plane: 'e1', merged: false, hooks: () => hooks }],
    });
    const calls: (readonly [number, HookCall['outcome']])[] = [];
    world.edges.get('e1')?.observers.add(({ outcome }) => calls.push([world.clock.monotonic(), outcome]));
    const fault = begin(world, 'F25', { how, chance: 1, delayMs: 5_000 });
    await world.clock.run(
      world.hands().create('e1', Gateway, {
        metadata: { namespace, name: 'g' },
        spec: { gatewayClassName: 'eg', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
      }),
    );
    await world.after(10_000);
    const [at, outcome] = calls[0] ?? [];
    expect(outcome?.at === 'failed' ? outcome.code : outcome?.at).toBe(ends);
    if (outcome?.at === 'failed') expect(outcome.injected).toBe(true);
    expect(counts).toEqual(asked);
    expect(at).toBeGreaterThanOrEqual(afterMs);
    expect(fault.fired).toBeGreaterThan(0);

    fault[Symbol.dispose]();
    counts.fill(0);
    calls.length = 0;
    world.edges.get('e1')?.restart();
    await world.after(2_000);
    expect([calls.map(([, { at: end }]) => end), counts]).toEqual([['answered'], [1, 0]]);
  });
});

describe('F22 hop-disorder', () => {
  async function landscape(): Promise<World> {
    const world = new World({
      seed: 'hop',
      planes: [
        { name: 'hub', role: 'hub' },
        { name: 'e1', role: 'edge' },
      ],
      apps: [],
      karmada: { hub: 'hub', members: ['e1'] },
    });
    const policy = world.hands().create('hub', ClusterPropagationPolicy, {
      metadata: { name: 'all' },
      spec: {
        resourceSelectors: [
          { apiVersion: 'v1', kind: 'ConfigMap', namespace },
          { apiVersion: Connector.apiVersion, kind: 'Connector', namespace },
        ],
        placement: { clusterAffinity: { clusterNames: ['e1'] } },
      },
    });
    await world.clock.run(Promise.all([world.karmada?.start(), policy]));
    await world.after(60_000);
    return world;
  }

  it.each(['pause', 'delay', 'no-cluster'])('%s: carried late, and in the end', async (how) => {
    await using world = await landscape();
    const fault = begin(world, 'F22', { how, delayMs: 120_000 });
    const name = { namespace, name: 'x' };
    await world.clock.run(world.hands().create('hub', ConfigMap, { metadata: name }));
    await world.after(20_000);
    expect([world.plane('e1').api.get(ConfigMap, name), fault.fired]).toEqual([undefined, 1]);
    fault[Symbol.dispose]();
    await world.after(how === 'delay' ? 900_000 : 120_000);
    expect(world.plane('e1').api.get(ConfigMap, name)).toBeDefined();
  });

  it('clear-status: an aggregate over nothing', async () => {
    await using world = await landscape();
    const name = { namespace, name: 'c' };
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'X', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    await world.clock.run(
      world.hands().create('hub', Connector, { metadata: name, spec: { connectorClassName: 'x' } }),
    );
    await world.after(30_000);
    const body = { status: { conditions } };
    const target = { kind: Connector, name, subresource: 'status' } as const;
    await world.clock.run(world.hands().patch('hub', target, { type: 'merge', body }));
    expect(begin(world, 'F22', { how: 'clear-status' }).fired).toBe(1);
    await world.clock.settle();
    const left = world.plane('hub').api.get(Connector, name)?.status?.conditions ?? [];
    expect(left.map(({ type }) => type)).not.toContain('Ready');
  });
});
