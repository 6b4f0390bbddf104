/** What the recording does not cover. */
import {
  ClusterPropagationPolicy,
  ClusterResourceBinding,
  ClusterRole,
  Namespace,
  ResourceBinding,
  Work,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { anyKind } from './manifest.ts';
import { executionNamespace } from './names.ts';
import { Connector } from './observed/kinds.fixture.ts';
import { Rig, the, typeOf } from './observed/rig.fixture.ts';
import { annotations, labels } from './words.ts';

const Deployment = anyKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
});

describe('kinds', () => {
  it('what has no namespace goes by bindings and ids of its own', async () => {
    await using rig = await Rig.start();
    const role = the(ClusterRole, 'Edge:Reader', '');
    await rig.create('hub', ClusterPropagationPolicy, {
      metadata: { name: 'roles' },
      spec: { resourceSelectors: [{ ...typeOf(ClusterRole), labelSelector: { matchLabels: { carried: 'yes' } } }] },
    });
    await rig.clock.advance(500);
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
    await rig.create('hub', ClusterRole, { metadata: { name: 'Edge:Reader', labels: { carried: 'yes' } }, rules });
    await rig.clock.advance(2_000);
    const binding = rig.get('hub', the(ClusterResourceBinding, 'edge.reader-clusterrole', ''));
    expect(binding.status?.aggregatedStatus).toHaveLength(2);
    expect(Object.keys(binding.metadata.labels ?? {})).toContain(labels.clusterBindingId);
    const { metadata, rules: carried } = rig.get('m1', role);
    expect(carried).toEqual(rules);
    expect(metadata.annotations?.[annotations.clusterBindingName]).toBe('edge.reader-clusterrole');
    expect(metadata.labels).toHaveProperty([labels.clusterBindingId]);
    await rig.delete('hub', role);
    await rig.clock.advance(2_000);
    expect([rig.find('m1', role), rig.find('hub', the(ClusterResourceBinding, 'edge.reader-clusterrole', ''))]).toEqual(
      [undefined, undefined],
    );
  });

  it('Deployments are divided and counted without being told how', async () => {
    await using rig = await Rig.start();
    const weight = (name: string, share: number): object => ({
      targetCluster: { clusterNames: [name] },
      weight: share,
    });
    await rig.policy('deployments', {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { staticWeightList: [weight('m1', 2), weight('m2', 1)] },
        },
      },
    });
    await rig.clock.advance(500);
    const target = the(Deployment, 'web');
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    await rig.create('hub', Deployment, {
      metadata: { namespace: 't1', name: 'web' },
      spec: { replicas: 6, selector: { matchLabels: { app: 'web' } }, template },
    });
    await rig.clock.advance(2_000);
    expect([rig.get('m1', target).spec, rig.get('m2', target).spec]).toMatchObject([{ replicas: 4 }, { replicas: 2 }]);
    for (const [plane, replicas] of [
      ['m1', 4],
      ['m2', 2],
    ] as const) {
      const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
      const { generation } = rig.get(plane, target).metadata;
      await rig.status(plane, target, { observedGeneration: generation, ...counts });
    }
    await rig.clock.advance(2_000);
    // The claim's annotations raise a Deployment's generation.
    const { generation } = rig.get('hub', target).metadata;
    expect(generation).toBe(2);
    expect(rig.get('hub', target).status).toMatchObject({ replicas: 6, readyReplicas: 6, observedGeneration: 2 });
    expect(rig.binding(target)?.status?.aggregatedStatus?.map(({ health }) => health)).toEqual(['Healthy', 'Healthy']);
  });

  it('rule 1: nothing is taken from reserved and skipped namespaces', async () => {
    await using rig = await Rig.start({ settings: { skippedNamespaces: /^quiet-/ } });
    await rig.connectors();
    await rig.clock.advance(500);
    for (const name of ['karmada-system', 'karmada-cluster', 'kube-mine', 'quiet-one', 'loud']) {
      await rig.create('hub', Namespace, { metadata: { name } });
      await rig.connector('a', {}, name);
    }
    await rig.clock.advance(3_000);
    expect(rig.objects('hub', ResourceBinding).map(({ metadata }) => metadata.namespace)).toEqual(['loud']);
    expect(rig.find('m1', the(Namespace, 'quiet-one', ''))).toBeUndefined();
  });
});

