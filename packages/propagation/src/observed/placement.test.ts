/** Rules 2, 7 and 8: where things go, and when they go elsewhere. */
import {
  CustomResourceDefinition,
  KarmadaCluster,
  PropagationPolicy,
  ResourceInterpreterCustomization,
  type ResourceBinding,
  Work,
} from '@lifeline/core';
import { customResourceDefinition } from '@lifeline/core/crd';
import { describe, expect, it } from 'vitest';
import { Connector, Late, WorkloadDeployment } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { type PlaneName, Rig, the, typeOf } from './rig.fixture.ts';
import { only, recordedWrites, writesOf } from './writes.fixture.ts';

const label = (rig: Rig, cluster: string, labels: object): Promise<unknown> =>
  rig.patch('hub', the(KarmadaCluster, cluster, ''), { metadata: { labels } });

const targetsOf = (binding: ResourceBinding | undefined): readonly string[] =>
  (binding?.spec.clusters ?? []).map(({ name }) => name);

const byLabel = (matchLabels: Record<string, string>): PropagationPolicy['spec']['placement'] => ({
  clusterAffinity: { labelSelector: { matchLabels } },
});

describe('placement', () => {
  it('no-cluster-fit: until a cluster’s label says otherwise, and again after', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    const target = the(Connector, 'nf', 't2');
    await rig.policy('nofit', { placement: byLabel({ zone: 'none' }) }, 't2');
    await rig.clock.advance(500);
    rig.lines.length = 0;
    await rig.create('hub', Connector, { metadata: { namespace: 't2', name: 'nf' }, spec: {} });
    await rig.clock.advance(2_500);
    const scheduled = (): unknown => ({
      ...rig.condition(rig.binding(target), 'Scheduled'),
      lastTransitionTime: '<time>',
    });
    expect(scheduled()).toEqual(recorded('no-cluster-fit', 'condition'));
    expect(rig.binding(target)?.spec.clusters).toBeUndefined();
    expect(rig.objects('hub', Work).filter(({ metadata }) => metadata.name.startsWith('nf-'))).toHaveLength(0);

    await label(rig, 'm1', { zone: 'none' });
    await rig.clock.advance(3_000);
    expect(rig.find('m1', target)).toBeDefined();
    await label(rig, 'm1', { zone: null });
    await rig.clock.advance(3_000);
    expect(rig.find('m1', target)).toBeUndefined();
    expect(scheduled()).toEqual(recorded('no-cluster-fit', 'then', 'scheduled'));
    expect(rig.binding(target)?.spec.clusters).toBeUndefined();
    expect(rig.binding(target)?.status?.aggregatedStatus).toBeUndefined();
    const want = recordedWrites('no-cluster-fit', 'events');
    expect(only(writesOf(rig.lines), want)).toEqual(want);
  });

  it('cluster-label-moves: in one step, the old copy first; a policy’s placement moves as well', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'], labels: { m1: { lane: 'x' }, m2: {} } });
    const target = the(Connector, 'mv', 't2');
    await rig.policy('mv', { placement: byLabel({ lane: 'x' }) }, 't2');
    await rig.clock.advance(500);
    await rig.connector('mv', {}, 't2');
    await rig.clock.advance(2_000);
    expect(targetsOf(rig.binding(target))).toEqual(['m1']);
    rig.lines.length = 0;
    await rig.run(
      Promise.all([
        rig
          .client('hub')
          .patch(
            the(KarmadaCluster, 'm1', ''),
            { type: 'merge', body: { metadata: { labels: { lane: null } } } },
            { signal: rig.signal },
          ),
        rig
          .client('hub')
          .patch(
            the(KarmadaCluster, 'm2', ''),
            { type: 'merge', body: { metadata: { labels: { lane: 'x' } } } },
            { signal: rig.signal },
          ),
      ]),
    );
    await rig.clock.advance(3_000);
    const want = recordedWrites('cluster-label-moves', 'events');
    expect(only(writesOf(rig.lines), want)).toEqual(want);
    expect(rig.placeOf('hub Work karmada-es-m1/mv-74fd687899', 'metadata.deletionTimestamp')).toBeLessThan(
      rig.placeOf('hub Work karmada-es-m2/mv-74fd687899', 'ADDED'),
    );
    expect([rig.find('m1', target), rig.find('m2', target)?.kind]).toEqual([undefined, 'Connector']);

    await rig.patch('hub', the(PropagationPolicy, 'mv', 't2'), {
      spec: { placement: { clusterAffinity: { labelSelector: null, clusterNames: ['m1'] } } },
    });
    await rig.clock.advance(3_000);
    expect([rig.find('m1', target)?.kind, rig.find('m2', target)]).toEqual(['Connector', undefined]);
  });

  it('cluster-label-cost: every binding that means the cluster is decided again, one after the other, at the scheduler’s own rate', async () => {
    await using rig = await Rig.start({ settings: { schedulerRate: { qps: 40, burst: 60 } } });
    await rig.connectors();
    await rig.clock.advance(500);
    const count = 80;
    await rig.run(
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          rig.client('hub').create(
            Connector,
            {
              spec: {},
              metadata: {
                namespace: 't1',
                name: `c${index}`,
                labels: { 'meta.datumapis.com/upstream-cluster-name': 'cluster-p1' },
              },
            },
            { signal: rig.signal },
          ),
        ),
      ),
    );
    await rig.clock.advance(20_000);
    rig.lines.length = 0;
    const start = rig.clock.monotonic();
    await label(rig, 'm1', { unrelated: 'x' });
    await rig.clock.advance(5_000);
    const decided = rig.lines.filter(
      ({ where, what }) => where.includes('ResourceBinding') && what.some((path) => path.startsWith('status')),
    );
    expect(new Set(decided.map(({ where }) => where)).size).toBe(count);
    const tookMs = (decided.at(-1)?.at ?? 0) - start;
    // 60 at once, the others at 40 a second.
    expect(tookMs).toBeGreaterThan(400);
    expect(tookMs).toBeLessThan(3_000);
  });

  it('zero-replicas: divided; none left is gone, none at all is gone everywhere', async () => {
    await using rig = await Rig.start();
    await rig.create('hub', ResourceInterpreterCustomization, {
      metadata: { name: 'replicas' },
      spec: {
        target: typeOf(WorkloadDeployment),
        customizations: {
          replicaResource: { luaScript: 'function GetReplicas(obj) return obj.spec.replicas, {} end' },
          replicaRevision: { luaScript: 'function ReviseReplica(obj, n) obj.spec.replicas = n return obj end' },
        },
      },
    });
    const weight = (name: string): object => ({ targetCluster: { clusterNames: [name] }, weight: 1 });
    await rig.policy('halves', {
      resourceSelectors: [typeOf(WorkloadDeployment)],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { staticWeightList: [weight('m1'), weight('m2')] },
        },
      },
    });
    await rig.clock.advance(500);
    const target = the(WorkloadDeployment, 'zero');
    await rig.create('hub', WorkloadDeployment, { metadata: { namespace: 't1', name: 'zero' }, spec: { replicas: 5 } });
    const replicas = (plane: PlaneName): unknown =>
      (rig.find(plane, target)?.spec as { replicas?: number } | undefined)?.replicas ?? null;
    const state = async (): Promise<unknown> => {
      await rig.clock.advance(4_000);
      const { clusters, replicas: all } = rig.binding(target)?.spec ?? {};
      const rb = clusters?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? null;
      return { rb, replicas: all ?? null, m1: replicas('m1'), m2: replicas('m2') };
    };
    // Which of the two gets the odd one is a matter of chance.
    const five = (await state()) as { m1: number; m2: number };
    expect([five.m1, five.m2].toSorted()).toEqual([2, 3]);
    const more = five.m1 > five.m2 ? 'm1' : 'm2';
    const steps = { one: 1, zero: 0, four_again: 4 };
    for (const [step, count] of Object.entries(steps)) {
      await rig.patch('hub', target, { spec: { replicas: count } });
      const want = JSON.stringify(recorded('zero-replicas', step));
      const swapped = want.replaceAll('m1', 'mX').replaceAll('m2', 'm1').replaceAll('mX', 'm2');
      const wanted = JSON.parse(more === 'm2' ? want : swapped) as { rb: { name: string }[] | null };
      expect(await state()).toEqual({
        ...wanted,
        rb: wanted.rb?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? null,
      });
    }
  });
});

