/** Clusters that join and leave. */
import {
  ClusterOverridePolicy,
  CustomResourceDefinition,
  KarmadaCluster,
  Namespace,
  Secret,
  Work,
} from '@lifeline/core';
import { customResourceDefinition } from '@lifeline/core/crd';
import { describe, expect, it } from 'vitest';
import { executionNamespace } from '../names.ts';
import { Connector, Late } from '../observed/kinds.fixture.ts';
import { Rig, the, typeOf } from '../observed/rig.fixture.ts';
import { finalizers, labels, taints } from '../words.ts';

const m2 = the(KarmadaCluster, 'm2', '');
const target = the(Connector, 'a');

async function rigWith(): Promise<Rig> {
  const rig = await Rig.start();
  await rig.connectors();
  await rig.clock.advance(500);
  await rig.connector('a');
  await rig.clock.advance(2_000);
  return rig;
}

describe('joining', () => {
  it('a Cluster gets its namespace and finalizer, and is tainted until it is ready', async () => {
    await using rig = await Rig.start({ labels: {} });
    await rig.join('m1', {});
    await rig.clock.advance(3_000);
    const written = rig.lines.filter(({ where }) => where === 'hub Cluster m1').flatMap(({ what }) => what);
    expect(written).toContain('spec.taints');
    const cluster = rig.get('hub', the(KarmadaCluster, 'm1', ''));
    expect(cluster.metadata.finalizers).toEqual([finalizers.cluster]);
    expect(cluster.spec.taints ?? []).toEqual([]);
    expect(cluster.status?.kubernetesVersion).toMatch(/^v1\.\d+/);
    expect(cluster.status?.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['CompleteAPIEnablements', 'True', 'Complete'],
      ['Ready', 'True', 'ClusterReady'],
    ]);
    const served = cluster.status?.apiEnablements?.find(({ groupVersion }) => groupVersion === Connector.apiVersion);
    expect(served?.resources).toEqual([{ name: 'connectors', kind: 'Connector' }]);
    expect(rig.find('hub', the(Namespace, executionNamespace('m1'), ''))).toBeDefined();
  });

  it('one that does not answer is not ready, from the first look on, and gets nothing', async () => {
    await using rig = await Rig.start({ labels: { m1: { edge: 'true' } } });
    rig.down('m2');
    await rig.connectors();
    await rig.join('m2', { edge: 'true' });
    await rig.connector('a');
    await rig.clock.advance(5_000);
    expect(rig.condition(rig.get('hub', m2), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ClusterNotReachable',
    });
    expect(rig.get('hub', m2).spec.taints?.map(({ key }) => key)).toEqual([taints.notReady]);
    expect(rig.binding(target)?.spec.clusters).toEqual([{ name: 'm1' }]);
  });

  it('the way there uses the token and the authority that its secret holds', async () => {
    await using rig = await Rig.start({ labels: {} });
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    await rig.create('hub', Namespace, { metadata: { name: 'karmada-cluster' } });
    await rig.create('hub', Secret, {
      metadata: { namespace: 'karmada-cluster', name: 'm1' },
      data: { token: base64('tok-m1'), caBundle: base64('PEM') },
    });
    await rig.create('hub', KarmadaCluster, {
      metadata: { name: 'm1' },
      spec: {
        syncMode: 'Push',
        apiEndpoint: 'https://m1.test/',
        secretRef: { namespace: 'karmada-cluster', name: 'm1' },
      },
    });
    await rig.clock.advance(5_000);
    expect(rig.condition(rig.get('hub', the(KarmadaCluster, 'm1', '')), 'Ready')?.status).toBe('True');
    expect(rig.endpoints).toEqual([
      { server: 'https://m1.test', tls: { ca: { inline: 'PEM' } }, credentials: { type: 'token', token: 'tok-m1' } },
    ]);
  });
});

