/** What a world puts on record, and what it lets go wrong between its parts. */
import { ConfigMap, epochMs, readAll, type TransportResponse } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { never, Rogue } from '../testing/rogue.fixture.ts';
import type { Write } from './record.ts';
import { pathOf } from './record.ts';
import { RingLog } from './ring-log.ts';
import { SkewedClock } from './skewed-clock.ts';
import { targetOf } from './target.ts';
import { World } from './world.ts';

const object = (name: string): { metadata: { namespace: string; name: string } } => ({
  metadata: { namespace: 'default', name },
});
const write = { signal: never, fieldManager: 'rogue' };

describe('the audit tap', () => {
  it('puts each write down to the request that made it, however they interleave', async () => {
    await using rogue = new Rogue({}, { latencyMs: [1, 20] });
    const { world } = rogue;
    const plane = world.plane('hub');
    const send = (actor: string, name: string): Promise<TransportResponse> =>
      world.wires.between({ actor, incarnation: 1 }, plane)(
        {
          method: 'POST',
          url: `${plane.url}/api/v1/namespaces/default/configmaps`,
          headers: { 'content-type': 'application/json' },
          body: new TextEncoder().encode(JSON.stringify(object(name))),
        },
        { signal: never },
      );
    const actors = ['a', 'b', 'c', 'd'];
    const all = Promise.all(actors.flatMap((actor) => [send(actor, `${actor}1`), send(actor, `${actor}2`)]));
    await world.clock.run(all);
    const made = world.audit.writes.filter(({ plane: where }) => where === 'hub');
    expect(made).toHaveLength(8);
    for (const { by, revision } of made) expect(revision.object.metadata.name.startsWith(by?.actor ?? '?')).toBe(true);
  });

  it("a plane's own controllers are nobody's request", async () => {
    await using rogue = new Rogue();
    const { world } = rogue;
    const owner = await rogue.client('hub').create(ConfigMap, object('owner'), write);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' }];
    await rogue.client('hub').create(ConfigMap, { metadata: { ...object('owned').metadata, ownerReferences } }, write);
    await rogue.delete(ConfigMap, owner);
    await world.after(5_000);
    const ends = world.audit.writes.filter(({ revision }) => revision.type === 'DELETED');
    expect(ends.map(({ revision, by }: Write) => [revision.object.metadata.name, by?.actor])).toEqual([
      ['owner', 'a'],
      ['owned', undefined],
    ]);
  });

  it('a write whose answer was lost is on record all the same', async () => {
    await using rogue = new Rogue();
    const { wires } = rogue.world;
    const seen: (number | undefined)[] = [];
    wires.observe({ settled: ({ status, writes }) => seen.push(status, writes.length) });
    wires.put(() => (next) => async (request, options) => {
      await next(request, options);
      throw new Error('lost');
    });
    const plane = rogue.world.plane('hub');
    const lost = wires.between({ actor: 'a', incarnation: 1 }, plane)(
      {
        method: 'POST',
        url: `${plane.url}/api/v1/namespaces/default/configmaps`,
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(object('x'))),
      },
      { signal: never },
    );
    await expect(lost).rejects.toThrow('lost');
    expect(seen).toEqual([undefined, 1]);
  });
});

describe('open watches', () => {
  const open = async (world: World, signal: AbortSignal): Promise<AsyncIterator<Uint8Array>> => {
    const plane = world.plane('hub');
    const url = `${plane.url}/api/v1/configmaps?watch=true&resourceVersion=${plane.api.revision}`;
    const response = await world.wires.between({ actor: 'a', incarnation: 1 }, plane)(
      { method: 'GET', url, headers: {} },
      { signal },
    );
    return response.body[Symbol.asyncIterator]();
  };
  const text = async (read: Promise<IteratorResult<Uint8Array, unknown>>): Promise<string> => {
    const { value } = await read;
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : 'end';
  };

  it('hold: what came meanwhile comes afterwards', async () => {
    await using rogue = new Rogue();
    const body = await open(rogue.world, never);
    const gate = Promise.withResolvers<void>();
    for (const watch of rogue.world.wires.watches()) watch.hold(gate.promise);
    const first = text(body.next());
    let seen = false;
    void first.then(() => (seen = true));
    await rogue.client('hub').create(ConfigMap, object('x'), write);
    await rogue.world.after(1_000);
    expect(seen).toBe(false);
    gate.resolve();
    expect(await first).toContain('"name":"x"');
  });

  it('silence: nothing comes any more, until it is given up', async () => {
    await using rogue = new Rogue();
    const controller = new AbortController();
    const body = await open(rogue.world, controller.signal);
    const read = text(body.next());
    for (const watch of rogue.world.wires.watches()) watch.silence();
    await rogue.client('hub').create(ConfigMap, object('x'), write);
    await rogue.world.after(3_600_000);
    controller.abort(new Error('given up'));
    await expect(read).rejects.toThrow('given up');
    expect(rogue.world.wires.watches()).toEqual([]);
  });

  it('end: with the last bytes, or as a broken connection', async () => {
    await using rogue = new Rogue();
    const [one, other] = [await open(rogue.world, never), await open(rogue.world, never)];
    const reads = [text(one.next()), text(other.next())] as const;
    const [first, second] = rogue.world.wires.watches();
    first?.end(new TextEncoder().encode('last\n'));
    second?.end(new Error('broken'));
    expect(await reads[0]).toBe('last\n');
    await expect(reads[1]).rejects.toThrow('broken');
    expect(await text(one.next())).toBe('end');
    expect(rogue.world.plane('hub').api.openWatches).toBe(0);
  });

  it('repeat: old events after new ones', async () => {
    await using rogue = new Rogue();
    const body = await open(rogue.world, never);
    for (const watch of rogue.world.wires.watches()) watch.repeat((chunk) => [chunk]);
    await rogue.client('hub').create(ConfigMap, object('x'), write);
    expect(await text(body.next())).toBe(await text(body.next()));
  });

  it('return ends a read that waits', async () => {
    await using rogue = new Rogue();
    const body = await open(rogue.world, never);
    const read = text(body.next());
    await body.return?.();
    expect(await read).toBe('end');
    expect(rogue.world.wires.watches()).toEqual([]);
  });
});

