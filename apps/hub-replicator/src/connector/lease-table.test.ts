import type { Lease } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import type { Informer } from '@lifeline/k8s';
import { expect, it } from 'vitest';
import { LeaseTable } from './lease-table.ts';

/** Of a plane that nothing is heard of. */
const silent = {
  status: { at: 'syncing' },
  following: undefined,
  subscribe: () => ({ [Symbol.dispose]: () => undefined }),
} as unknown as Informer<Lease>;

it('seed 815: a look that ends after the plane has left sets no timer and asks for nothing', async () => {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const table = new LeaseTable({
    informer: silent,
    clock,
    random: seeded('table'),
    enqueue: (key) => void asked.push(key),
  });
  table.judged('default/a', 'fresh');
  expect(clock.pending).toBe(1);
  table[Symbol.dispose]();
  table.judged('default/a', 'expired');
  expect(clock.pending).toBe(0);
  await clock.advance(600_000);
  expect(asked).toEqual([]);
});
