/**
 * A conflict is answered by retrying at once, which melts the API, or by a back-off that goes on sleeping for minutes.
 * Source: Kong/kong-operator#4004; datum-cloud/network-services-operator#166, PR #303; traefik/traefik#13743.
 * Cause:  a 409 was either no error at all, or an error like any other.
 * Guard:  a conflict reads and decides again after a short fixed time, whatever events come meanwhile; it does not count as a failure.
 */
import { ConfigMap } from '@lifeline/core';
import { Refusal } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { seconds, World } from './world.ts';

const conflict = new Refusal({ code: 409, reason: 'Conflict', message: 'the object has been modified' });

it('C45: against a writer that is always faster: ten tries a second at most, and done soon after it stops', async () => {
  await using world = new World();
  world.edit('p1', 'web', { v: '1' });
  world.start();
  await world.after(seconds(30));
  const bump = (count: number): void => {
    const [copy] = world.target.objects(ConfigMap);
    if (copy)
      world.target.put(ConfigMap, {
        ...copy,
        metadata: { ...copy.metadata, annotations: { ...copy.metadata.annotations, count: String(count) } },
      });
  };

  world.target.refuse = ({ verb }) => (verb === 'apply' ? conflict : undefined);
  world.edit('p1', 'web', { v: '2' });
  const before = world.writes().length;
  for (let count = 0; count < 100; count++) {
    bump(count);
    await world.after(20);
  }
  const tries = world.writes().slice(before);
  expect(tries.length).toBeGreaterThan(10);
  expect(tries.length).toBeLessThanOrEqual(21);
  expect(Math.min(...tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0)))).toBeGreaterThanOrEqual(100);

  world.target.refuse = () => undefined;
  await world.after(200);
  expect(world.copies()).toEqual({ 'p1 default/web': { v: '2' } });
  expect(world.differences()).toEqual([]);
  await world.after(seconds(30));
  expect(world.writes().length - before - tries.length).toBe(1);
});

it('C45: against a writer that changes what is ours: ten writes a second at most, and the last word soon after it stops', async () => {
  await using world = new World();
  world.edit('p1', 'web', { v: '1' });
  world.start();
  await world.after(seconds(30));
  const before = world.writes().length;
  for (let count = 0; count < 100; count++) {
    const [copy] = world.target.objects(ConfigMap);
    if (copy) world.target.put(ConfigMap, { ...copy, data: { v: `theirs ${count}` } });
    await world.after(20);
  }
  const writes = world.writes().length - before;
  expect(writes).toBeGreaterThan(10);
  expect(writes).toBeLessThanOrEqual(21);
  await world.after(200);
  expect(world.differences()).toEqual([]);
});
