import type { StampCause } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Pacer } from './pacer.ts';

function paced() {
  const clock = new VirtualClock();
  const began = clock.monotonic();
  const batches: { readonly atMs: number; readonly keys: readonly string[] }[] = [];
  const settled: string[] = [];
  const state = { isCalling: false };
  const pacer = new Pacer({
    clock,
    isCalling: () => state.isCalling,
    stamp: (keys) => void batches.push({ atMs: clock.monotonic() - began, keys }),
    settled: (keys) => void settled.push(...keys),
  });
  const add = (key: string, group?: string, cause: StampCause = 'intent-changed'): void =>
    pacer.add(key, { group, cause });
  return { clock, pacer, batches, settled, state, add };
}
const keys = (count: number, namespace = 'ns'): string[] =>
  Array.from({ length: count }, (_, i) => `${namespace}/g${String(i).padStart(4, '0')}`);

describe('Gateways that are answered in one call', () => {
  it('the first change goes at once, later ones together after the pause', async () => {
    const { clock, batches, add } = paced();
    add('ns/a', 'edge');
    await clock.advance(10);
    add('ns/b', 'edge');
    await clock.advance(100);
    add('ns/c', 'edge');
    await clock.advance(2_000);
    expect(batches).toEqual([
      { atMs: 0, keys: ['ns/a'] },
      { atMs: 500, keys: ['ns/b', 'ns/c'] },
    ]);
  });

  it('while a call runs changes are gathered', async () => {
    const { clock, batches, state, add } = paced();
    state.isCalling = true;
    add('ns/a', 'edge');
    await clock.advance(150);
    add('ns/b', 'edge');
    await clock.advance(1_000);
    expect(batches).toEqual([{ atMs: 200, keys: ['ns/a', 'ns/b'] }]);
  });

  it.each([
    { count: 50, stamped: 50 },
    { count: 51, stamped: 1 },
  ])('of $count at once $stamped are stamped', async ({ count, stamped }) => {
    const { clock, batches, settled, add } = paced();
    for (const key of keys(count).reverse()) add(key, 'edge');
    await clock.advance(5_000);
    expect(batches.map((batch) => batch.keys)).toEqual([keys(count).slice(0, stamped)]);
    expect(settled).toEqual(keys(count).slice(stamped));
  });

  it('of those that are behind after a start one is stamped for all, the same by every retranslator', async () => {
    const { clock, batches, settled, add } = paced();
    for (const key of ['ns/b', 'ns/a', 'ns/c']) add(key, 'edge', 'not-converged');
    await clock.advance(5_000);
    expect(batches.map((batch) => batch.keys)).toEqual([['ns/a']]);
    expect(settled).toEqual(['ns/b', 'ns/c']);
    add('ns/c', 'edge', 'not-converged');
    add('ns/b', 'edge', 'not-converged');
    await clock.advance(5_000);
    expect(batches.at(-1)?.keys).toEqual(['ns/b', 'ns/c']);
  });

  it('one that has nothing to be stamped for any more is left out', async () => {
    const { clock, pacer, batches, state, add } = paced();
    state.isCalling = true;
    add('ns/a', 'edge');
    add('ns/b', 'edge');
    pacer.drop('ns/a');
    await clock.advance(1_000);
    expect(batches.map((batch) => batch.keys)).toEqual([['ns/b']]);
  });
});

describe('Gateways that are translated each for itself', () => {
  it('a hundred at once, then twenty a second', async () => {
    const { clock, batches, add } = paced();
    for (const key of keys(160)) add(key);
    await clock.advance(10_000);
    const by = (ms: number): number =>
      batches.filter(({ atMs }) => atMs <= ms).reduce((sum, batch) => sum + batch.keys.length, 0);
    expect([by(0), by(999), by(2_000), by(2_999), by(3_000)]).toEqual([100, 119, 140, 159, 160]);
  });

  it('one namespace after the other', async () => {
    const { clock, batches, add } = paced();
    for (const key of keys(150, 'big')) add(key);
    add('small/a');
    await clock.advance(60_000);
    const order = batches.flatMap((batch) => batch.keys);
    // The hundred of the burst, and then its turn.
    expect(order.indexOf('small/a')).toBeLessThan(102);
    expect(order).toHaveLength(151);
  });

  it('one Gateway not more than once in a second', async () => {
    const { clock, batches, add } = paced();
    add('ns/a');
    await clock.advance(300);
    add('ns/a');
    add('ns/b');
    await clock.advance(300);
    add('ns/a');
    await clock.advance(5_000);
    expect(batches).toEqual([
      { atMs: 0, keys: ['ns/a'] },
      { atMs: 300, keys: ['ns/b'] },
      { atMs: 1_000, keys: ['ns/a'] },
    ]);
  });
});
