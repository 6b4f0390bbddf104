import { annotations, noIntent } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { LiveIndex, type LiveIndexOptions } from './live-index.ts';
import { connector, gateway, nodeA, nodeB, proxy } from './scene.fixture.ts';

/** A synced index and all that it tells. */
function listened(over: Partial<LiveIndexOptions> = {}) {
  const clock = new VirtualClock();
  const index = new LiveIndex({ clock, classes: ['edge'], ...over });
  const heard: string[] = [];
  index.subscribe({
    proxy: (key, program) => heard.push(`proxy ${key} ${program ? states(program) : 'gone'}`),
    gateway: (key, state, change) => heard.push(`gateway ${key} ${change} ${state?.stamp ?? '-'}`),
    synced: () => heard.push('synced'),
  });
  const take = (): string[] => heard.splice(0);
  return { clock, index, take };
}

const states = (program: NonNullable<ReturnType<LiveIndex['proxy']>>): string =>
  program.rules.flatMap(({ backends }) => backends.map((backend) => backend?.reason ?? backend?.state ?? '-')).join();

function synced(over: Partial<LiveIndexOptions> = {}) {
  const scene = listened(over);
  const { index } = scene;
  index.setNamespace('ns', true);
  index.setConnector('ns/a', connector());
  index.setHTTPProxy('ns/web', proxy(['a']));
  index.setGateway('ns/web', gateway());
  index.markSynced();
  scene.take();
  return scene;
}

describe('before the sync', () => {
  it('says nothing: what is not listed to its end is not absent', () => {
    const { index, take } = listened();
    index.setHTTPProxy('ns/web', proxy(['a']));
    index.setGateway('ns/web', gateway());
    expect(take()).toEqual([]);
    expect(index.proxy('ns/web')).toBeUndefined();
    expect(index.gateway('ns/web')).toBeUndefined();
    expect([...index.gateways()]).toEqual([]);
    expect(index.revision).toBe(0);
  });

  it('tells everything at once when it comes, whatever the order of the kinds', () => {
    const { index, take } = listened();
    index.setGateway('ns/web', gateway('x'));
    index.setHTTPProxy('ns/web', proxy(['a', undefined], ['b']));
    index.setNamespace('ns', true);
    index.setConnector('ns/a', connector());
    index.markSynced();
    expect(take()).toEqual(['proxy ns/web online,-,ConnectorNotFound', 'gateway ns/web added x', 'synced']);
    expect(index.gateway('ns/web')).toMatchObject({ stampable: true, intent: index.intent('ns/web') });
    expect(index.intents('ns/web')).toEqual([index.intent('ns/web')]);
    index.markSynced();
    expect(take()).toEqual([]);
  });

  it('tells a later listener the same', () => {
    const { index } = synced();
    const heard: string[] = [];
    index.subscribe({
      proxy: (key) => heard.push(key),
      gateway: (_key, _state, change) => heard.push(change),
      synced: () => heard.push('synced'),
    });
    expect(heard).toEqual(['ns/web', 'added', 'synced']);
  });
});

