import type { JsonObject } from '@lifeline/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap, metadataOf, widget, type WritePlane, writePlane } from '../write/write-plane.fixture.ts';
import { namespaceConditions } from './namespace-conditions.ts';

let plane: WritePlane;
beforeEach(async () => {
  plane = await writePlane();
  await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
});
afterEach(() => plane[Symbol.dispose]());

const namespace = '/api/v1/namespaces/n';
const maps = `${namespace}/configmaps`;
const widgets = '/apis/example.com/v1/namespaces/n/widgets';

const conditions = async (): Promise<Record<string, [string, string]>> => {
  const { status } = (await plane.ask('GET', namespace)).body as { status: { conditions?: Record<string, string>[] } };
  return Object.fromEntries(
    (status.conditions ?? []).map(
      ({ type, status: is, message }) => [type, [is, message]] as [string, [string, string]],
    ),
  );
};

describe('a deleted namespace', () => {
  it('is emptied and goes, a moment later', async () => {
    await plane.ask('POST', maps, configMap('a'));
    await plane.ask('POST', widgets, widget('a'));
    await plane.ask('POST', `${namespace}/events`, { metadata: { name: 'e' }, involvedObject: { namespace: 'n' } });
    const seen: string[] = [];
    using _ = plane.api.tap(
      ({ type, resource, object }) => void seen.push(`${type} ${resource} ${object.metadata.name}`),
    );
    await plane.ask('DELETE', namespace);
    expect(seen).toEqual(['MODIFIED namespaces n']);
    await plane.clock.advance(20);
    expect(seen.slice(1, -2).sort()).toEqual([
      'DELETED configmaps a',
      'DELETED events e',
      'DELETED widgets.example.com a',
    ]);
    expect(seen.slice(-2)).toEqual(['MODIFIED namespaces n', 'DELETED namespaces n']);
    expect(plane.clock.pending).toBe(0);
  });

  it('takes as long as it is told to: five seconds for each step on a real plane', async () => {
    using slow = await writePlane({ namespaceDelayMs: [5000, 5000] });
    const isThere = async (path: string): Promise<boolean> => (await slow.ask('GET', path)).status === 200;
    await slow.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await slow.ask('POST', maps, configMap('a'));
    await slow.ask('POST', maps, configMap('held', { metadata: { finalizers: ['x.dev/f'] } }));
    await slow.ask('DELETE', namespace);
    await slow.clock.advance(4999);
    expect(await isThere(`${maps}/a`)).toBe(true);
    await slow.clock.advance(1);
    expect([await isThere(`${maps}/a`), await isThere(`${maps}/held`)]).toEqual([false, true]);
    await slow.merge(`${maps}/held`, { metadata: { finalizers: null } });
    await slow.clock.advance(4999);
    expect(await isThere(namespace)).toBe(true);
    await slow.clock.advance(1);
    expect(await isThere(namespace)).toBe(false);
  });

  it('leaves other namespaces alone', async () => {
    await plane.ask('POST', '/api/v1/namespaces/default/configmaps', configMap('a'));
    await plane.ask('DELETE', namespace);
    await plane.clock.advance(1000);
    expect((await plane.ask('GET', '/api/v1/namespaces/default/configmaps/a')).status).toBe(200);
    expect((await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })).status).toBe(201);
  });

  it('waits for content with finalizers, and tells so', async () => {
    await plane.ask('POST', maps, configMap('held', { metadata: { finalizers: ['x.dev/f'] } }));
    await plane.ask('POST', widgets, widget('held', { metadata: { finalizers: ['x.dev/f', 'y.dev/g'] } }));
    await plane.ask('DELETE', namespace);
    await plane.clock.advance(3_600_000);
    expect(plane.clock.pending).toBe(0);
    expect(await conditions()).toMatchObject({
      NamespaceDeletionContentFailure: ['False', 'All content successfully deleted, may be waiting on finalization'],
      NamespaceContentRemaining: [
        'True',
        'Some resources are remaining: configmaps. has 1 resource instances, widgets.example.com has 1 resource instances',
      ],
      NamespaceFinalizersRemaining: [
        'True',
        'Some content in the namespace has finalizers remaining: x.dev/f in 2 resource instances, y.dev/g in 1 resource instances',
      ],
    });
    await plane.merge(`${maps}/held`, { metadata: { finalizers: null } });
    await plane.clock.advance(20);
    expect((await conditions())['NamespaceContentRemaining']?.[1]).toBe(
      'Some resources are remaining: widgets.example.com has 1 resource instances',
    );
    await plane.merge(`${widgets}/held`, { metadata: { finalizers: null } });
    await plane.clock.advance(20);
    expect((await plane.ask('GET', namespace)).status).toBe(404);
  });

  it('that has finalizers of its own waits for them when it is empty', async () => {
    await plane.merge(namespace, { metadata: { finalizers: ['x.dev/f'] } });
    await plane.ask('DELETE', namespace);
    await plane.clock.advance(1000);
    const { body } = await plane.ask('GET', namespace);
    expect([body['spec'], metadataOf({ body } as never)['finalizers']]).toEqual([{}, ['x.dev/f']]);
    // Nothing holds it up but that: its end needs no more of us.
    await plane.merge(namespace, { metadata: { finalizers: null } });
    expect((await plane.ask('GET', namespace)).status).toBe(404);
  });

  it('goes on where a restored plane was', async () => {
    await plane.ask('POST', maps, configMap('a'));
    await plane.ask('DELETE', namespace);
    const snapshot = plane.api.snapshot();
    await plane.clock.advance(1000);
    plane.api.restore(snapshot);
    expect((await plane.ask('GET', `${maps}/a`)).status).toBe(200);
    await plane.clock.advance(1000);
    expect((await plane.ask('GET', namespace)).status).toBe(404);
  });
});

describe('namespaceConditions', () => {
  it('keeps what does not change, and the time of what changes its words only', () => {
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const held = (count: number): JsonObject[] =>
      Array.from({ length: count }, () => ({ metadata: { name: 'a', finalizers: ['x.dev/f'] } }));
    const content = (count: number) => [
      { resource: { group: '', plural: 'configmaps' }, objects: held(count) as never },
    ];
    const first = namespaceConditions([], content(2), early);
    expect(namespaceConditions(first, content(2), late)).toBe(first);
    const second = namespaceConditions(first, content(1), late);
    expect(second[3]).toMatchObject({
      message: 'Some resources are remaining: configmaps. has 1 resource instances',
      lastTransitionTime: early,
    });
    const third = namespaceConditions(second, [], late);
    expect(third[3]).toMatchObject({ status: 'False', lastTransitionTime: late });
    expect(third[0]).toBe(first[0]);
  });
});