describe('pace', () => {
  it('the hub’s rate is what many objects wait for', async () => {
    const elapsed = async (qps: number): Promise<number> => {
      await using rig = await Rig.start({ plainSettings: { hubRate: { qps, burst: 10 } }, delays: 'none' });
      await rig.connectors();
      await rig.clock.advance(2_000);
      const start = rig.clock.monotonic();
      for (let index = 0; index < 30; index++) await rig.connector(`c${index}`);
      while (rig.objects('m2', Connector).length < 30) await rig.clock.advance(50);
      return rig.clock.monotonic() - start;
    };
    const slow = await elapsed(40);
    const fast = await elapsed(400);
    // A claim, a binding, two Works and their status for each: some 200 requests.
    expect(slow).toBeGreaterThan(3_000);
    expect(slow).toBeGreaterThan(5 * fast);
  });

  it('a member that does not answer holds workers, and only so many', async () => {
    await using rig = await Rig.start({
      settings: { workers: { works: 2 }, requestTimeoutMs: 32_000, failureThresholdMs: 300_000 },
    });
    await rig.connectors();
    await rig.clock.advance(500);
    for (let index = 0; index < 4; index++) await rig.connector(`c${index}`);
    await rig.clock.advance(3_000);
    rig.swallow('m2');
    for (let index = 0; index < 4; index++) await rig.patch('hub', the(Connector, `c${index}`), { spec: { v: 1 } });
    await rig.clock.advance(10_000);
    const arrived = rig.objects('m1', Connector).filter(({ spec }) => (spec as { v?: number }).v === 1);
    expect(arrived.length).toBeLessThan(4);
    await rig.clock.advance(120_000);
    expect(rig.objects('m1', Connector).filter(({ spec }) => (spec as { v?: number }).v === 1)).toHaveLength(4);
  });
});

describe('faults', () => {
  it('F22: a status that is emptied, a scheduler that finds nothing', async () => {
    let finding = false;
    const faults = { emptiesStatus: () => true, findsNoCluster: () => !finding };
    await using rig = await Rig.start({ faults });
    await rig.connectors();
    await rig.clock.advance(500);
    const target = the(Connector, 'a');
    await rig.connector('a');
    await rig.status('hub', target, { phase: 'Ours' });
    await rig.clock.advance(2_000);
    expect(rig.condition(rig.binding(target), 'Scheduled')?.reason).toBe('NoClusterFit');
    finding = true;
    await rig.patch('hub', target, { spec: { v: 1 } });
    await rig.clock.advance(2_000);
    expect(rig.find('m1', target)).toBeDefined();
    await rig.status('m1', target, { phase: 'Theirs' });
    await rig.clock.advance(2_000);
    // A merge of nothing would leave it: the status is replaced.
    expect(rig.get('hub', target).status).toEqual({});
  });
});

describe('life', () => {
  it('waits for a hub that is not there yet', async () => {
    const rig = Rig.idle();
    rig.down('hub');
    rig.propagation.start();
    rig.propagation.start();
    await rig.clock.advance(10_000);
    rig.up('hub');
    await rig.join('m1', {});
    await rig.clock.advance(60_000);
    expect(rig.find('hub', the(Namespace, executionNamespace('m1'), ''))).toBeDefined();
    await rig[Symbol.asyncDispose]();
    expect(rig.clock.pending).toBe(0);
  });

  it('can be stopped before anything has answered, and twice', async () => {
    const rig = Rig.idle();
    rig.down('hub');
    rig.propagation.start();
    await rig.run(rig.propagation.stop());
    await rig.run(rig.propagation.stop());
    expect(rig.propagation.isRunning).toBe(false);
    await rig[Symbol.asyncDispose]();
    expect(rig.clock.pending).toBe(0);
  });

  it('runs until a signal says so', async () => {
    const rig = Rig.idle();
    const life = new AbortController();
    const running = rig.propagation.run(life.signal);
    await rig.join('m1', {});
    await rig.clock.advance(3_000);
    expect(rig.objects('hub', Work).length).toBe(0);
    expect(rig.find('hub', the(Namespace, executionNamespace('m1'), ''))).toBeDefined();
    life.abort();
    await rig.run(running);
    expect(rig.plane('hub').openWatches).toBe(0);
    await rig[Symbol.asyncDispose]();
    expect(rig.clock.pending).toBe(0);
  });
});
