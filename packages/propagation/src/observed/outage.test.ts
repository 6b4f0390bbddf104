/** Rules 11, 16, 23 and 26: members that are away, hot or empty, and a Karmada that is. */
import { CustomResourceDefinition, KarmadaCluster, Namespace, Work } from '@lifeline/core';
import { customResourceDefinition } from '@lifeline/core/crd';
import { describe, expect, it } from 'vitest';
import { executionNamespace } from '../names.ts';
import type { Span } from '../settings.ts';
import { labels } from '../words.ts';
import { Connector } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { Rig, type RigOptions, the } from './rig.fixture.ts';

const target = the(Connector, 'down1');

async function rigWith(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  await rig.connectors();
  await rig.clock.advance(500);
  await rig.connector('down1');
  await rig.clock.advance(5_000);
  rig.lines.length = 0;
  return rig;
}

const readiness = (rig: Rig): unknown => {
  const { status, reason } = rig.condition(rig.get('hub', the(KarmadaCluster, 'm2', '')), 'Ready') ?? {};
  return ['Ready', status, reason];
};

/** Steps until it holds, and says how long that took. */
async function until(rig: Rig, holds: () => boolean, limitMs = 300_000): Promise<number> {
  const start = rig.clock.monotonic();
  while (!holds()) {
    if (rig.clock.monotonic() - start > limitMs) throw new Error(`not within ${limitMs} ms`);
    await rig.clock.advance(50);
  }
  return rig.clock.monotonic() - start;
}