describe('kinds of members', () => {
  const late = the(Late, 'a');
  const definition = the(CustomResourceDefinition, 'lates.late.example.com', '');
  const install = async (rig: Rig): Promise<void> => {
    await rig.create('m1', CustomResourceDefinition, customResourceDefinition(Late, { open: true }));
  };

  it('a kind that goes and comes back: what was there is made anew, and its status is seen', async () => {
    const all = [Connector, Late];
    await using rig = await Rig.start({ kinds: { hub: all, m1: all, m2: all } });
    await rig.policy('late', { resourceSelectors: [typeOf(Late)] });
    await rig.clock.advance(500);
    await rig.create('hub', Late, { metadata: { namespace: 't1', name: 'a' }, spec: {} });
    await rig.clock.advance(2_000);
    await rig.delete('m1', definition);
    await rig.clock.advance(30_000);
    expect(rig.objects('m1', Late)).toEqual([]);
    await rig.patch('hub', late, { spec: { v: 1 } });
    await rig.clock.advance(5_000);
    expect(rig.condition(rig.work('m1', late), 'Applied')?.message).toBe(
      'Failed to apply all manifests (0/1): the server could not find the requested resource',
    );
    await install(rig);
    await rig.clock.advance(12_000);
    expect(rig.get('m1', late).spec).toEqual({ v: 1 });
    await rig.status('m1', late, { n: 1 });
    await rig.clock.advance(1_000);
    expect(rig.binding(late)?.status?.aggregatedStatus?.[0]).toMatchObject({ applied: true, status: { n: 1 } });
  });
});

describe('leaving', () => {
  it('rule 26: a ready cluster loses what it got', async () => {
    await using rig = await rigWith();
    await rig.delete('hub', m2);
    await rig.clock.advance(60_000);
    expect(rig.find('hub', m2)).toBeUndefined();
    expect(rig.find('m2', target)).toBeUndefined();
    expect(rig.find('m1', target)).toBeDefined();
    expect(rig.binding(target)?.spec.clusters).toEqual([{ name: 'm1' }]);
    expect(rig.find('hub', the(Namespace, executionNamespace('m2'), ''))).toBeUndefined();
  });

  it('rule 26: one that cannot be reached keeps it, with Karmada’s label on it', async () => {
    await using rig = await rigWith();
    rig.down('m2');
    await rig.clock.advance(15_000);
    await rig.delete('hub', m2);
    await rig.clock.advance(60_000);
    expect(rig.find('hub', m2)).toBeUndefined();
    expect(rig.objects('hub', Work).filter(({ metadata }) => metadata.namespace === executionNamespace('m2'))).toEqual(
      [],
    );
    rig.up('m2');
    await rig.clock.advance(30_000);
    expect(rig.get('m2', target).metadata.labels?.[labels.managed]).toBe('true');
  });
});

describe('override policies', () => {
  it('change what a cluster gets, and are followed when they change', async () => {
    await using rig = await rigWith();
    const rule = (value: string): object => ({
      targetCluster: { clusterNames: ['m2'] },
      overriders: { plaintext: [{ path: '/spec/connectorClassName', operator: 'replace', value }] },
    });
    await rig.create('hub', ClusterOverridePolicy, {
      metadata: { name: 'o' },
      spec: { overrideRules: [rule('y')] as never },
    });
    await rig.clock.advance(2_000);
    expect([rig.get('m1', target).spec, rig.get('m2', target).spec]).toEqual([
      { connectorClassName: 'x' },
      { connectorClassName: 'y' },
    ]);
    await rig.patch('hub', the(ClusterOverridePolicy, 'o', ''), { spec: { overrideRules: [rule('z')] } });
    await rig.clock.advance(2_000);
    expect(rig.get('m2', target).spec).toEqual({ connectorClassName: 'z' });
    await rig.delete('hub', the(ClusterOverridePolicy, 'o', ''));
    await rig.clock.advance(2_000);
    expect(rig.get('m2', target).spec).toEqual({ connectorClassName: 'x' });
  });
});
