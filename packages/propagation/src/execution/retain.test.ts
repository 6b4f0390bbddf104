import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordManagedKeys } from '../binding/managed-keys.ts';
import type { Manifest, StringMap } from '../manifest.ts';
import { annotations, labels } from '../words.ts';
import { hasDrifted, looksForeign, versionOf } from './drift.ts';
import { withoutKarmada } from './preserve.ts';
import { differs, replacement } from './retain.ts';

const object = (metadata: Partial<Manifest['metadata']> = {}, rest: Partial<Manifest> = {}): Manifest => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { namespace: 't1', name: 'a', ...metadata },
  spec: { size: 1 },
  ...rest,
});

const desired = (keys: { labels?: StringMap; annotations?: StringMap } = {}): Manifest =>
  recordManagedKeys(
    object({
      labels: { [labels.managed]: 'true', ...keys.labels },
      annotations: { ...keys.annotations },
    }),
  );

/** As a member's API server holds what it was sent. */
const stored = (sent: Manifest, metadata: Partial<Manifest['metadata']> = {}): Manifest => ({
  ...sent,
  metadata: { ...sent.metadata, uid: 'm', resourceVersion: '5', generation: 1, creationTimestamp: 'x', ...metadata },
});

describe('rule 15: what is sent', () => {
  it('takes resourceVersion, finalizers and owners from the member', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' };
    const observed = stored(desired(), { finalizers: ['m'], ownerReferences: [owner] });
    const body = replacement(desired({ annotations: { a: '2' } }), observed);
    expect(body.metadata).toMatchObject({ resourceVersion: '5', finalizers: ['m'], ownerReferences: [owner] });
    expect(body.metadata).not.toHaveProperty('uid');
    expect(body.metadata).not.toHaveProperty('generation');
  });

  it.each([
    { name: 'kept: only the member has it', hub: {}, before: {}, member: { b: 'm' }, want: { b: 'm' } },
    { name: 'the hub wins', hub: { a: 'h' }, before: { a: 'h' }, member: { a: 'm' }, want: { a: 'h' } },
    {
      name: 'the hub brings a key that the member had',
      hub: { b: 'h' },
      before: {},
      member: { b: 'm' },
      want: { b: 'h' },
    },
    { name: 'the hub takes back what it brought', hub: {}, before: { a: 'h' }, member: { a: 'h' }, want: {} },
    { name: '… whatever the member made of it', hub: {}, before: { a: 'h' }, member: { a: 'm' }, want: {} },
    { name: 'put back', hub: { a: 'h' }, before: { a: 'h' }, member: {}, want: { a: 'h' } },
    {
      name: 'a key called __proto__',
      hub: {},
      before: {},
      member: JSON.parse('{"__proto__":"m"}') as StringMap,
      want: JSON.parse('{"__proto__":"m"}') as StringMap,
    },
  ])('keys: $name', ({ hub, before, member, want }) => {
    for (const of of ['labels', 'annotations'] as const) {
      const observed = stored(desired({ [of]: before }));
      const own = Object.entries(observed.metadata[of] ?? {}).filter(([key]) => !Object.hasOwn(before, key));
      const edited = stored(observed, { [of]: { ...Object.fromEntries(own), ...member } });
      const wanted = desired({ [of]: hub });
      const body = replacement(wanted, edited);
      expect(body.metadata[of]).toEqual({ ...wanted.metadata[of], ...want });
    }
  });

  it('lost lists: nothing is taken back, since nothing is known to have been brought', () => {
    const observed = stored(desired({ annotations: { a: 'h' } }));
    const { [annotations.managedAnnotations]: _, ...left } = observed.metadata.annotations ?? {};
    const body = replacement(desired(), stored(observed, { annotations: left }));
    expect(body.metadata.annotations).toMatchObject({ a: 'h' });
  });

  it('content is the hub’s, whole, unless the hook keeps some', () => {
    const observed = stored(desired(), {});
    const edited = { ...observed, spec: { size: 9, nodes: ['n'] } };
    expect(replacement(desired(), edited).spec).toEqual({ size: 1 });
    const keepNodes = (body: Manifest, seen: Manifest): Manifest => ({
      ...body,
      spec: { ...(body.spec as object), nodes: (seen.spec as { nodes: string[] }).nodes },
    });
    expect(replacement(desired(), edited, keepNodes).spec).toEqual({ size: 1, nodes: ['n'] });
  });

  it('sends nothing when nothing that is carried differs', () => {
    const observed = {
      ...stored(desired(), { finalizers: ['m'], labels: { ...desired().metadata.labels, own: 'm' } }),
      status: { ready: 1 },
    };
    expect(differs(replacement(desired(), observed), observed)).toBe(false);
    const edited = { ...observed, spec: { size: 2 } };
    expect(differs(replacement(desired(), edited), edited)).toBe(true);
  });

  it('sent once, it does not differ any more, and the member’s own keys are as they were', () => {
    const map = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(map, map, map, (before, member, hub) => {
        const observed = stored(desired({ labels: before, annotations: before }));
        const edited = stored(observed, {
          labels: { ...observed.metadata.labels, ...member },
          annotations: { ...observed.metadata.annotations, ...member },
        });
        const wanted = desired({ labels: hub, annotations: hub });
        const body = replacement(wanted, edited);
        const after = stored(body, { resourceVersion: '6' });
        expect(differs(replacement(wanted, after), after)).toBe(false);
        for (const [key, value] of Object.entries(member)) {
          if (!Object.hasOwn(hub, key) && !Object.hasOwn(before, key))
            expect(after.metadata.labels).toHaveProperty(key, value);
        }
        for (const key of Object.keys(before)) {
          if (!Object.hasOwn(hub, key)) expect(after.metadata.annotations).not.toHaveProperty(key);
        }
      }),
      { seed: 15, numRuns: 300 },
    );
  });
});