describe('a member that is away', () => {
  it('member-down-60s: an edit fails and is tried again at its own pace; what it said last is lost', async () => {
    await using rig = await rigWith();
    rig.down('m2');
    await rig.clock.advance(5_000);
    await rig.patch('hub', target, { metadata: { annotations: { flip: '1' } } });
    await rig.connector('down1new');
    await rig.clock.advance(2_000);
    expect(rig.get('m1', target).metadata.annotations).toMatchObject({ flip: '1' });
    await rig.clock.advance(53_000);
    const words = (message: unknown): string =>
      String(message).replaceAll(
        /(https:\/\/)[^/]+|\?timeout=32s|: (dial tcp|unreachable|connect-failed|m2 refuses).*$/g,
        '$1',
      );
    const [dispatching, applied] = rig.work('m2', target)?.status?.conditions ?? [];
    const want = recorded('member-down-60s', 'work_before_return') as readonly { message: string }[];
    expect({ ...dispatching, lastTransitionTime: '<time>' }).toEqual(want[0]);
    expect({ ...applied, lastTransitionTime: '<time>', message: words(applied?.message) }).toEqual({
      ...want[1],
      message: words(want[1]?.message),
    });
    const items = rig.binding(target)?.status?.aggregatedStatus ?? [];
    expect(items[0]).toEqual((recorded('member-down-60s', 'agg_before_return') as readonly unknown[])[0]);
    expect(items[1]).toEqual({ appliedMessage: applied?.message, clusterName: 'm2', health: 'Unknown' });
    const conditions = recorded('member-down-60s', 'cluster_before_return') as readonly unknown[];
    expect(readiness(rig)).toEqual(conditions[1]);
    const { taints } = rig.get('hub', the(KarmadaCluster, 'm2', '')).spec;
    expect(taints?.map((taint) => ({ ...taint, timeAdded: '<time>' }))).toEqual(recorded('member-down-60s', 'taints'));

    rig.up('m2');
    const back = rig.clock.monotonic();
    const readyMs = await until(
      rig,
      () => rig.condition(rig.get('hub', the(KarmadaCluster, 'm2', '')), 'Ready')?.status === 'True',
    );
    expect(readyMs).toBeLessThan(6_000);
    await until(rig, () => rig.get('m2', target).metadata.annotations?.['flip'] === '1');
    // The longest pause is 10 s, and being ready again shortens none.
    expect(rig.clock.monotonic() - back).toBeGreaterThan(readyMs);
    expect(rig.clock.monotonic() - back).toBeLessThan(16_000);
    await until(rig, () => rig.find('m2', the(Connector, 'down1new')) !== undefined);
    await until(rig, () => rig.binding(target)?.status?.aggregatedStatus?.[1]?.applied === true);
    expect(rig.get('hub', the(KarmadaCluster, 'm2', '')).spec.taints ?? []).toEqual([]);
  });

  it('member-down-60s-defaults: with Karmada’s own settings the edit arrives long after the member', async () => {
    await using rig = await rigWith({ plainSettings: { blindAfterOutageMs: [0, 0] } });
    await rig.clock.advance(15_000);
    rig.down('m2');
    const start = rig.clock.monotonic();
    await rig.clock.advance(5_000);
    await rig.patch('hub', target, { metadata: { annotations: { flip: '1' } } });
    const notReadyMs = 5_000 + (await until(rig, () => (readiness(rig) as string[])[1] === 'False'));
    await rig.clock.advance(62_627 - (rig.clock.monotonic() - start));
    rig.up('m2');
    const back = rig.clock.monotonic();
    const readyMs = await until(rig, () => (readiness(rig) as string[])[1] === 'True');
    const arrivedMs = readyMs + (await until(rig, () => rig.get('m2', target).metadata.annotations?.['flip'] === '1'));
    expect(rig.clock.monotonic() - back).toBe(arrivedMs);
    const seen = recorded('member-down-60s-defaults') as Record<
      'ready_ms_after_back' | 'flip_arrived_ms_after_back',
      number
    > & {
      cluster_transitions: readonly { ms: number }[];
    };
    // Probes come every 10 s, at a phase of their own; the pauses of the edit are 5 ms doubled.
    expect(Math.abs(notReadyMs - (seen.cluster_transitions[0]?.ms ?? 0))).toBeLessThan(10_000);
    expect(Math.abs(readyMs - seen.ready_ms_after_back)).toBeLessThan(10_000);
    expect(Math.abs(arrivedMs - seen.flip_arrived_ms_after_back)).toBeLessThan(2_000);
  });

  it('a cluster that is not ready keeps its last item, as long as nobody edits', async () => {
    await using rig = await rigWith();
    await rig.status('m2', target, { n: 1 });
    await rig.clock.advance(1_000);
    rig.down('m2');
    await rig.clock.advance(30_000);
    expect((readiness(rig) as string[])[1]).toBe('False');
    expect(rig.binding(target)?.status?.aggregatedStatus?.[1]).toEqual({
      applied: true,
      clusterName: 'm2',
      health: 'Healthy',
      status: { n: 1 },
    });
  });

  it('member-down-template-deleted: the Work lingers; a new template does not go there, until it is back', async () => {
    await using rig = await rigWith({ settings: { blindAfterOutageMs: [70_000, 70_000] } });
    rig.down('m2');
    await rig.clock.advance(12_000);
    await rig.delete('hub', target);
    await rig.connector('born');
    await rig.clock.advance(3_000);
    const { deletionTimestamp, finalizers } = rig.work('m2', target)?.metadata ?? {};
    expect({ deletionTimestamp: deletionTimestamp !== undefined, finalizers }).toEqual(
      recorded('member-down-template-deleted', 'deleted_template_work'),
    );
    expect(rig.binding(target) === undefined).toBe(recorded('member-down-template-deleted', 'rb_gone'));
    expect(rig.binding(the(Connector, 'born'))?.spec.clusters).toEqual(
      recorded('member-down-template-deleted', 'new_binding_clusters'),
    );
    rig.up('m2');
    await rig.clock.advance(60_000);
    expect(rig.find('m2', the(Connector, 'born'))).toBeDefined();
    // The view of the member was empty: what it does not show counts as gone.
    expect(rig.work('m2', target)).toBeUndefined();
    expect(rig.find('m2', target)?.metadata.labels?.[labels.managed]).toBe('true');
    await rig.clock.advance(60_000);
    expect(rig.find('m2', target)).toBeDefined();
    await rig.status('m2', the(Connector, 'born'), { n: 1 });
    await rig.clock.advance(1_000);
    expect(rig.binding(the(Connector, 'born'))?.status?.aggregatedStatus?.[1]?.status).toEqual({ n: 1 });
  });

  it.each([
    { view: 'is back at once', blindAfterOutageMs: [0, 0] as Span, run: 0 },
    { view: 'stays empty', blindAfterOutageMs: [70_000, 70_000] as Span, run: 1 },
  ])('leak-after-outage: the view $view', async ({ blindAfterOutageMs, run }) => {
    await using rig = await rigWith({ settings: { blindAfterOutageMs } });
    rig.down('m2');
    await rig.clock.advance(60_000);
    rig.up('m2');
    await until(rig, () => (readiness(rig) as string[])[1] === 'True');
    const { objects, left_on_member_without_work_and_template: left } =
      (recorded('leak-after-outage', 'runs') as readonly Record<string, number>[])[run] ?? {};
    for (let index = 0; index < (objects ?? 0); index++) {
      const one = the(Connector, `lk-${index}`);
      await rig.connector(`lk-${index}`);
      await until(rig, () => rig.find('m2', one) !== undefined);
      await rig.delete('hub', one);
      await rig.clock.advance(200);
    }
    await rig.clock.advance(120_000);
    const leaked = rig.objects('m2', Connector).filter(({ metadata }) => metadata.name.startsWith('lk-'));
    expect(leaked).toHaveLength(left ?? -1);
    expect(leaked.every(({ metadata }) => metadata.labels?.[labels.managed] === 'true')).toBe(true);
    expect(rig.objects('hub', Work).filter(({ metadata }) => metadata.name.startsWith('lk-'))).toEqual([]);
    // By then the view is back: drift is repaired again.
    await rig.patch('m2', target, { spec: { connectorClassName: 'member' } });
    await rig.clock.advance(1_000);
    expect(rig.get('m2', target).spec).toEqual({ connectorClassName: 'x' });
  });

  it('member-recreated-empty: everything that has a Work comes back by itself', async () => {
    await using rig = await rigWith();
    for (let index = 0; index < 10; index++) await rig.connector(`many-${index}`);
    await rig.clock.advance(3_000);
    const count = rig.objects('m2', Connector).length;
    rig.down('m2');
    await rig.clock.advance(1_000);
    // As an etcd whose keys were deleted: its revisions go on.
    rig.plane('m2').restore({ ...rig.empty, revision: rig.plane('m2').revision + 1 });
    rig.up('m2');
    await rig.clock.advance(6_600);
    await rig.create('m2', CustomResourceDefinition, customResourceDefinition(Connector, { open: true }));
    await rig.clock.advance(60_000);
    expect(rig.find('m2', the(Namespace, 't1', ''))).toBeDefined();
    expect(rig.objects('m2', Connector)).toHaveLength(count);
    const failing = rig
      .objects('hub', Work)
      .filter(({ metadata }) => metadata.namespace === executionNamespace('m2'))
      .filter((work) => rig.condition(work, 'Applied')?.status !== 'True');
    expect(failing).toEqual([]);
  });
});

