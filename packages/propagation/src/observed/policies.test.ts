/** Rules 3 to 5, 12, 14 and 28: what policies take, hold and let go. */
import { ClusterPropagationPolicy, type PropagationPolicy as Policy, PropagationPolicy } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { annotations, labels } from '../words.ts';
import { Connector, OtherConnector } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { type PlaneName, Rig, the, typeOf } from './rig.fixture.ts';
import { lacking, only, recordedWrites, writesOf } from './writes.fixture.ts';

const keys = (map: object | null | undefined): readonly string[] => Object.keys(map ?? {}).toSorted();
const specOf = (manifest: Manifest | undefined): Record<string, unknown> =>
  (manifest?.spec ?? {}) as Record<string, unknown>;

describe('policies', () => {
  it('policy-choice: which one takes a template, and that it keeps it', async () => {
    await using rig = await Rig.start({ namespaces: ['pc'] });
    const to = (cluster: string): Policy['spec']['placement'] => ({ clusterAffinity: { clusterNames: [cluster] } });
    const all = typeOf(Connector);
    const add = async (name: string, cluster: string, spec: Partial<Policy['spec']> = {}): Promise<void> => {
      await rig.policy(name, { placement: to(cluster), ...spec }, 'pc');
      await rig.clock.advance(300);
    };
    const make = async (name: string, own: Record<string, string> = {}): Promise<void> => {
      await rig.create('hub', Connector, { metadata: { namespace: 'pc', name, labels: own }, spec: {} });
      await rig.clock.advance(2_000);
    };
    const seen = (name: string): unknown => {
      const { annotations: own } = rig.get('hub', the(Connector, name, 'pc')).metadata;
      const has = (plane: PlaneName): boolean => rig.find(plane, the(Connector, name, 'pc')) !== undefined;
      const cpp = own?.[annotations.clusterPolicyName];
      const pp = own?.[annotations.policyName];
      return { m1: has('m1'), m2: has('m2'), ann: { ...(cpp ? { cpp } : {}), ...(pp ? { pp } : {}) } };
    };
    await rig.create('hub', ClusterPropagationPolicy, {
      metadata: { name: 'cpp-all' },
      spec: { resourceSelectors: [all], placement: to('m2') ?? {} },
    });
    await rig.clock.advance(300);
    await make('a');
    const results: Record<string, unknown> = { only_cpp: seen('a') };
    await add('pp-all', 'm1');
    results['pp_added_later_over_claimed_cpp'] = seen('a');
    await rig.patch('hub', the(Connector, 'a', 'pc'), { spec: { edited: true } });
    await rig.clock.advance(2_000);
    results['after_edit'] = seen('a');
    await make('b');
    results['pp_vs_cpp_new'] = seen('b');
    await add('zz-prio', 'm2', { priority: 10 });
    await make('c');
    results['prio10_vs_0'] = seen('c');
    results['existing_b_stays'] = seen('b');
    await add('by-name', 'm1', { priority: 10, resourceSelectors: [{ ...all, name: 'd' }] });
    await make('d');
    results['name_vs_all_same_prio'] = seen('d');
    await add('by-label', 'm1', {
      priority: 10,
      resourceSelectors: [{ ...all, labelSelector: { matchLabels: { e: '1' } } }],
    });
    await make('e', { e: '1' });
    results['label_vs_all_same_prio'] = seen('e');
    await add('aa-all', 'm1', { priority: 10 });
    await make('f');
    results['alphabetical_aa_vs_zz'] = seen('f');
    expect(results).toEqual(recorded('policy-choice'));
  });

  it('policy-after-template: a parked template is taken when its policy comes', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    await rig.create('hub', Connector, { metadata: { namespace: 't2', name: 'late' }, spec: {} });
    await rig.clock.advance(1_500);
    expect(rig.binding(the(Connector, 'late', 't2'))).toBeUndefined();
    rig.lines.length = 0;
    await rig.policy(
      'late',
      { placement: { clusterAffinity: { labelSelector: { matchLabels: { edge: 'true' } } } } },
      't2',
    );
    await rig.clock.advance(2_000);
    const want = recordedWrites('policy-after-template', 'events');
    // The recording ends when the object is on m1.
    expect(lacking(writesOf(rig.lines), want)).toEqual([]);
    expect(rig.find('m1', the(Connector, 'late', 't2'))).toBeDefined();
  });

  it('relabelled-template: frozen, until the policy’s spec changes; taken again when it is labelled back', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    const target = the(Connector, 'rl', 't2');
    await rig.policy('lab', { pick: { matchLabels: { pick: 'yes' } } }, 't2');
    await rig.clock.advance(300);
    await rig.create('hub', Connector, {
      metadata: { namespace: 't2', name: 'rl', labels: { pick: 'yes' } },
      spec: {},
    });
    await rig.clock.advance(2_000);
    const step = async (change: () => Promise<unknown>): Promise<void> => {
      rig.lines.length = 0;
      await change();
      await rig.clock.advance(2_500);
    };
    const member = (): Manifest => rig.get('m1', target);
    const lab = the(PropagationPolicy, 'lab', 't2');

    await step(() => rig.patch('hub', target, { metadata: { labels: { pick: 'no' } }, spec: { v: 2 } }));
    expect(writesOf(rig.lines)).toEqual(recordedWrites('relabelled-template', 'step1', 'events'));
    expect([specOf(member())['v'], member().metadata.labels?.['pick']]).toEqual([undefined, 'yes']);
    expect(keys(rig.get('hub', target).metadata.labels)).toEqual(
      recorded('relabelled-template', 'step1', 'template_labels'),
    );

    await step(() => rig.patch('hub', target, { spec: { v: 3 } }));
    expect(specOf(member())['v']).toBeUndefined();

    await step(() => rig.patch('hub', lab, { metadata: { annotations: { touched: '1' } } }));
    expect(keys(rig.get('hub', target).metadata.labels)).toEqual(
      recorded('relabelled-template', 'step3_policy_metadata_edit', 'hubLabels'),
    );
    expect(rig.lines).toHaveLength(1);

    await step(() => rig.patch('hub', lab, { spec: { priority: 3 } }));
    const released = recordedWrites('relabelled-template', 'step4_policy_spec_edit', 'events');
    expect(only(writesOf(rig.lines), released)).toEqual(released);
    expect(keys(rig.get('hub', target).metadata.labels)).toEqual(
      recorded('relabelled-template', 'step4_policy_spec_edit', 'hubLabels'),
    );
    expect(keys(rig.binding(target)?.metadata.labels)).toEqual([labels.bindingId]);
    expect(specOf(member())['v']).toBeUndefined();

    await step(() => rig.patch('hub', target, { metadata: { labels: { pick: 'yes' } }, spec: { v: 4 } }));
    expect([specOf(member())['v'], member().metadata.labels?.['pick']]).toEqual([4, 'yes']);
  });

  it('policy-deleted: nothing is withdrawn, nothing more is sent, drift is still repaired; a new policy takes over', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    const target = the(Connector, 'pd', 't2');
    await rig.policy('pd', {}, 't2');
    await rig.clock.advance(300);
    await rig.create('hub', Connector, { metadata: { namespace: 't2', name: 'pd' }, spec: {} });
    await rig.clock.advance(2_000);
    rig.lines.length = 0;
    await rig.delete('hub', the(PropagationPolicy, 'pd', 't2'));
    await rig.clock.advance(2_500);
    const want = recordedWrites('policy-deleted', 'events');
    expect(only(writesOf(rig.lines), want)).toEqual(want);
    const { labels: left, annotations: notes } = rig.get('hub', target).metadata;
    expect({ labels: keys(left), annotations: keys(notes) }).toEqual(recorded('policy-deleted', 'template_keys'));
    const binding = rig.binding(target);
    expect(keys(binding?.metadata.annotations)).toEqual(recorded('policy-deleted', 'rb', 'ann'));
    expect(binding?.spec.clusters).toEqual(recorded('policy-deleted', 'rb', 'clusters'));
    const member = rig.get('m1', target);
    expect(keys(member.metadata.labels)).toEqual(recorded('policy-deleted', 'member_labels'));
    expect(keys(member.metadata.annotations)).toEqual(recorded('policy-deleted', 'member_ann'));
    expect(rig.find('hub', the(PropagationPolicy, 'pd', 't2'))).toBeUndefined();

    rig.lines.length = 0;
    await rig.patch('hub', target, { spec: { v: 2 } });
    await rig.clock.advance(2_000);
    expect(writesOf(rig.lines)).toEqual(recordedWrites('policy-deleted', 'edit_events'));
    await rig.patch('m1', target, { spec: { drift: 1 } });
    await rig.clock.advance(1_000);
    expect(specOf(rig.get('m1', target))).toEqual({});
    await rig.delete('m1', target);
    await rig.clock.advance(1_000);
    expect(rig.find('m1', target)).toBeDefined();

    await rig.policy('pd-again', {}, 't2');
    await rig.clock.advance(2_000);
    expect(specOf(rig.get('m1', target))).toEqual({ v: 2 });
    await rig.delete('hub', the(PropagationPolicy, 'pd-again', 't2'));
    await rig.clock.advance(1_000);
    await rig.delete('hub', target);
    await rig.clock.advance(1_000);
    expect([rig.find('m1', target), rig.find('m2', target)]).toEqual([undefined, undefined]);
  });

  it('suspension: nothing is written, status still comes up', async () => {
    await using rig = await Rig.start();
    const target = the(Connector, 'su');
    const su = the(PropagationPolicy, 'su');
    await rig.policy('su', {});
    await rig.clock.advance(300);
    await rig.connector('su');
    await rig.clock.advance(2_000);
    await rig.patch('hub', su, { spec: { suspension: { dispatching: true } } });
    await rig.clock.advance(2_000);
    await rig.patch('hub', target, { spec: { v: 2 } });
    await rig.status('m1', target, recorded('suspension', 'status_flows') as object);
    await rig.clock.advance(2_000);
    expect(specOf(rig.get('m1', target))).not.toHaveProperty('v');
    expect(rig.binding(target)?.status?.aggregatedStatus?.[0]?.status).toEqual(recorded('suspension', 'status_flows'));
    await rig.patch('m1', target, { spec: { connectorClassName: 'member' } });
    await rig.clock.advance(2_000);
    expect(specOf(rig.get('m1', target))['connectorClassName']).toBe('member');
    await rig.delete('m2', target);
    await rig.clock.advance(2_000);
    expect(rig.find('m2', target)).toBeUndefined();
    const said = rig.work('m1', target)?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]);
    expect(said).toEqual(recorded('suspension', 'work_cond'));
    await rig.patch('hub', su, { spec: { suspension: null } });
    await rig.clock.advance(2_000);
    for (const plane of ['m1', 'm2'] as const)
      expect(specOf(rig.get(plane, target))).toEqual({ connectorClassName: 'x', v: 2 });
  });

  it('suspension on some clusters only', async () => {
    await using rig = await Rig.start();
    const target = the(Connector, 'some');
    await rig.policy('some', { suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } });
    await rig.clock.advance(300);
    await rig.connector('some');
    await rig.clock.advance(2_000);
    expect([rig.find('m1', target), rig.find('m2', target)?.kind]).toEqual([undefined, 'Connector']);
  });

  it('pre-existing-member-object: refused, adopted with overwrite, and not deleted when it never was ours', async () => {
    await using rig = await Rig.start();
    await rig.connectors();
    await rig.clock.advance(300);
    // Members watch a kind from its first object on.
    await rig.connector('first');
    await rig.clock.advance(1_000);
    const target = the(Connector, 'pre');
    const theirs = { spec: { who: 'member' }, metadata: { namespace: 't1', labels: { own: 'member' } } };
    await rig.create('m1', Connector, { ...theirs, metadata: { ...theirs.metadata, name: 'pre' } });
    await rig.create('m1', Connector, { ...theirs, metadata: { ...theirs.metadata, name: 'pre2' } });
    await rig.connector('pre');
    await rig.connector('pre2');
    await rig.clock.advance(3_000);
    expect(rig.get('m1', target).spec).toEqual(recorded('pre-existing-member-object', 'm1_spec'));
    const timeless = (condition: object | undefined): object => ({ ...condition, lastTransitionTime: '<time>' });
    expect(timeless(rig.condition(rig.work('m1', target), 'Applied'))).toEqual(
      recorded('pre-existing-member-object', 'applied'),
    );
    expect(rig.binding(target)?.status?.aggregatedStatus).toEqual(recorded('pre-existing-member-object', 'agg'));
    expect(timeless(rig.condition(rig.binding(target), 'FullyApplied'))).toEqual(
      recorded('pre-existing-member-object', 'fully'),
    );

    await rig.patch('hub', target, { metadata: { annotations: { [annotations.conflictResolution]: 'overwrite' } } });
    await rig.clock.advance(2_000);
    const { metadata, spec } = rig.get('m1', target);
    expect({
      labels: keys(metadata.labels),
      own_kept: metadata.labels?.['own'],
      conflict: metadata.annotations?.[annotations.conflictResolution],
    }).toEqual(recorded('pre-existing-member-object', 'after'));
    expect(spec).toEqual({ connectorClassName: 'x' });

    await rig.delete('hub', the(Connector, 'pre2'));
    await rig.clock.advance(3_000);
    expect({
      member_still: rig.find('m1', the(Connector, 'pre2')) !== undefined,
      works: rig.work('m1', the(Connector, 'pre2')) !== undefined,
    }).toEqual(recorded('pre-existing-member-object', 'unadopted_after_template_delete'));
  });

  it('kind-collision: of two kinds with one name the second never arrives', async () => {
    await using rig = await Rig.start({ namespaces: ['t8'] });
    await rig.policy('both', { resourceSelectors: [typeOf(Connector), typeOf(OtherConnector)] }, 't8');
    await rig.clock.advance(300);
    await rig.connector('same', {}, 't8');
    await rig.clock.advance(1_000);
    await rig.create('hub', OtherConnector, { metadata: { namespace: 't8', name: 'same' }, spec: {} });
    await rig.clock.advance(30_000);
    expect(rig.find('m1', the(Connector, 'same', 't8'))).toBeDefined();
    expect(rig.find('m1', the(OtherConnector, 'same', 't8'))).toBeUndefined();
    const { apiVersion, kind, name, namespace } = recorded('kind-collision', 'binding_belongs_to') as Record<
      string,
      string
    >;
    expect(rig.binding(the(Connector, 'same', 't8'))?.spec.resource).toMatchObject({
      apiVersion,
      kind,
      name,
      namespace,
    });
  });
});
