/** One hand-made world for each oracle that violates it, beside one that does not. */
import { ConfigMap, Connector, isDeleting, Lease } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { invariants } from '../invariants.ts';
import { finalizer, never, Rogue } from '../testing/rogue.fixture.ts';
import { oracleCatalogue } from './catalogue.ts';
import type { Placed } from './subject.ts';

const write = { signal: never, fieldManager: 'rogue' };

describe('the catalogue', () => {
  it('has S1 to S10, L1 to L9 and M1 to M5, each once', () => {
    const ids = (letter: string, count: number): string[] =>
      Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
    expect(oracleCatalogue.map(({ id }) => id)).toEqual([...ids('S', 10), ...ids('L', 9), ...ids('M', 5)]);
  });

  it('every row that judges one world is at work', () => {
    const judged = oracleCatalogue.filter(({ id, judged: when }) => when !== 'run' && id !== 'L9').map(({ id }) => id);
    expect(invariants.map(({ id }) => id).toSorted()).toEqual(judged.toSorted());
  });

  it('an oracle without a subject says so', async () => {
    await using rogue = new Rogue();
    expect(rogue.invariants.withoutSubject.get('rogue')).toEqual([
      'S2',
      'S5',
      'S8',
      'S9',
      'S10',
      'L1',
      'L2',
      'L3',
      'L4',
      'L6',
      'L7',
    ]);
  });
});

describe('S1 no-wrong-delete', () => {
  it.each([
    { name: 'the upstream is there and selected', selected: true },
    { name: 'the upstream is not selected', selected: false },
  ])('$name', async ({ selected }) => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { labels: { selected: selected ? 'yes' : 'no' } });
    await rogue.client('p1').get(ConfigMap, source.metadata, { signal: never });
    await rogue.delete(ConfigMap, await rogue.copy(source));
    expect(rogue.found).toEqual(selected ? ['S1'] : []);
  });

  it('a label that was taken away half a minute ago still counts; one that was taken away long ago does not', async () => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { labels: { selected: 'no' } });
    await rogue.client('p1').get(ConfigMap, source.metadata, { signal: never });
    const [one, other] = [await rogue.copy(source), await rogue.copy(source, { name: 'other' })];
    const body = { metadata: { labels: { selected: 'yes' } } };
    await rogue.world.hands().patch('p1', { kind: ConfigMap, name: source.metadata }, { type: 'merge', body });
    await rogue.world.after(34_000);
    await rogue.delete(ConfigMap, one);
    expect(rogue.found).toEqual([]);
    await rogue.world.after(2_000);
    await rogue.delete(ConfigMap, other);
    expect(rogue.found).toEqual(['S1']);
  });

  it('no UID precondition', async () => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { labels: { selected: 'no' } });
    await rogue.client('p1').get(ConfigMap, source.metadata, { signal: never });
    await rogue.deleteByName(await rogue.copy(source));
    expect(rogue.finding('S1')?.message).toContain('without a UID precondition');
  });

  it.each([
    { name: 'it does not carry our mark', metadata: { labels: {} }, says: 'our mark' },
    { name: 'it names no upstream', metadata: { annotations: {} }, says: 'names no upstream' },
  ])('$name', async ({ metadata, says }) => {
    await using rogue = new Rogue();
    await rogue.delete(ConfigMap, await rogue.copy(await rogue.source(), metadata));
    expect(rogue.finding('S1')?.message).toContain(says);
  });
});

it('S2 no-cross-tenant: a value of one project in an object of another', async () => {
  const markers = new Map([
    ['p1', 'secret-of-p1'],
    ['p2', 'secret-of-p2'],
  ]);
  await using rogue = new Rogue({ tenants: { markers, projectOf: () => 'p1' } });
  const put = (name: string, text: string): Promise<unknown> =>
    rogue.client('hub').create(ConfigMap, { metadata: { namespace: 'default', name }, data: { text } }, write);
  await put('a', 'holds secret-of-p1');
  expect(rogue.found).toEqual([]);
  await put('b', 'holds secret-of-p2');
  expect(rogue.found).toEqual(['S2']);
});

