/** Rule 10. */
import { Namespace } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { labels } from '../words.ts';
import { recorded } from './observed.fixture.ts';
import { type PlaneName, Rig, the } from './rig.fixture.ts';
import { lacking, recordedWrites, writesOf } from './writes.fixture.ts';

const namespace = (name: string): ReturnType<typeof the<Namespace>> => the(Namespace, name, '');

describe('namespaces', () => {
  it('namespaces: carried to all members, without a policy, and taken away last', async () => {
    await using rig = await Rig.start();
    const make = (name: string, metadata: object = {}): Promise<unknown> =>
      rig.create('hub', Namespace, { metadata: { name, ...metadata } });
    const has = (plane: PlaneName, name: string): boolean => rig.find(plane, namespace(name)) !== undefined;
    await make('t4', { labels: { a: 'b' }, annotations: { c: 'd' } });
    await make('t5');
    await make('t6');
    await make('kube-foo');
    await make('karmada-bar');
    await make('t4skip', { labels: { [labels.skipNamespace]: 'true' } });
    await rig.clock.advance(2_000);

    const { metadata } = rig.get('m1', namespace('t4'));
    const blank = (map: object | null | undefined): object =>
      Object.fromEntries(
        Object.entries(map ?? {}).map(([key, value]: [string, unknown]) => [
          key,
          /permanent-id|\/uid$/.test(key) ? '<uid>' : value,
        ]),
      );
    expect({ labels: blank(metadata.labels), annotations: blank(metadata.annotations) }).toEqual(
      recorded('namespaces', 'member_meta'),
    );
    const names = Object.keys(recorded('namespaces', 'not_propagated') as object);
    expect(Object.fromEntries(names.map((name) => [name, !has('m1', name)]))).toEqual(
      recorded('namespaces', 'not_propagated'),
    );
    expect(has('m1', 'default')).toBe(true);
    expect(rig.get('m1', namespace('default')).metadata.labels).not.toHaveProperty(labels.managed);

    await rig.patch('hub', namespace('t4'), { metadata: { labels: { a: 'c' } } });
    await rig.clock.advance(1_000);
    expect(rig.get('m2', namespace('t4')).metadata.labels).toMatchObject({ a: 'c' });
    await rig.patch('m1', namespace('t4'), { metadata: { labels: { a: 'member' } } });
    await rig.clock.advance(1_000);
    expect(rig.get('m1', namespace('t4')).metadata.labels).toMatchObject({ a: 'c' });

    await rig.patch('hub', namespace('t5'), { metadata: { labels: { [labels.skipNamespace]: 'true' } } });
    await rig.clock.advance(1_000);
    const skipped = recorded('namespaces', 'skip_label_added_later', 'label_on_member') as object;
    expect(blank(rig.get('m1', namespace('t5')).metadata.labels)).toEqual(skipped);

    await rig.delete('m2', namespace('t4'));
    await rig.clock.advance(1_000);
    expect(rig.get('m2', namespace('t4'))).toMatchObject({ status: { phase: 'Terminating' } });
  });

  it('namespaces: the contents go first, the copies on members when the hub’s is gone', async () => {
    await using rig = await Rig.start({ namespaces: ['t6'] });
    await rig.connectors();
    await rig.clock.advance(500);
    await rig.connector('inside', {}, 't6');
    await rig.clock.advance(2_000);
    rig.lines.length = 0;
    await rig.delete('hub', namespace('t6'));
    await rig.clock.advance(60_000);
    const order = [
      rig.placeOf('hub Namespace t6', 'metadata.deletionTimestamp'),
      rig.placeOf('hub ResourceBinding t6/inside-connector', 'metadata.deletionTimestamp'),
      rig.placeOf('hub Namespace t6', 'DELETED'),
      rig.placeOf('hub Work karmada-es-m1/t6-8455fd5c77', 'metadata.deletionTimestamp'),
      rig.placeOf('m1 Namespace t6', 'metadata.deletionTimestamp'),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(lacking(writesOf(rig.lines), recordedWrites('namespaces', 'ns_delete_events'))).toEqual([]);
    expect(rig.get('m1', namespace('t6'))).toMatchObject({ status: { phase: 'Terminating' } });
  });
});