describe('a hot member', () => {
  it.each([
    { rate: 'rate20', everyMs: 50, dips: false },
    { rate: 'rate100', everyMs: 7, dips: true },
  ])('conflict-storm: status written every $everyMs ms', async ({ everyMs, dips }) => {
    // A cache that is late by as much as a busy apiserver makes it.
    await using rig = await rigWith({ cacheLagMs: 12 });
    const messages = new Set<unknown>();
    using _tap = rig.plane('hub').tap(({ object }) => {
      const applied = object.kind === 'Work' ? rig.condition(object as unknown as Work, 'Applied') : undefined;
      if (applied?.status === 'False') messages.add(applied.message);
    });
    let n = 0;
    const writing = new AbortController();
    const write = async (): Promise<void> => {
      while (!writing.signal.aborted) {
        n++;
        const patch = { type: 'merge', body: { status: { n } } } as const;
        await rig.client('m1').patch(target, patch, { signal: rig.signal, subresource: 'status' });
        await rig.clock.sleep(everyMs, writing.signal).catch(() => undefined);
      }
    };
    const writer = write();
    for (let flip = 1; flip <= 25; flip++) {
      await rig.patch('hub', target, { metadata: { annotations: { flip: String(flip) } } });
      await rig.clock.advance(400);
    }
    writing.abort();
    await rig.run(writer);
    const said = recorded('conflict-storm', 'rate100', 'msg') as string;
    expect([...messages]).toEqual(dips ? [said.replace('storm100', 'down1')] : []);
    await rig.clock.advance(30_000);
    expect(rig.get('m1', target).metadata.annotations).toMatchObject({ flip: '25' });
    expect(rig.binding(target)?.status?.aggregatedStatus?.[0]).toEqual({
      applied: true,
      clusterName: 'm1',
      health: 'Healthy',
      status: { n },
    });
    expect(rig.condition(rig.work('m1', target), 'Applied')?.status).toBe('True');
  });
});

