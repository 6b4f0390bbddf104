import { describe, expect, it } from 'vitest';
import type { ClusterTarget, FleetControl } from '../fleet/cluster.ts';
import { shardedSource } from './sharded-source.ts';
import type { ShardListener, Shards } from './shards.ts';

interface World {
  /** What the source says. */
  readonly source: FleetControl;
  /** What became of it, in order. */
  readonly calls: string[];
  /** Clusters whose endpoint is none. */
  readonly refuses: Set<string>;
  readonly tell: ShardListener;
  readonly listeners: () => number;
  readonly stop: () => Promise<void>;
}

/** Clusters are called by their shard: `1-a` lies in shard 1. */
function setUp(held: readonly number[] = []): World {
  const calls: string[] = [];
  const listeners = new Set<ShardListener>();
  const shards = {
    shardOf: (cluster: string) => Number(cluster.split('-')[0]),
    subscribe: (listener: ShardListener) => {
      listeners.add(listener);
      for (const shard of held) listener(shard, 'held');
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  } as unknown as Shards;
  const refuses = new Set<string>();
  const fleet: FleetControl = {
    engage: (name, { identity }) => {
      if (refuses.has(name)) throw new TypeError('Invalid URL');
      calls.push(`engage ${name} ${identity ?? ''}`.trim());
    },
    suspend: (name) => calls.push(`suspend ${name}`),
    disengage: (name) => calls.push(`disengage ${name}`),
  };
  let source: FleetControl | undefined;
  const end = Promise.withResolvers<void>();
  const running = shardedSource((control) => ((source = control), end.promise), shards)(
    fleet,
    new AbortController().signal,
  );
  return {
    source: source as unknown as FleetControl,
    calls,
    refuses,
    tell: (shard, change) => {
      for (const listener of listeners) listener(shard, change);
    },
    listeners: () => listeners.size,
    stop: async () => (end.resolve(), running),
  };
}

const target = (identity?: string): ClusterTarget => ({ endpoint: { server: 'https://a' }, identity });

describe('shardedSource', () => {
  it('W40: engages only clusters of held shards, the others when their shard comes', () => {
    const { source, calls, tell } = setUp([1]);
    source.engage('1-a', target('u1'));
    source.engage('2-b', target('u2'));
    source.engage('2-c', target('u3'));
    expect(calls.splice(0)).toEqual(['engage 1-a u1']);
    tell(2, 'held');
    expect(calls.splice(0)).toEqual(['engage 2-b u2', 'engage 2-c u3']);
    source.engage('2-b', target('u4'));
    expect(calls).toEqual(['engage 2-b u4']);
  });

  it('suspends what is given back, and disengages it afterwards; what is lost is disengaged at once', () => {
    const { source, calls, tell } = setUp([1, 2]);
    source.engage('1-a', target());
    source.engage('2-b', target());
    calls.length = 0;
    tell(1, 'closing');
    // The source goes on talking: nothing may begin in between.
    source.engage('1-a', target());
    source.engage('1-new', target());
    tell(1, 'gone');
    tell(2, 'gone');
    expect(calls).toEqual(['suspend 1-a', 'disengage 1-a', 'disengage 1-new', 'disengage 2-b']);
  });

  it('a shard that comes back brings what the source last said', () => {
    const { source, calls, tell } = setUp([1]);
    source.engage('1-a', target('old'));
    source.engage('1-b', target());
    source.engage('1-c', target());
    tell(1, 'gone');
    source.engage('1-a', target('new'));
    source.suspend('1-b');
    source.disengage('1-c');
    source.suspend('1-unknown');
    calls.length = 0;
    tell(1, 'held');
    expect(calls).toEqual(['engage 1-a new', 'engage 1-b', 'suspend 1-b']);
    source.engage('1-b', target());
    tell(1, 'gone');
    calls.length = 0;
    tell(1, 'held');
    expect(calls).toEqual(['engage 1-a new', 'engage 1-b']);
  });

  it('one that cannot be engaged stops no other of its shard', () => {
    const { source, calls, tell, refuses } = setUp();
    refuses.add('1-b');
    for (const name of ['1-a', '1-b', '1-c']) source.engage(name, target());
    expect(() => tell(1, 'held')).toThrow('cannot be engaged: 1-b');
    expect(calls).toEqual(['engage 1-a', 'engage 1-c']);
  });

  it('a cluster that goes while its shard is given back is disengaged at once', () => {
    const { source, calls, tell } = setUp([1]);
    source.engage('1-a', target());
    tell(1, 'closing');
    calls.length = 0;
    source.disengage('1-a');
    tell(1, 'gone');
    expect(calls).toEqual(['disengage 1-a']);
  });

  it('listens no longer than its source runs', async () => {
    const { listeners, stop } = setUp();
    expect(listeners()).toBe(1);
    await stop();
    expect(listeners()).toBe(0);
  });
});