describe('a connector', () => {
  it('moves the HTTPProxies through it and their Gateways, and no other', () => {
    const { index, take } = synced();
    index.setConnector('ns/b', connector());
    index.setConnector('other/a', connector());
    index.setHTTPProxy('ns/shop', proxy(['b']));
    take();
    const before = index.revision;
    index.setConnector('ns/a', connector({ ready: 'False' }));
    expect(take()).toEqual(['proxy ns/web NotReady', 'gateway ns/web intent -']);
    expect(index.revision).toBe(before + 1);
    index.setConnector('other/a', undefined);
    expect(take()).toEqual([]);
  });

  it.each([
    { name: 'a heartbeat in its status', next: connector({ beat: 'https://relay-2.example.com' }) },
    { name: 'the same again', next: connector() },
    { name: 'its age', next: connector({ createdAt: '2026-02-01T00:00:00Z' }) },
    { name: 'its project', next: connector({ project: 'cluster-globex' }) },
  ])('$name changes nothing and bumps nothing', ({ next }) => {
    const { index, take } = synced();
    const { revision } = index;
    const program = index.proxy('ns/web');
    index.setConnector('ns/a', next);
    expect(take()).toEqual([]);
    expect(index.revision).toBe(revision);
    expect(index.proxy('ns/web')).toBe(program);
  });

  it('with the same mirrored status is not read again; with another it is', () => {
    const { index, take } = synced();
    index.setConnector('ns/a', { ...connector(), status: { conditions: [] } });
    expect(take()).toEqual([]);
    index.setConnector('ns/a', connector({ nodeId: nodeB }));
    expect(take()).toEqual(['proxy ns/web online', 'gateway ns/web intent -']);
    expect(index.proxy('ns/web')?.rules[0]?.backends[0]?.nodeId).toBe(nodeB);
  });

  it('whose annotation cannot be read is judged by its live status, each time', () => {
    const { index, take } = synced();
    const metadata = { annotations: { [annotations.upstreamStatus]: '{"conditions":' } };
    index.setConnector('ns/a', { metadata, status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    expect(take()[0]).toBe('proxy ns/web NotReady');
    index.setConnector('ns/a', { metadata, status: {} });
    expect(take()).toEqual(['proxy ns/web NoStatus']);
  });

  it('whose reason alone changes moves the program, not the intent', () => {
    const { index, take } = synced();
    index.setConnector('ns/a', connector({ ready: 'False' }));
    const { intent } = index.proxy('ns/web') ?? {};
    take();
    index.setConnector('ns/a', undefined);
    expect(take()).toEqual(['proxy ns/web ConnectorNotFound']);
    expect(index.intent('ns/web')).toBe(intent);
  });
});

describe('an HTTPProxy', () => {
  it('that goes through another connector no longer moves with the first', () => {
    const { index, take } = synced();
    index.setConnector('ns/b', connector({ nodeId: nodeB }));
    index.setHTTPProxy('ns/web', proxy(['b']));
    take();
    index.setConnector('ns/a', undefined);
    expect(take()).toEqual([]);
    index.setConnector('ns/b', undefined);
    expect(take()).toEqual(['proxy ns/web ConnectorNotFound', 'gateway ns/web intent -']);
  });

  it('that goes leaves its Gateway with the intent none', () => {
    const { index, take } = synced();
    index.setHTTPProxy('ns/web', undefined);
    expect(take()).toEqual(['proxy ns/web gone', 'gateway ns/web intent -']);
    expect(index.gateway('ns/web')?.intent).toBe(noIntent);
  });

  it('has an intent without a Gateway', () => {
    const { index } = synced();
    index.setHTTPProxy('ns/alone', proxy(['a']));
    expect(index.intent('ns/alone')).toBe(index.intent('ns/web'));
    expect(index.gateway('ns/alone')).toBeUndefined();
  });

  it('knows since when its intent is wanted', async () => {
    const { clock, index } = synced();
    await clock.advance(5_000);
    index.setConnector('ns/a', connector({ ready: 'False' }));
    const { since } = index.proxy('ns/web') ?? {};
    expect(since).toBe(clock.monotonic());
    await clock.advance(5_000);
    index.setConnector('ns/a', undefined);
    expect(index.proxy('ns/web')?.since).toBe(since);
  });

  it('whose change decides nothing is told to nobody', () => {
    const { index, take } = synced();
    index.setHTTPProxy('ns/web', { ...proxy(['a']), metadata: { generation: 2 } } as never);
    expect(take()).toEqual([]);
  });
});

describe('a Gateway', () => {
  it('is told of with its stamp, whoever wrote it', () => {
    const { index, take } = synced();
    const { revision } = index;
    index.setGateway('ns/web', gateway('anything'));
    index.setGateway('ns/web', gateway('anything'));
    expect(take()).toEqual(['gateway ns/web stamp anything']);
    expect(index.revision).toBe(revision + 1);
    index.setGateway('ns/web', undefined);
    expect(take()).toEqual(['gateway ns/web deleted -']);
  });

  it.each([
    { name: 'class and namespace fit', className: 'edge', mapped: true, want: true },
    { name: 'another class', className: 'internal', mapped: true, want: false },
    { name: 'a namespace of nobody', className: 'edge', mapped: false, want: false },
  ])('$name → stampable: $want', ({ className, mapped, want }) => {
    const { index } = synced();
    index.setNamespace('ns', mapped);
    index.setGateway('ns/web', gateway('x', className));
    expect(index.gateway('ns/web')?.stampable).toBe(want);
  });

  it('hears of its namespace, before and after', () => {
    const { index, take } = synced();
    index.setGateway('other/x', gateway());
    take();
    index.setNamespace('ns', false);
    index.setNamespace('ns', false);
    expect(take()).toEqual(['gateway ns/web other -']);
    expect(index.gateway('ns/web')?.stampable).toBe(false);
    expect(index.gateway('ns/web')?.intent).toBe(index.intent('ns/web'));
  });

  it('reads its stamp from the key that is set', () => {
    const { index } = synced({ stampKey: 'gateway.envoyproxy.io/mine' });
    index.setGateway('ns/web', {
      metadata: { annotations: { 'gateway.envoyproxy.io/mine': 'x', [annotations.intent]: 'y' } },
    });
    expect(index.gateway('ns/web')?.stamp).toBe('x');
  });
});

describe('the intents of this process', () => {
  it('are the last 16, each once, newest first', () => {
    const { index } = synced();
    const wanted: string[] = [index.intent('ns/web')];
    for (let node = 0; node < 20; node++) {
      index.setConnector('ns/a', connector({ nodeId: node.toString(16).padStart(64, '0') }));
      wanted.unshift(index.intent('ns/web'));
    }
    expect(index.intents('ns/web')).toEqual(wanted.slice(0, 16));
    index.setConnector('ns/a', connector({ nodeId: '12'.padStart(64, '0') }));
    expect(index.intents('ns/web').slice(0, 3)).toEqual([wanted[1], wanted[0], wanted[2]]);
    expect(index.intents('ns/web')).toHaveLength(16);
  });

  it('begin with what was wanted at the sync, and with none where there was nothing', () => {
    const { index } = synced();
    expect(index.intents('ns/web')).toEqual([index.intent('ns/web')]);
    expect(index.intents('ns/new')).toEqual([noIntent]);
    index.setHTTPProxy('ns/new', proxy(['a']));
    expect(index.intents('ns/new')).toEqual([index.intent('ns/new'), noIntent]);
  });

  it('are kept while HTTPProxy or Gateway is there, and no longer', () => {
    const { index } = synced();
    const intent = index.intent('ns/web');
    index.setHTTPProxy('ns/web', undefined);
    expect(index.intents('ns/web')).toEqual([noIntent, intent]);
    index.setGateway('ns/web', undefined);
    expect(index.intents('ns/web')).toEqual([noIntent]);
  });
});

describe('C15: a node id of two projects', () => {
  const elder = connector({ project: 'cluster-acme', createdAt: '2026-01-01T00:00:00Z' });
  const younger = connector({ project: 'cluster-globex', createdAt: '2026-01-02T00:00:00Z' });

  it('is counted, and allowed by default', () => {
    const { index } = synced();
    index.setConnector('other/b', younger);
    index.setHTTPProxy('other/b', proxy(['b']));
    expect(index.sharedNodeIds).toBe(1);
    expect(index.proxy('other/b')?.rules[0]?.backends[0]?.state).toBe('online');
  });

  it('puts the younger offline where it is refused, until the elder goes', () => {
    const { index, take } = synced({ sharedNodeIds: 'refuse' });
    index.setHTTPProxy('other/b', proxy(['b']));
    index.setConnector('other/b', younger);
    take();
    index.setConnector('ns/a', elder);
    expect(index.proxy('other/b')?.rules[0]?.backends[0]).toMatchObject({ state: 'offline', reason: 'NodeIdTaken' });
    expect(index.census()).toEqual({ online: 1, offline: 1, unknown: 0 });
    index.setConnector('ns/a', undefined);
    expect(take()).toEqual(['proxy ns/web ConnectorNotFound', 'gateway ns/web intent -', 'proxy other/b online']);
    expect(index.sharedNodeIds).toBe(0);
    expect(index.census()).toEqual({ online: 1, offline: 0, unknown: 1 });
  });

  it('is taken from a connector that was online by an elder that comes later', () => {
    const { index, take } = synced({ sharedNodeIds: 'refuse' });
    index.setConnector('other/b', connector({ project: 'cluster-b', createdAt: '2025-01-01T00:00:00Z' }));
    expect(take()).toEqual(['proxy ns/web NodeIdTaken', 'gateway ns/web intent -']);
    index.setConnector('other/b', connector({ project: 'cluster-b', nodeId: nodeB }));
    expect(take()).toEqual(['proxy ns/web online', 'gateway ns/web intent -']);
    expect(index.proxy('ns/web')?.rules[0]?.backends[0]?.nodeId).toBe(nodeA);
  });

  it('does not make online what is not ready', () => {
    const { index } = synced({ sharedNodeIds: 'refuse' });
    index.setConnector('other/b', connector({ project: 'cluster-b', createdAt: '2025-01-01T00:00:00Z' }));
    index.setConnector('ns/a', connector({ ready: 'False' }));
    expect(index.proxy('ns/web')?.rules[0]?.backends[0]?.reason).toBe('NotReady');
  });
});

describe('listeners', () => {
  it('read an index that has the whole change', () => {
    const { index } = synced();
    index.setHTTPProxy('ns/shop', proxy(['a']));
    const seen: (string | undefined)[] = [];
    index.subscribe({ proxy: () => seen.push(...[...index.proxies()].map(states)) });
    seen.splice(0);
    index.setConnector('ns/a', connector({ ready: 'False' }));
    expect(seen).toEqual(['NotReady', 'NotReady', 'NotReady', 'NotReady']);
  });

  it('keep nothing from each other when one throws, and hear no more when disposed', () => {
    const { index, take } = synced();
    const broken = index.subscribe({
      gateway: (_key, _state, change) => {
        if (change === 'stamp') throw new Error('broken');
      },
    });
    const later: string[] = [];
    const last = index.subscribe({ gateway: (key, state) => later.push(`${key} ${state?.stamp}`) });
    later.splice(0);
    expect(() => index.setGateway('ns/web', gateway('1'))).toThrow('broken');
    expect(later).toEqual(['ns/web 1']);
    expect(take()).toEqual(['gateway ns/web stamp 1']);
    broken[Symbol.dispose]();
    last[Symbol.dispose]();
    index.setGateway('ns/web', gateway('2'));
    expect(later).toEqual(['ns/web 1']);
  });
});