describe('S3 own-lane', () => {
  it.each([
    { name: 'a declared field', patch: { metadata: { finalizers: [finalizer] } }, blind: false, found: [] },
    { name: 'another field', patch: { data: { a: '1' } }, blind: false, found: ['S3'] },
    { name: 'a shared list, sent whole', patch: { metadata: { finalizers: [finalizer] } }, blind: true, found: ['S3'] },
  ])('$name', async ({ patch, blind, found }) => {
    await using rogue = new Rogue();
    const { metadata } = await rogue.source();
    const { resourceVersion } = metadata;
    const body = blind
      ? patch
      : { ...patch, metadata: { ...('metadata' in patch && patch.metadata), resourceVersion } };
    await rogue.client('p1').patch({ kind: ConfigMap, name: metadata }, { type: 'merge', body }, write);
    expect(rogue.found).toEqual(found);
  });

  it('a verb, a kind or a manager that is not declared', async () => {
    await using rogue = new Rogue();
    const client = rogue.client('hub');
    await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } }, write);
    expect(rogue.found).toEqual([]);
    await client.create(
      ConfigMap,
      { metadata: { namespace: 'default', name: 'b' } },
      { ...write, fieldManager: 'other' },
    );
    await client.create(Lease, { metadata: { namespace: 'default', name: 'c' } }, write);
    await rogue.client('p1').create(ConfigMap, { metadata: { namespace: 'default', name: 'd' } }, write);
    expect(
      rogue.invariants.findings.map(({ oracle, write: at }) => [oracle, at?.revision.object.metadata.name]),
    ).toEqual([
      ['S3', 'b'],
      ['S3', 'c'],
      ['S3', 'd'],
    ]);
  });
});

describe('S4 absent-is-not-unknown', () => {
  it('a delete without having heard of the upstream plane', async () => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { labels: { selected: 'no' } });
    const copy = await rogue.copy(source);
    await rogue.delete(ConfigMap, copy);
    expect(rogue.found).toEqual(['S4']);
  });

  it.each([
    { name: 'a list that leaves out what is there', items: [], found: ['S4'] },
    { name: 'a complete list', items: ['a'], found: [] },
  ])('$name', async ({ items, found }) => {
    await using rogue = new Rogue();
    const source = await rogue.source();
    await rogue.world.after(1_000);
    await rogue.client('p1').list(ConfigMap, { namespace: 'default', signal: never });
    const cache = { plane: 'project', cluster: 'p1', kind: ConfigMap.id };
    const tell = rogue.world.deliveries.interceptor({ actor: 'a', incarnation: 1 });
    tell({ type: 'replaced', items: items.map(() => source) }, () => undefined, cache);
    expect(rogue.found).toEqual(found);
  });
});

it('S5 lossless: a text that upstream never was', async () => {
  await using rogue = new Rogue({
    mirrors: ({ object }) => [{ text: object.metadata.annotations?.['status'], upstream: [{ b: 1, a: 2 }] }],
  });
  const put = (name: string, status: string): Promise<unknown> =>
    rogue.client('hub').create(ConfigMap, { metadata: { namespace: 'default', name, annotations: { status } } }, write);
  await put('a', '{"a":2,"b":1}');
  expect(rogue.found).toEqual([]);
  await put('b', '{"b":1,"a":2}');
  expect(rogue.found).toEqual(['S5']);
});

describe('S6 finalizer-order', () => {
  const edit = async (rogue: Rogue, finalizers: readonly string[]): Promise<void> => {
    const metadata = rogue.world.truth.get('p1', ConfigMap, { namespace: 'default', name: 'a' })?.metadata ?? {
      name: 'a',
    };
    const { resourceVersion } = { resourceVersion: undefined, ...metadata };
    const body = { metadata: { finalizers, resourceVersion } };
    await rogue.client('p1').patch({ kind: ConfigMap, name: metadata }, { type: 'merge', body }, write);
  };

  it('ours leaves while a copy is left', async () => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { finalizers: [finalizer] });
    await rogue.copy(source);
    await edit(rogue, []);
    expect(rogue.found).toEqual(['S6']);
  });

  it('ours leaves when none is left', async () => {
    await using rogue = new Rogue();
    await rogue.source('a', { finalizers: [finalizer] });
    await edit(rogue, []);
    expect(rogue.found).toEqual([]);
  });

  it("somebody else's leaves with it", async () => {
    await using rogue = new Rogue();
    await rogue.source('a', { finalizers: [finalizer, 'other.example.com/hold'] });
    await edit(rogue, [finalizer]);
    expect(rogue.finding('S6')?.message).toContain('other.example.com/hold');
  });
});