describe('rule 17: what counts as drift', () => {
  const mine = stored(desired({ labels: { l: 'h' }, annotations: { a: 'h' } }));
  const edits: readonly { name: string; now: Manifest; drifts: boolean; foreign: boolean }[] = [
    { name: 'spec', now: stored({ ...mine, spec: { size: 2 } }, { generation: 2 }), drifts: true, foreign: true },
    {
      name: 'annotation',
      now: stored(mine, { annotations: { ...mine.metadata.annotations, a: 'm' } }),
      drifts: true,
      foreign: false,
    },
    { name: 'label', now: stored(mine, { labels: { ...mine.metadata.labels, l: 'm' } }), drifts: true, foreign: true },
    { name: 'status', now: { ...mine, status: { ready: 1 } }, drifts: false, foreign: false },
    { name: 'finalizer', now: stored(mine, { finalizers: ['m'] }), drifts: false, foreign: false },
    {
      name: 'owner',
      now: stored(mine, { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'o', uid: 'o' }] }),
      drifts: false,
      foreign: false,
    },
    { name: 'nothing', now: stored(mine, { resourceVersion: '9' }), drifts: false, foreign: false },
  ];

  it.each(edits)('$name: new engine $drifts, old engine $foreign', ({ now, drifts, foreign }) => {
    expect(hasDrifted(mine, now)).toBe(drifts);
    const wanted = desired({ labels: { l: 'h' }, annotations: { a: 'h' } });
    expect(looksForeign(wanted, now, versionOf(mine))).toBe(foreign);
  });

  it('the old engine goes by resourceVersion where there is no generation', () => {
    const { generation: _, ...metadata } = mine.metadata;
    const config = { ...mine, metadata };
    expect(versionOf(config)).toBe('rv:5');
    const touched = { ...config, metadata: { ...metadata, resourceVersion: '6' } };
    expect(looksForeign(desired(), touched, versionOf(config))).toBe(true);
  });
});

it('rule 27: nothing of Karmada’s is left but the conflict resolution', () => {
  const left = withoutKarmada(
    stored(desired({ labels: { own: '1' }, annotations: { a: '1', [annotations.conflictResolution]: 'abort' } })),
  );
  expect(left.metadata.labels).toEqual({ own: '1' });
  expect(left.metadata.annotations).toEqual({ a: '1', [annotations.conflictResolution]: 'abort' });
});