it('a view shows an actor another server; a cut plane is silent', async () => {
  await using rogue = new Rogue();
  const { world } = rogue;
  const plane = world.plane('hub');
  const get = async (): Promise<number> => {
    const url = `${plane.url}/api/v1/namespaces/default`;
    const { status, body } = await world.wires.between({ actor: 'a', incarnation: 1 }, plane)(
      { method: 'GET', url, headers: {} },
      { signal: never },
    );
    await readAll(body);
    return status;
  };
  world.wires.view('a', 'hub', async () => ({ status: 418, headers: {}, body: (async function* () {})() }));
  expect(await get()).toBe(418);
  world.wires.view('a', 'hub', undefined);
  expect(await get()).toBe(200);
  const cut = world.wires.cut('hub');
  let answered = false;
  void get().then(() => (answered = true));
  await world.after(3_600_000);
  expect(answered).toBe(false);
  cut[Symbol.dispose]();
  expect(await get()).toBe(200);
});

it('what is spawned and fails is said when the world ends', async () => {
  const world = new World({ seed: 'spawn', planes: [], apps: [] });
  world.spawn(Promise.reject(new Error('broken')));
  await world.after(0);
  await expect(world[Symbol.asyncDispose]()).rejects.toThrow('broken');
});

describe('SkewedClock', () => {
  it('is off, drifts, and is set right in one step; monotonic time and timers are not touched', async () => {
    const clock = new VirtualClock({ startsAt: epochMs(0) });
    const skewed = new SkewedClock(clock);
    const seen: number[] = [];
    skewed.timer(3_600_000, () => seen.push(skewed.monotonic()));
    skewed.skew({ offsetMs: -5_000, driftMsPerHour: 600 });
    expect(skewed.now()).toBe(-5_000);
    await clock.advance(3_600_000);
    expect([skewed.now(), skewed.monotonic(), seen]).toEqual([3_600_000 - 5_000 + 600, 3_600_000, [3_600_000]]);
    skewed.skew();
    expect(skewed.now()).toBe(3_600_000);
  });
});

describe('RingLog', () => {
  it('keeps the last lines, in order, as the real log writes them', () => {
    const clock = new VirtualClock({ startsAt: epochMs(0) });
    const ring = new RingLog(3);
    const log = ring.log(clock, { replica: 'a.1' }).child({ kind: 'ConfigMap' });
    for (let i = 0; i < 5; i++) log.info({ i, token: 'x' }, `line ${i}`);
    log.debug({}, 'dropped');
    expect(ring.lines().map((line) => JSON.parse(line) as unknown)).toEqual(
      [2, 3, 4].map((i) => ({
        level: 'info',
        time: '1970-01-01T00:00:00.000Z',
        replica: 'a.1',
        kind: 'ConfigMap',
        i,
        token: '***',
        msg: `line ${i}`,
      })),
    );
  });
});

describe('paths', () => {
  it.each([
    { url: 'https://x.test/api/v1/namespaces/default/configmaps/a', target: 'ConfigMap default/a' },
    { url: 'https://x.test/api/v1/namespaces/default', target: 'Namespace default' },
    {
      url: 'https://x.test/apis/networking.datumapis.com/v1alpha1/namespaces/n/connectors/c/status?fieldManager=x',
      target: 'Connector.networking.datumapis.com n/c/status',
    },
    { url: 'https://x.test/api/v1/namespaces/default/configmaps', target: undefined },
    { url: 'https://x.test/apis/nobody.example.com/v1/things/a', target: undefined },
  ])('$url: $target', ({ url, target }) => {
    const found = targetOf({ request: { method: 'GET', url, headers: {} } });
    const { namespace, name } = found?.name ?? { name: '' };
    const text = found && `${found.kind.id} ${[namespace, name, found.subresource].filter(Boolean).join('/')}`;
    expect(text).toBe(target);
    expect(pathOf(url)).toBe(url.slice('https://x.test'.length));
  });
});