describe('S7 one-writer', () => {
  const election = { plane: 'hub', lease: { namespace: 'default', name: 'lead' } };
  const put = (rogue: Rogue, actor: string, name: string): Promise<unknown> =>
    rogue.client('hub', { actor }).create(ConfigMap, { metadata: { namespace: 'default', name } }, write);

  it('the leader writes; who does not lead must not', async () => {
    await using rogue = new Rogue({ election });
    await rogue.lead('a');
    await put(rogue, 'a', 'x');
    expect(rogue.found).toEqual([]);
    await put(rogue, 'b', 'y');
    expect(rogue.found).toEqual(['S7']);
  });

  it('not after the Lease could have been taken', async () => {
    await using rogue = new Rogue({ election });
    await rogue.lead('a');
    await rogue.world.after(14_999);
    await put(rogue, 'a', 'x');
    expect(rogue.found).toEqual([]);
    await rogue.world.after(2);
    await put(rogue, 'a', 'y');
    expect(rogue.finding('S7')?.message).toContain('could have been taken');
  });

  it('who holds one shard writes what hangs on that, and nothing that hangs on another; what hangs on none is free', async () => {
    const shards = {
      isLease: ({ object }: Placed) => object.kind === 'Lease',
      leaseOf: ({ plane, object: { metadata } }: Placed) =>
        metadata.name === 'free' ? undefined : { plane, lease: { namespace: 'default', name: `of-${metadata.name}` } },
    };
    await using rogue = new Rogue({ shards });
    await rogue.lead('a', 'of-x');
    await rogue.lead('b', 'of-y');
    await put(rogue, 'a', 'x');
    await put(rogue, 'b', 'y');
    await put(rogue, 'b', 'free');
    expect(rogue.found).toEqual([]);
    await put(rogue, 'a', 'z');
    expect(rogue.finding('S7')?.message).toContain('nobody holds the Lease');
  });

  it('two writes to one object at once', async () => {
    await using rogue = new Rogue();
    const { metadata } = await rogue
      .client('hub')
      .create(ConfigMap, { metadata: { namespace: 'default', name: 'x' } }, write);
    const patch = { type: 'merge', body: { data: { a: '1' } } } as const;
    const both = [0, 1].map(() => rogue.client('hub').patch({ kind: ConfigMap, name: metadata }, patch, write));
    await Promise.all(both);
    expect(rogue.found).toEqual(['S7']);
  });
});

describe('S9 exact-claims', () => {
  const claims = {
    claims: () => claimed,
    opened: ({
      object,
    }: {
      object: { metadata: { annotations?: Readonly<Record<string, string>> | null | undefined } };
    }) => object.metadata.annotations?.['opens'],
  };
  let claimed: { instance: string; granted: boolean }[] = [];
  const touch = (rogue: Rogue, opens: string): Promise<unknown> =>
    rogue
      .client('hub')
      .apply(
        ConfigMap,
        { metadata: { namespace: 'default', name: 'instance', annotations: { opens } } },
        { ...write, force: true },
      );

  it.each([
    { name: 'granted', all: [{ instance: 'u', granted: true }], found: [] },
    { name: 'not granted', all: [{ instance: 'u', granted: false }], found: ['S9'] },
    {
      name: 'claimed twice',
      all: [
        { instance: 'u', granted: true },
        { instance: 'u', granted: true },
      ],
      found: ['S9'],
    },
  ])('$name', async ({ all, found }) => {
    claimed = all;
    await using rogue = new Rogue({ claims });
    await rogue.world.hands().create('hub', ConfigMap, { metadata: { namespace: 'default', name: 'instance' } });
    await touch(rogue, 'u');
    expect(rogue.found).toEqual(found);
  });
});

describe('S10 honest-time', () => {
  const ready = (status: string, lastTransitionTime: string): object => ({
    conditions: [{ type: 'Ready', status, reason: 'R', message: '', lastTransitionTime }],
  });
  const writes = [
    { plane: 'project', kind: Connector, verbs: ['apply' as const], fields: ['status.conditions'], owner: 'rogue' },
  ];

  it.each([
    { name: 'it flips and moves', to: ['False', '2026-01-02T00:00:00Z'], found: [] },
    { name: 'it stays', to: ['True', '2026-01-01T00:00:00Z'], found: [] },
    { name: 'it moves and does not flip', to: ['True', '2026-01-02T00:00:00Z'], found: ['S10'] },
    { name: 'it flips and does not move', to: ['False', '2026-01-01T00:00:00Z'], found: ['S10'] },
  ])('$name', async ({ to: [status = '', time = ''], found }) => {
    await using rogue = new Rogue({ conditions: true, writes });
    const metadata = { namespace: 'default', name: 'c' };
    await rogue.world.hands().create('p1', Connector, { metadata, spec: { connectorClassName: 'x' } });
    const apply = (value: object): Promise<unknown> =>
      rogue
        .client('p1')
        .apply(Connector, { metadata, status: value }, { ...write, force: true, subresource: 'status' });
    await apply(ready('True', '2026-01-01T00:00:00Z'));
    // Two flips of one second have one time.
    await rogue.world.after(2_000);
    await apply(ready(status, time));
    expect(rogue.found).toEqual(found);
  });
});

