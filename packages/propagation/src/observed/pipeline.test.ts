import { canonicalJson, JsonNumber, ResourceBinding, stringifyJson, Work } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { annotations, labels } from '../words.ts';
import { Connector } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { Rig, the } from './rig.fixture.ts';
import { only, recordedWrites, writesOf } from './writes.fixture.ts';

const upstreamStatus = 'networking.datumapis.com/upstream-status';

async function rigWithPolicy(): Promise<Rig> {
  const rig = await Rig.start();
  await rig.connectors();
  await rig.clock.advance(1_000);
  rig.lines.length = 0;
  return rig;
}

describe('from the hub to the members', () => {
  it('pipeline-create: the writes for a new template, and their order', async () => {
    await using rig = await rigWithPolicy();
    await rig.connector('first', { metadata: { name: 'first', annotations: { [upstreamStatus]: '{}' } } });
    await rig.clock.advance(3_000);
    const want = recordedWrites('pipeline-create');
    expect(only(writesOf(rig.lines), want)).toEqual(want);
    const firstOf = (where: string): number => rig.lines.findIndex((line) => line.where === where);
    const chain = [
      'hub Connector t1/first',
      'hub ResourceBinding t1/first-connector',
      'hub Work karmada-es-m1/first-596cf9df59',
      'm1 Connector t1/first',
    ].map(firstOf);
    expect(chain).toEqual(chain.toSorted((a, b) => a - b));
    expect(rig.binding(the(Connector, 'first'))?.status?.aggregatedStatus).toEqual([
      { applied: true, clusterName: 'm1', health: 'Healthy' },
      { applied: true, clusterName: 'm2', health: 'Healthy' },
    ]);
  });

  it('carried-and-added: every object of the chain, field by field', async () => {
    await using rig = await rigWithPolicy();
    const want = recorded('carried-and-added') as Record<'hub' | 'member' | 'work' | 'binding', Manifest>;
    await rig.connector('carried', {
      metadata: {
        name: 'carried',
        labels: { 'l/one': '1' },
        annotations: {
          'a/one': '1',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          'x.karmada.io/foreign': 'f',
        },
        finalizers: ['example.com/keep'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: await ownerOf(rig) }],
      },
    });
    await rig.clock.advance(1_000);
    await rig.status('hub', the(Connector, 'carried'), want.hub.status as object);
    await rig.clock.advance(2_000);

    const target = the(Connector, 'carried');
    const { apiVersion: _a, kind: _k, ...hub } = rig.get('hub', target);
    expect(blank(hub)).toEqual(blank(want.hub));
    const member = rig.get('m1', target);
    expect(member).not.toHaveProperty('status');
    expect(blank(member.metadata)).toEqual(blank(want.member.metadata));
    expect(member.spec).toEqual(want.member.spec);
    const { metadata, spec, status } = rig.work('m1', target) as Work;
    const { workload: _, ...rest } = spec;
    expect(blank({ metadata, spec_without_manifest: rest, status })).toEqual(blank(want.work));
    const binding = rig.binding(target) as ResourceBinding;
    expect(blank({ metadata: binding.metadata, spec: binding.spec, status: binding.status })).toEqual(
      blank(want.binding),
    );
  });

  it('label-and-spec-change: both are mirrored; the generation that is echoed moves with the spec only', async () => {
    await using rig = await rigWithPolicy();
    const target = the(Connector, 'ls');
    await rig.connector('ls');
    await rig.clock.advance(1_000);
    const change = async (body: object): Promise<Manifest> => {
      await rig.patch('hub', target, body);
      await rig.clock.advance(1_000);
      return rig.get('m1', target);
    };
    expect((await change({ metadata: { labels: { l: '1' } } })).metadata.labels).toMatchObject({ l: '1' });
    expect((await change({ metadata: { labels: { l: '2' } } })).metadata.labels).toMatchObject({ l: '2' });
    expect((await change({ metadata: { labels: { l: null } } })).metadata.labels).not.toHaveProperty('l');
    const { metadata } = await change({ spec: { n: 1 } });
    expect({
      hub: rig.get('hub', target).metadata.generation,
      member_annotation: metadata.annotations?.[annotations.templateGeneration],
      member_generation: metadata.generation,
    }).toEqual(recorded('label-and-spec-change', 'generation_echo'));
    expect(rig.get('m2', target).spec).toEqual(rig.get('hub', target).spec);
  });

  it('annotation-flip-hot: states may be left out, the last one arrives', async () => {
    await using rig = await rigWithPolicy();
    const target = the(Connector, 'hot');
    await rig.connector('hot');
    await rig.clock.advance(1_000);
    rig.lines.length = 0;
    for (let flip = 1; flip <= 50; flip++) {
      await rig.patch('hub', target, { metadata: { annotations: { flip: String(flip) } } });
      await rig.clock.advance(20);
    }
    await rig.clock.advance(1_000);
    for (const plane of ['m1', 'm2'] as const) {
      expect(rig.get(plane, target).metadata.annotations).toMatchObject({ flip: '50' });
      const seen = rig.lines.filter(({ where }) => where === `${plane} Connector t1/hot`).length;
      expect(seen).toBeGreaterThan(10);
      expect(seen).toBeLessThan(50);
    }
  });

  it('hub-status-ignored: it starts nothing, and a member’s status does not touch it', async () => {
    await using rig = await rigWithPolicy();
    const target = the(Connector, 'carried');
    await rig.connector('carried');
    await rig.clock.advance(1_000);
    await rig.status('hub', target, { conditions: [{ type: 'Ready', status: 'True' }], phase: 'HubWrote' });
    await rig.clock.advance(1_000);
    rig.lines.length = 0;
    await rig.status('hub', target, { phase: 'Second', n: 2 ** 53 });
    await rig.clock.advance(3_000);
    const want = recordedWrites('hub-status-ignored', 'events_after_hub_status_write');
    expect(writesOf(rig.lines)).toEqual(want);
    await rig.status('m1', target, recorded('hub-status-ignored', 'then_member_m1_status') as object);
    await rig.clock.advance(1_000);
    const all = recordedWrites('hub-status-ignored', 'events');
    expect(writesOf(rig.lines)).toEqual(all);
    const { aggregatedStatus } = rig.binding(target)?.status ?? {};
    expect(aggregatedStatus).toEqual(recorded('hub-status-ignored', 'aggregatedStatus'));
    expect(canonicalJson(rig.get('hub', target).status)).toEqual(
      canonicalJson(recorded('hub-status-ignored', 'hub_status_afterwards')),
    );
    expect(rig.get('m2', target)).not.toHaveProperty('status');
  });

  it('int64: numbers arrive as the hub keeps them, and come back as the member writes them', async () => {
    await using rig = await rigWithPolicy();
    const target = the(Connector, 'numbers');
    const text = recorded('int64', 'member_annotation') as string;
    const big = (digits: string): JsonNumber => new JsonNumber(digits);
    await rig.connector('numbers', {
      metadata: { name: 'numbers', annotations: { text } },
      spec: {
        big: big('18446744073709551615'),
        exp: big('1e2'),
        f: 1.5,
        m: big('9007199254740993'),
        n: big('9223372036854775807'),
        neg: big('-9223372036854775808'),
        small: 0.1,
        whole: big('2.0'),
      } as never,
    });
    await rig.clock.advance(1_000);
    const spec = (plane: 'hub' | 'm1'): string => `"spec":${stringifyJson(rig.get(plane, target).spec)}`;
    expect(spec('hub')).toBe(recorded('int64', 'hub_spec'));
    expect(spec('m1')).toBe(recorded('int64', 'member_spec'));
    expect(rig.get('m1', target).metadata.annotations?.['text']).toBe(text);
    await rig.status('m1', target, { f: 1.5, n: big('9223372036854775807'), whole: big('3.0') });
    await rig.clock.advance(1_000);
    const [item] = rig.binding(target)?.status?.aggregatedStatus ?? [];
    expect(stringifyJson(item?.status)).toBe(recorded('int64', 'aggregatedStatus_text'));
  });

  it('big-annotation: what fits on the hub may not fit on a member, until it shrinks', async () => {
    await using rig = await rigWithPolicy();
    const put = async (name: string, bytes: number): Promise<string | undefined> => {
      await rig.connector(name, { metadata: { name, annotations: { big: 'x'.repeat(bytes) } } });
      await rig.clock.advance(2_000);
      return rig.condition(rig.work('m1', the(Connector, name)), 'Applied')?.message ?? undefined;
    };
    for (const kib of [100, 200, 240, 250, 254]) {
      expect(await put(`big-${kib}`, kib * 1024)).toBe('Manifest has been successfully applied');
      expect(rig.find('m1', the(Connector, `big-${kib}`))).toBeDefined();
    }
    const kept = 261_722 - 'clusterpropagationpolicy.karmada.io/name'.length - 'connectors'.length - 'big'.length;
    expect(await put('big-255-5', kept)).toBe(recorded('big-annotation', '255.5KiB', 'appliedMsg'));
    expect(rig.find('m1', the(Connector, 'big-255-5'))).toBeUndefined();

    const target = the(Connector, 'grow');
    await rig.connector('grow');
    await rig.clock.advance(1_000);
    await rig.patch('hub', target, { metadata: { annotations: { big: 'x'.repeat(261_900) } } });
    await rig.clock.advance(2_000);
    expect(rig.condition(rig.work('m1', target), 'Applied')?.message).toBe(
      recorded('big-annotation', 'grow_to_261900', 'msg'),
    );
    expect(rig.get('m1', target).metadata.annotations).not.toHaveProperty('big');
    await rig.patch('hub', target, { metadata: { annotations: { big: null } } });
    await rig.clock.advance(1_000);
    expect(rig.condition(rig.work('m1', target), 'Applied')?.status).toBe('True');

    await rig.connector('large', { spec: { text: 'x'.repeat(1_100 * 1024) } });
    await rig.clock.advance(2_000);
    expect(rig.find('m1', the(Connector, 'large'))).toBeDefined();
  });
});

