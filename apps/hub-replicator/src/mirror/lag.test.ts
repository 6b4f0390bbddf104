import { VirtualClock } from '@lifeline/core/testing';
import { createMetrics } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { Lag } from './lag.ts';

const of = (key: string, cluster = 'p1'): { cluster: string; id: string; key: string } => ({
  cluster,
  id: 'Connector',
  key,
});

async function setUp(): Promise<{ clock: VirtualClock; lag: Lag; sum: () => Promise<string | undefined> }> {
  const clock = new VirtualClock();
  const metrics = createMetrics();
  const lag = new Lag({ clock, metrics });
  const sum = async (): Promise<string | undefined> =>
    /lifeline_replication_lag_seconds_(sum \S+)[^]*lifeline_replication_lag_seconds_(count \S+)/
      .exec(await metrics.text())
      ?.slice(1)
      .join(', ');
  return Promise.resolve({ clock, lag, sum });
}

describe('Lag', () => {
  it('measures from when a change was seen to when it was written', async () => {
    const { clock, lag, sum } = await setUp();
    lag.seen(of('a'));
    await clock.advance(2_000);
    const look = lag.begin(of('a'));
    await clock.advance(1_000);
    look.settled({ wrote: true });
    expect(await sum()).toBe('sum 3, count 1');
    expect(lag.oldest('p1')).toBeUndefined();
  });

  it('a change that needs no write, and a write without a change, are not measured', async () => {
    const { lag, sum } = await setUp();
    lag.seen(of('a'));
    lag.begin(of('a')).settled({ wrote: false });
    lag.begin(of('b')).settled({ wrote: true });
    expect(await sum()).toBe('sum 0, count 0');
  });

  it('a failed look loses nothing; a change that comes meanwhile counts for itself', async () => {
    const { clock, lag, sum } = await setUp();
    lag.seen(of('a'));
    await clock.advance(1_000);
    const failing = lag.begin(of('a'));
    lag.seen(of('a'));
    expect(lag.oldest('p1')).toBe(1_000);
    failing.failed();
    expect(lag.oldest('p1')).toBe(0);
    const look = lag.begin(of('a'));
    lag.seen(of('a'));
    look.settled({ wrote: true });
    expect(await sum()).toBe('sum 1, count 1');
    expect(lag.oldest('p1')).toBe(1_000);
  });

  it('what has landed stays landed, whatever fails afterwards', async () => {
    const { clock, lag, sum } = await setUp();
    lag.seen(of('a'));
    await clock.advance(1_000);
    const look = lag.begin(of('a'));
    look.settled({ wrote: true });
    await clock.advance(1_000);
    look.failed();
    look.settled({ wrote: true });
    expect(await sum()).toBe('sum 1, count 1');
    expect(lag.oldest('p1')).toBeUndefined();
  });

  it('tells since when a project is behind, over kinds and objects, until it is dropped', async () => {
    const { clock, lag } = await setUp();
    await clock.advance(5);
    lag.seen(of('late'));
    await clock.advance(5);
    lag.seen(of('a'));
    lag.seen(of('a', 'p2'));
    expect([lag.oldest('p1'), lag.oldest('p2'), lag.oldest('p3')]).toEqual([5, 10, undefined]);
    lag.begin(of('late')).settled({ wrote: false });
    expect(lag.oldest('p1')).toBe(10);
    lag.drop('p1');
    expect(lag.oldest('p1')).toBeUndefined();
  });
});