describe('L1 to L6: out = f(in)', () => {
  it.each(['L1', 'L2', 'L3', 'L4', 'L5', 'L6'] as const)('%s', async (oracle) => {
    const output = {
      oracle,
      want: () => new Map<string, unknown>([['p1 default/a in hub', { a: 1 }]]),
      have: () => new Map<string, unknown>([['p1 default/a in hub', { a: have }]]),
    };
    let have = 1;
    await using rogue = new Rogue({ outputs: [output] });
    rogue.invariants.conclude();
    expect(rogue.found).toEqual([]);
    have = 2;
    expect(rogue.invariants.pending(['hub'])).toEqual([]);
    rogue.invariants.conclude();
    expect(rogue.found).toEqual([oracle]);
  });

  it('L5: what was deleted and waits for our finalizer', async () => {
    await using rogue = new Rogue();
    const source = await rogue.source('a', { finalizers: [finalizer] });
    await rogue.world.hands().delete('p1', ConfigMap, source.metadata);
    expect(rogue.world.plane('p1').api.objects(ConfigMap).some(isDeleting)).toBe(true);
    rogue.invariants.conclude();
    expect(rogue.found).toEqual(['L5']);
  });
});

describe('L7 no-hot-loop', () => {
  const idle = { floorMs: 60_000, requestsPerFloor: () => 2 };
  const span = (rogue: Rogue, from: number, log: { readonly sent: readonly unknown[] }): void => {
    const { writes } = rogue.world.audit;
    rogue.invariants.idle({ ms: 60_000, writes: writes.slice(from), sent: log.sent as never });
  };

  it('a write in an idle world', async () => {
    await using rogue = new Rogue({ idle });
    const log = rogue.world.wires.record();
    span(rogue, 0, log);
    expect(rogue.found).toEqual([]);
    const from = rogue.world.audit.writes.length;
    await rogue.client('hub').create(ConfigMap, { metadata: { namespace: 'default', name: 'x' } }, write);
    span(rogue, from, log);
    expect(rogue.found).toEqual(['L7']);
  });

  it('more requests than the floor asks for', async () => {
    await using rogue = new Rogue({ idle });
    const log = rogue.world.wires.record();
    const client = rogue.client('hub');
    for (let i = 0; i < 4; i++) await client.find(ConfigMap, { namespace: 'default', name: 'x' }, { signal: never });
    span(rogue, rogue.world.audit.writes.length, log);
    expect(rogue.found).toEqual([]);
    await client.find(ConfigMap, { namespace: 'default', name: 'x' }, { signal: never });
    span(rogue, rogue.world.audit.writes.length, log);
    expect(rogue.found).toEqual(['L7']);
  });
});

describe('L8 calm-storm', () => {
  const send = async (rogue: Rogue, method: string): Promise<void> => {
    const plane = rogue.world.plane('hub');
    const url = `${plane.url}/api/v1/namespaces/default/configmaps/x`;
    const body = method === 'GET' ? undefined : new TextEncoder().encode('{}');
    const headers = { 'content-type': 'application/merge-patch+json' };
    await rogue.world.wires.between({ actor: 'a', incarnation: 1 }, plane)(
      { method, url, headers, body },
      { signal: never },
    );
  };

  it('eleven tries within a second', async () => {
    await using rogue = new Rogue();
    for (let i = 0; i < 10; i++) await send(rogue, 'PATCH');
    await rogue.world.after(1_000);
    for (let i = 0; i < 10; i++) await send(rogue, 'PATCH');
    expect(rogue.found).toEqual([]);
    await send(rogue, 'PATCH');
    expect(rogue.found).toEqual(['L8']);
  });

  it('a pause that was asked for and not kept', async () => {
    await using rogue = new Rogue();
    const throttled = rogue.world.wires.put(() => () => async () => ({
      status: 429,
      headers: { 'retry-after': '5' },
      body: (async function* () {})(),
    }));
    await send(rogue, 'GET');
    await send(rogue, 'GET');
    throttled[Symbol.dispose]();
    await rogue.world.after(5_000);
    await send(rogue, 'GET');
    expect(rogue.found).toEqual([]);
    rogue.world.wires.put(() => () => async () => ({
      status: 429,
      headers: { 'retry-after': '5' },
      body: (async function* () {})(),
    }));
    await send(rogue, 'GET');
    await rogue.world.after(4_999);
    await send(rogue, 'GET');
    expect(rogue.found).toEqual(['L8']);
  });
});
