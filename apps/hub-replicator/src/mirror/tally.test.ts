import { createMetrics, type Metrics } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { Tallies } from './tally.ts';

const counts = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => /^lifeline_\S+ \d+$/.test(line));

describe('Tallies', () => {
  it('count objects, and say when one is new', async () => {
    const metrics = createMetrics();
    const { truncated } = new Tallies(metrics);
    const count = async (): Promise<string | undefined> =>
      (await counts(metrics)).find((line) => line.startsWith('lifeline_mirror_truncated'))?.slice(-1);
    expect(await count()).toBe('0');
    expect([truncated.set('p1', 'a', true), truncated.set('p1', 'a', true), truncated.set('p2', 'a', true)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await count()).toBe('2');
    expect(truncated.set('p1', 'a', false)).toBe(false);
    expect(truncated.set('p1', 'never', false)).toBe(false);
    expect(await count()).toBe('1');
    truncated.drop('p2');
    truncated.drop('p2');
    expect(await count()).toBe('0');
  });

  it('forget an object, and a whole cluster, in every count', async () => {
    const metrics = createMetrics();
    const tallies = new Tallies(metrics);
    const { truncated, held, shortened, unserved } = tallies;
    for (const tally of [truncated, held, shortened, unserved])
      for (const key of ['a', 'b']) for (const cluster of ['p1', 'p2']) tally.set(cluster, key, true);
    const values = async (): Promise<readonly string[]> => (await counts(metrics)).map((line) => line.slice(-1));
    expect(await values()).toEqual(['4', '4', '4', '4']);
    tallies.forget('p1', 'a');
    expect(await values()).toEqual(['3', '3', '3', '3']);
    tallies.drop('p2');
    expect(await values()).toEqual(['1', '1', '1', '1']);
  });
});
