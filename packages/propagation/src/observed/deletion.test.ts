/** Rules 18, 25, 27 and 29: how things end. */
import { deepEqual, ResourceBinding, Work } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { executionNamespace } from '../names.ts';
import { annotations } from '../words.ts';
import { Connector } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { Rig, type RigOptions, the } from './rig.fixture.ts';
import { lacking, only, recordedWrites, type Writes, writesOf } from './writes.fixture.ts';

async function rigWith(name: string, options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  await rig.connectors();
  await rig.clock.advance(500);
  await rig.connector(name);
  await rig.clock.advance(2_000);
  rig.lines.length = 0;
  return rig;
}

const expectWrites = (rig: Rig, want: Writes): void => {
  expect(only(writesOf(rig.lines), want)).toEqual(want);
};

describe('the end of a template', () => {
  it('template-deleted: binding, Works, member objects; then Works and binding are gone', async () => {
    await using rig = await rigWith('td-5');
    await rig.delete('hub', the(Connector, 'td-5'));
    await rig.clock.advance(2_000);
    expectWrites(rig, recordedWrites('template-deleted', 'events'));
    const work = 'hub Work karmada-es-m1/td-5-545dbc7985';
    const order = [
      rig.placeOf('hub Connector t1/td-5', 'DELETED'),
      rig.placeOf('hub ResourceBinding t1/td-5-connector', 'metadata.deletionTimestamp'),
      rig.placeOf(work, 'metadata.deletionTimestamp'),
      rig.placeOf('m1 Connector t1/td-5', 'DELETED'),
      rig.placeOf(work, 'DELETED'),
    ];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(rig.objects('m2', Connector)).toEqual([]);
  });

  it('template-deleted-member-finalizer: it does not hold the hub; a new template writes onto the dying object, and then makes a new one', async () => {
    await using rig = await rigWith('dfin');
    const target = the(Connector, 'dfin');
    await rig.patch('m1', target, { metadata: { finalizers: ['m.example.com/f'] } });
    await rig.clock.advance(500);
    rig.lines.length = 0;
    await rig.delete('hub', target);
    await rig.clock.advance(2_000);
    expectWrites(rig, recordedWrites('template-deleted-member-finalizer', 'events'));
    expect(rig.binding(target)).toBeUndefined();
    expect([rig.work('m1', target), rig.work('m2', target)]).toEqual([undefined, undefined]);
    const { deletionTimestamp, finalizers } = rig.get('m1', target).metadata;
    expect({ deletionTimestamp: deletionTimestamp !== undefined, finalizers }).toEqual(
      recorded('template-deleted-member-finalizer', 'member'),
    );

    rig.lines.length = 0;
    await rig.connector('dfin', { spec: { second: true } });
    await rig.clock.advance(2_000);
    const dying = rig.get('m1', target);
    expect([dying.metadata.deletionTimestamp !== undefined, dying.spec]).toEqual([true, { second: true }]);
    await rig.patch('m1', target, { metadata: { finalizers: null } });
    await rig.clock.advance(1_000);
    expect(rig.get('m1', target).spec).toEqual({ second: true });
    expect(rig.get('m1', target).metadata.uid).not.toBe(dying.metadata.uid);
    const want = recordedWrites('template-deleted-member-finalizer', 'events2');
    const written = writesOf(rig.lines);
    for (const where of [
      'hub ResourceBinding t1/dfin-connector',
      'hub Work karmada-es-m1/dfin-546bd8446',
      'm1 Connector t1/dfin',
    ])
      expect(lacking(written, only(want, new Map([[where, new Set()]])))).toEqual([]);
  });

  it('template-terminating: under a hub finalizer everything stays and follows', async () => {
    await using rig = await rigWith('hfin');
    const target = the(Connector, 'hfin');
    await rig.patch('hub', target, { metadata: { finalizers: ['example.com/hold'] } });
    await rig.clock.advance(1_000);
    rig.lines.length = 0;
    await rig.delete('hub', target);
    await rig.clock.advance(2_500);
    expect(rig.find('m1', target)).toBeDefined();
    await rig.patch('hub', target, { spec: { edit: 1 } });
    await rig.clock.advance(1_500);
    expect(rig.get('m1', target).spec).toMatchObject({
      edit: recorded('template-terminating', 'edit_while_terminating_reaches_member'),
    });
    await rig.patch('hub', target, { metadata: { finalizers: null } });
    await rig.clock.advance(2_000);
    expect([rig.find('m1', target), rig.find('m2', target)]).toEqual([undefined, undefined]);
    // The recording ends when the object is gone.
    expect(lacking(writesOf(rig.lines), recordedWrites('template-terminating', 'events'))).toEqual([]);
  });

  it('delete-and-recreate: the new one waits for the old binding to go, and then arrives', async () => {
    await using rig = await rigWith('rc-0');
    const target = the(Connector, 'rc-0');
    let missing = 0;
    for (let round = 0; round < 20; round++) {
      await rig.delete('hub', target);
      await rig.connector('rc-0', { spec: { round } });
      await rig.clock.advance(3_000);
      for (const plane of ['m1', 'm2'] as const) if (!deepEqual(rig.find(plane, target)?.spec, { round })) missing++;
    }
    expect(missing).toBe(recorded('delete-and-recreate', 'missing'));
    expect(rig.objects('hub', ResourceBinding)).toHaveLength(1);
    expect(rig.objects('hub', Work).filter(({ metadata }) => metadata.name.startsWith('rc-0'))).toHaveLength(2);
  });

  it('rapid-create-delete: nothing is left, however close they are', async () => {
    await using rig = await rigWith('keep');
    const { tried, leaked } = recorded('rapid-create-delete') as { tried: number; leaked: number };
    for (let pair = 0; pair < tried; pair++) {
      await rig.connector(`quick-${pair}`);
      await rig.clock.advance(rig.random.next() * 60);
      await rig.delete('hub', the(Connector, `quick-${pair}`));
    }
    await rig.clock.advance(30_000);
    const left = rig.objects('hub', Work).filter(({ metadata }) => metadata.name.startsWith('quick'));
    expect(left).toHaveLength(leaked);
    for (const plane of ['m1', 'm2'] as const)
      expect(rig.objects(plane, Connector).map(({ metadata }) => metadata.name)).toEqual(['keep']);
  });

  it('preserve-on-deletion: the objects stay, as if Karmada had never been there', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    await rig.policy('prs', { pick: { matchLabels: { prs: '1' } }, preserveResourcesOnDeletion: true }, 't2');
    await rig.clock.advance(500);
    const make = (name: string): Promise<unknown> =>
      rig.create('hub', Connector, {
        metadata: { namespace: 't2', name, labels: { prs: '1' }, annotations: { 'a/x': '1' } },
        spec: {},
      });
    await make('pr1');
    await make('pr2');
    await rig.clock.advance(2_000);
    rig.lines.length = 0;
    await rig.delete('hub', the(Connector, 'pr1', 't2'));
    await rig.clock.advance(2_000);
    const { labels, annotations: left } = rig.get('m1', the(Connector, 'pr1', 't2')).metadata;
    expect({ labels, annotations: left }).toEqual(recorded('preserve-on-deletion', 'left_on_member'));
    const want = recordedWrites('preserve-on-deletion', 'events');
    expect(lacking(writesOf(rig.lines), want)).toEqual([]);
    expect(rig.work('m1', the(Connector, 'pr1', 't2'))).toBeUndefined();

    // Both at once: the object is made anew, and stays.
    await rig.delete('m1', the(Connector, 'pr2', 't2'));
    await rig.delete('hub', the(Connector, 'pr2', 't2'));
    await rig.clock.advance(20_000);
    const { work_left, member } = recorded('preserve-on-deletion', 'template_and_member_deleted_together') as Record<
      string,
      unknown
    >;
    expect(rig.work('m1', the(Connector, 'pr2', 't2')) !== undefined).toBe(work_left);
    expect(rig.find('m1', the(Connector, 'pr2', 't2')) !== undefined).toBe(member);
  });

  it('preserved, but gone: the Work waits for it', async () => {
    await using rig = await Rig.start({ namespaces: ['t2'] });
    const target = the(Connector, 'gone', 't2');
    await rig.policy('prs', { preserveResourcesOnDeletion: true, suspension: { dispatching: false } }, 't2');
    await rig.clock.advance(500);
    await rig.connector('gone', {}, 't2');
    await rig.clock.advance(2_000);
    rig.propagation.hops.pause('execution');
    await rig.delete('m1', target);
    await rig.delete('hub', target);
    await rig.clock.advance(2_000);
    rig.propagation.hops.resume('execution');
    await rig.clock.advance(30_000);
    expect(rig.work('m1', target)?.metadata.deletionTimestamp).toBeDefined();
    expect(rig.work('m2', target)).toBeUndefined();
  });
});