describe('Karmada itself', () => {
  it('controller-manager-restart: what happened meanwhile is caught up with', async () => {
    await using rig = await rigWith();
    for (const name of ['edited', 'drifted', 'ended']) await rig.connector(name);
    await rig.clock.advance(3_000);
    await rig.run(rig.propagation.stop());
    expect(rig.propagation.isRunning).toBe(false);
    await rig.patch('hub', the(Connector, 'edited'), { spec: { v: 2 } });
    await rig.patch('m1', the(Connector, 'drifted'), { spec: { connectorClassName: 'member' } });
    await rig.delete('hub', the(Connector, 'ended'));
    await rig.clock.advance(3_500);
    expect(rig.get('m1', the(Connector, 'edited')).spec).not.toHaveProperty('v');
    rig.lines.length = 0;
    rig.propagation.start();
    await rig.clock.advance(12_000);
    expect(rig.get('m1', the(Connector, 'edited')).spec).toMatchObject({ v: 2 });
    expect(rig.get('m1', the(Connector, 'drifted')).spec).toEqual({ connectorClassName: 'x' });
    for (const plane of ['m1', 'm2'] as const) expect(rig.find(plane, the(Connector, 'ended'))).toBeUndefined();
    // Every Work was looked at, and nothing else was written to members.
    expect(rig.lines.filter(({ where }) => where.startsWith('m')).map(({ where }) => where)).toHaveLength(5);
  });

  it('leaves nothing behind', async () => {
    const rig = await rigWith();
    await rig.patch('hub', target, { metadata: { annotations: { flip: '1' } } });
    await rig.clock.advance(20);
    await rig.run(rig.propagation.stop());
    await rig.clock.settle();
    for (const plane of ['hub', 'm1', 'm2'] as const) expect(rig.plane(plane).openWatches).toBe(0);
    await rig[Symbol.asyncDispose]();
    expect(rig.clock.pending).toBe(0);
  });

  it('is a function of its seed', async () => {
    const trace = async (): Promise<string> => {
      await using rig = await rigWith({ seed: 'same' });
      await rig.patch('hub', target, { spec: { v: 1 } });
      rig.down('m2');
      await rig.clock.advance(20_000);
      rig.up('m2');
      await rig.clock.advance(20_000);
      return JSON.stringify(rig.lines);
    };
    expect(await trace()).toBe(await trace());
  });

  it('hops can be held and slowed', async () => {
    await using rig = await rigWith();
    const { hops } = rig.propagation;
    hops.pause('execution');
    await rig.patch('hub', target, { spec: { v: 1 } });
    await rig.clock.advance(10_000);
    expect(rig.get('m1', target).spec).not.toHaveProperty('v');
    hops.resume('execution');
    await rig.clock.advance(1_000);
    expect(rig.get('m1', target).spec).toMatchObject({ v: 1 });

    for (let index = 0; index < 8; index++) await rig.connector(`order-${index}`);
    await rig.clock.advance(2_000);
    rig.lines.length = 0;
    hops.slow('execution', [0, 3_000]);
    for (let index = 0; index < 8; index++)
      await rig.patch('hub', the(Connector, `order-${index}`), { spec: { v: 2 } });
    await rig.clock.advance(5_000);
    const order = rig.lines.filter(({ where }) => where.startsWith('m1 Connector')).map(({ where }) => where);
    expect(order).toHaveLength(8);
    expect(order).not.toEqual(order.toSorted());
    hops.slow('execution', undefined);
    await rig.patch('hub', target, { spec: { v: 3 } });
    await rig.clock.advance(500);
    expect(rig.get('m1', target).spec).toMatchObject({ v: 3 });
  });
});
