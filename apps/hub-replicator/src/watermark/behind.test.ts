import { type MonotonicMs, monotonicMs } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import type { Cluster, ClusterProvider, InformerStatus } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { BehindProjects } from './behind.ts';

function world() {
  const clock = new VirtualClock();
  const statuses: InformerStatus[] = [{ at: 'synced' }];
  const waiting: { since: MonotonicMs | undefined } = { since: undefined };
  const plane = { name: 'p', informers: () => statuses.map((status) => ({ status })) } as unknown as Cluster;
  const projects = { list: () => [plane] } as unknown as ClusterProvider;
  const behind = new BehindProjects({ clock, projects, oldest: () => waiting.since, graceMs: 30_000 });
  const start = clock.now();
  const secondsAfterStart = () => behind.list().map(({ since }) => (Date.parse(since) - start) / 1000);
  return { clock, statuses, waiting, secondsAfterStart };
}

describe('projects that are behind', () => {
  it('a change that waits for longer than the grace, since it was seen', async () => {
    const { clock, waiting, secondsAfterStart } = world();
    waiting.since = clock.monotonic();
    await clock.advance(30_000);
    expect(secondsAfterStart()).toEqual([]);
    await clock.advance(1);
    expect(secondsAfterStart()).toEqual([0]);
    waiting.since = undefined;
    expect(secondsAfterStart()).toEqual([]);
  });

  it('a server that is not heard, since then', async () => {
    const { clock, statuses, secondsAfterStart } = world();
    await clock.advance(100_000);
    statuses[0] = { at: 'stale', since: monotonicMs(clock.monotonic() - 20_000) };
    expect(secondsAfterStart()).toEqual([80]);
  });

  it('a cache that was never listed, since it was first seen so', async () => {
    const { clock, statuses, secondsAfterStart } = world();
    statuses[0] = { at: 'syncing' };
    expect(secondsAfterStart()).toEqual([0]);
    await clock.advance(50_000);
    expect(secondsAfterStart()).toEqual([0]);
  });

  it('a kind that is not served holds nobody up', () => {
    const { statuses, secondsAfterStart } = world();
    statuses[0] = { at: 'unavailable', reason: 'kind-missing' };
    expect(secondsAfterStart()).toEqual([]);
  });
});