describe('by hand', () => {
  it('work-or-binding-deleted-by-hand: withdrawn, and not put back before the template changes', async () => {
    await using rig = await rigWith('wdel2');
    const target = the(Connector, 'wdel2');
    const work = the(Work, 'wdel2-6b6d9cc66f', executionNamespace('m1'));
    await rig.delete('hub', work);
    await rig.clock.advance(8_000);
    expect({
      work: rig.find('hub', work) !== undefined,
      member: rig.find('m1', target) !== undefined,
      agg: rig.binding(target)?.status?.aggregatedStatus,
    }).toEqual(recorded('work-or-binding-deleted-by-hand', 'work_deleted'));
    await rig.patch('hub', target, { metadata: { annotations: { touch: '1' } } });
    await rig.clock.advance(2_000);
    expect(rig.find('m1', target)).toBeDefined();
    const events = recordedWrites('work-or-binding-deleted-by-hand', 'events');
    expect(lacking(writesOf(rig.lines), events)).toEqual([]);

    rig.lines.length = 0;
    await rig.delete('hub', the(ResourceBinding, 'wdel2-connector'));
    await rig.clock.advance(6_000);
    expect([rig.binding(target), rig.find('m1', target), rig.find('m2', target)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await rig.patch('hub', target, { metadata: { annotations: { touch: '2' } } });
    await rig.clock.advance(2_000);
    expect([rig.find('m1', target)?.kind, rig.find('m2', target)?.kind]).toEqual(['Connector', 'Connector']);
  });
});

describe('knobs', () => {
  it('rule 25: bindings are collected as late as is wanted', async () => {
    await using rig = await rigWith('late', {
      hubControllers: false,
      settings: { collectsBindingsMs: [1_500, 1_500] },
    });
    const target = the(Connector, 'late');
    await rig.delete('hub', target);
    await rig.clock.advance(1_400);
    expect(rig.binding(target)?.metadata.deletionTimestamp).toBeUndefined();
    expect(rig.find('m1', target)).toBeDefined();
    await rig.clock.advance(1_000);
    expect([rig.binding(target), rig.find('m1', target), rig.find('m2', target)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('rule 29: a leaked Work keeps its object alive, for ever', async () => {
    const faults = { leaks: ({ metadata }: Work) => metadata.namespace === executionNamespace('m2') };
    await using rig = await rigWith('leak', { faults });
    const target = the(Connector, 'leak');
    await rig.delete('hub', target);
    await rig.clock.advance(60_000);
    expect(rig.binding(target)).toBeUndefined();
    expect([rig.work('m1', target), rig.find('m1', target)]).toEqual([undefined, undefined]);
    expect(rig.work('m2', target)?.metadata.deletionTimestamp).toBeUndefined();
    expect(rig.get('m2', target).metadata.annotations?.[annotations.bindingName]).toBe('leak-connector');
    await rig.delete('m2', target);
    await rig.clock.advance(1_000);
    expect(rig.find('m2', target)).toBeDefined();
  });
});