describe('permanent ids', () => {
  it('policies, bindings and Works each have one, and it stays', async () => {
    await using rig = await rigWithPolicy();
    const target = the(Connector, 'ids');
    await rig.connector('ids');
    await rig.clock.advance(1_000);
    const ids = (): readonly (string | undefined)[] => [
      rig.get('hub', target).metadata.labels?.[labels.clusterPolicyId],
      rig.binding(target)?.metadata.labels?.[labels.bindingId],
      rig.work('m1', target)?.metadata.labels?.[labels.workId],
      rig.work('m2', target)?.metadata.labels?.[labels.workId],
    ];
    const before = ids();
    expect(new Set(before).size).toBe(4);
    expect(before).not.toContain(undefined);
    await rig.patch('hub', target, { spec: { changed: true } });
    await rig.clock.advance(1_000);
    expect(ids()).toEqual(before);
    expect(rig.objects('hub', ResourceBinding)).toHaveLength(1);
    expect(rig.objects('hub', Work).filter(({ metadata }) => metadata.name.startsWith('ids-'))).toHaveLength(2);
  });
});

const ownerOf = async (rig: Rig): Promise<string> => {
  const owner = await rig.configMap('owner');
  return owner.metadata.uid ?? '';
};

/** Values that are made up anew each time stand as `*`. */
function blank(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blank);
  if (typeof value !== 'object' || value === null) return value;
  const generated =
    /^(uid|resourceVersion|creationTimestamp|lastTransitionTime|lastScheduledTime)$|permanent-id$|\/uid$/;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'managedFields')
      .map(([key, member]) => [key, generated.test(key) ? '*' : blank(member)]),
  );
}