describe('kinds that come late', () => {
  const install = async (rig: Rig, plane: PlaneName): Promise<void> => {
    await rig.create(plane, CustomResourceDefinition, customResourceDefinition(Late, { open: true }));
  };
  const policy = { resourceSelectors: [typeOf(Late)] };
  const target = the(Late, 'a');

  it('policy-before-crd-one-member: a member that serves it later gets it when the template is touched', async () => {
    await using rig = await Rig.start({ settings: { discoveryEveryMs: 30_000 } });
    await rig.policy('late', policy);
    await install(rig, 'hub');
    await install(rig, 'm2');
    await rig.clock.advance(5_000);
    await rig.create('hub', Late, { metadata: { namespace: 't1', name: 'a' } });
    await rig.clock.advance(32_000);
    expect(rig.binding(target)?.spec.clusters).toEqual(recorded('policy-before-crd-one-member', 'first', 'clusters'));
    const scheduled = rig.condition(rig.binding(target), 'Scheduled');
    expect({ ...scheduled, lastTransitionTime: '<time>' }).toEqual(
      recorded('policy-before-crd-one-member', 'first', 'scheduled'),
    );
    await install(rig, 'm1');
    await rig.clock.advance(12_000);
    const serves = rig
      .get('hub', the(KarmadaCluster, 'm1', ''))
      .status?.apiEnablements?.map(({ groupVersion }) => groupVersion);
    expect(serves).toContain(Late.apiVersion);
    expect(rig.binding(target)?.spec.clusters).toEqual(
      recorded('policy-before-crd-one-member', 'after_crd_on_m1', 'clusters'),
    );
    await rig.patch('hub', target, { metadata: { annotations: { touch: '1' } } });
    await rig.clock.advance(2_000);
    expect(rig.binding(target)?.spec.clusters).toEqual(
      recorded('policy-before-crd-one-member', 'after_template_touch', 'clusters'),
    );
    expect(rig.find('m1', target)).toBeDefined();
  });

  it('policy-before-crd-no-member: nothing is tried again when the kind comes, but any label of a cluster does it', async () => {
    await using rig = await Rig.start();
    await rig.policy('late', policy);
    await install(rig, 'hub');
    const came = rig.clock.monotonic();
    await rig.clock.advance(100);
    await rig.create('hub', Late, { metadata: { namespace: 't1', name: 'a' } });
    await rig.clock.advance(32_000);
    const bound = rig.lines.find(
      ({ where, what }) => where.includes('ResourceBinding t1/a-late') && what.includes('ADDED'),
    );
    expect((bound?.at ?? 0) - came).toBeLessThan(31_000);
    const state = (): unknown => ({
      clusters: rig.binding(target)?.spec.clusters ?? null,
      scheduled: { ...rig.condition(rig.binding(target), 'Scheduled'), lastTransitionTime: '<time>' },
    });
    expect(state()).toEqual(recorded('policy-before-crd-no-member', 'first'));
    await install(rig, 'm1');
    await install(rig, 'm2');
    await rig.clock.advance(12_000);
    expect(state()).toEqual(recorded('policy-before-crd-no-member', 'first'));
    await label(rig, 'm1', { unrelated: 'x' });
    await rig.clock.advance(3_000);
    expect(rig.binding(target)?.spec.clusters).toEqual(
      recorded('policy-before-crd-no-member', 'after_cluster_label', 'clusters'),
    );
    expect(rig.find('m1', target)).toBeDefined();
  });
});
