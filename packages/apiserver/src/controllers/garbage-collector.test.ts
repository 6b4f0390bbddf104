import type { JsonObject, JsonValue, OwnerReference, Random } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  configMap,
  configMaps,
  metadataOf,
  realm,
  realms,
  widget,
  widgets,
  type WritePlane,
  writePlane,
} from '../write/write-plane.fixture.ts';

let plane: WritePlane;
beforeEach(async () => void (plane = await writePlane()));
afterEach(() => plane[Symbol.dispose]());

const kindsOf = {
  [configMaps]: ['v1', 'ConfigMap'],
  [widgets]: ['example.com/v1', 'Widget'],
  [realms]: ['example.com/v1', 'Realm'],
} as const;

/** Creates an object, and says how to own by it. */
async function made(all: keyof typeof kindsOf, name: string, metadata: JsonObject = {}): Promise<OwnerReference> {
  const make = { [configMaps]: configMap, [widgets]: widget, [realms]: realm }[all];
  const answer = await plane.ask('POST', all, make(name, { metadata }));
  expect(answer.status).toBe(201);
  const [apiVersion, kind] = kindsOf[all];
  return { apiVersion, kind, name, uid: metadataOf(answer)['uid'] as string };
}

const ownedBy = (...owners: readonly (OwnerReference & JsonObject)[]): JsonObject => ({ ownerReferences: owners });
const as = (owner: OwnerReference, fields: JsonObject = {}): OwnerReference & JsonObject =>
  ({ ...owner, ...fields }) as OwnerReference & JsonObject;
const remove = (path: string, policy = 'Background') =>
  plane.ask('DELETE', path, undefined, { query: `propagationPolicy=${policy}` });
const isThere = async (path: string): Promise<boolean> => (await plane.ask('GET', path)).status === 200;
const settled = () => plane.clock.advance(1000);

describe('dependents', () => {
  it('go when their owner went, a moment later', async () => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(owner)));
    await settled();
    await remove(`${configMaps}/owner`);
    expect(await isThere(`${configMaps}/dependent`)).toBe(true);
    await plane.clock.advance(20);
    expect(await isThere(`${configMaps}/dependent`)).toBe(false);
  });

  it('go after as long as is drawn', async () => {
    const gone: number[] = [];
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      plane[Symbol.dispose]();
      plane = await writePlane({ seed, collectorDelayMs: [500, 2000] });
      const owner = await made(configMaps, 'owner');
      await made(configMaps, 'dependent', ownedBy(as(owner)));
      await plane.clock.advance(10_000);
      const start = plane.clock.now();
      using _ = plane.api.tap(({ object }) => {
        if (object.metadata.name === 'dependent') gone.push(plane.clock.now() - start);
      });
      await remove(`${configMaps}/owner`);
      await plane.clock.advance(10_000);
    }
    expect(gone).toHaveLength(8);
    expect([Math.min(...gone) >= 500, Math.max(...gone) <= 2000]).toEqual([true, true]);
    expect(Math.max(...gone) - Math.min(...gone)).toBeGreaterThan(300);
  });

  it('of dependents go too', async () => {
    const first = await made(configMaps, 'first');
    const second = await made(widgets, 'second', ownedBy(as(first)));
    await made(configMaps, 'third', ownedBy(as(second)));
    await remove(`${configMaps}/first`);
    await settled();
    expect([await isThere(`${widgets}/second`), await isThere(`${configMaps}/third`)]).toEqual([false, false]);
  });

  it('with another owner stay, without the one that went', async () => {
    const [one, two] = [await made(configMaps, 'one'), await made(configMaps, 'two')];
    await made(configMaps, 'dependent', ownedBy(as(one), as(two)));
    await remove(`${configMaps}/one`);
    await settled();
    expect(metadataOf(await plane.ask('GET', `${configMaps}/dependent`))['ownerReferences']).toEqual([two]);
  });

  it.each<[string, (owner: OwnerReference) => OwnerReference]>([
    ['never was', () => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'u' })],
    ['has another uid', (owner) => ({ ...owner, uid: 'u' })],
    ['is of another kind', (owner) => ({ ...owner, kind: 'Secret' })],
  ])('of an owner that %s go', async (_, reference) => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(reference(owner))));
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(false);
    expect(await isThere(`${configMaps}/owner`)).toBe(true);
  });

  it('of an owner in another namespace go: it does not count', async () => {
    const owner = await made(configMaps, 'owner');
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await plane.ask(
      'POST',
      '/api/v1/namespaces/other/configmaps',
      configMap('dependent', { metadata: ownedBy(as(owner)) }),
    );
    await settled();
    expect(await isThere('/api/v1/namespaces/other/configmaps/dependent')).toBe(false);
  });

  it('in a namespace may have owners of the cluster; of the cluster, none in a namespace', async () => {
    const cluster = await made(realms, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(cluster)));
    const map = await made(configMaps, 'owner');
    await made(realms, 'dependent', ownedBy(as(map)));
    await remove(`${configMaps}/owner`);
    await settled();
    expect([await isThere(`${configMaps}/dependent`), await isThere(`${realms}/dependent`)]).toEqual([true, true]);
    await remove(`${realms}/owner`);
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(false);
  });

  it('of owners of a kind that is not served wait for it', async () => {
    const owner = { apiVersion: 'later.dev/v1', kind: 'Thing', name: 'a', uid: 'u' };
    await made(configMaps, 'dependent', ownedBy(owner));
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(true);
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    await plane.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.later.dev' },
      spec: {
        group: 'later.dev',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [version],
      },
    });
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(false);
  });

  it('wait for their own finalizers', async () => {
    const owner = await made(configMaps, 'owner');
    await made(widgets, 'dependent', { ...ownedBy(as(owner)), finalizers: ['x.dev/f'] });
    await remove(`${configMaps}/owner`);
    await settled();
    expect(metadataOf(await plane.ask('GET', `${widgets}/dependent`))['deletionTimestamp']).toBeDefined();
    await plane.merge(`${widgets}/dependent`, { metadata: { finalizers: null } });
    expect(await isThere(`${widgets}/dependent`)).toBe(false);
  });
});

describe('foreground', () => {
  it('the owner waits for those that block it, and for no others', async () => {
    const owner = await made(widgets, 'owner');
    await made(widgets, 'blocking', { ...ownedBy(as(owner, { blockOwnerDeletion: true })), finalizers: ['x.dev/f'] });
    await made(widgets, 'beside', { ...ownedBy(as(owner)), finalizers: ['x.dev/f'] });
    await remove(`${widgets}/owner`, 'Foreground');
    await settled();
    expect([await isThere(`${widgets}/owner`), await isThere(`${widgets}/blocking`)]).toEqual([true, true]);
    await plane.merge(`${widgets}/blocking`, { metadata: { finalizers: null } });
    await settled();
    expect([await isThere(`${widgets}/owner`), await isThere(`${widgets}/beside`)]).toEqual([false, true]);
  });

  it('goes down through the dependents', async () => {
    const first = await made(configMaps, 'first');
    const second = await made(configMaps, 'second', ownedBy(as(first, { blockOwnerDeletion: true })));
    await made(configMaps, 'third', ownedBy(as(second, { blockOwnerDeletion: true })));
    const gone: string[] = [];
    using _ = plane.api.tap(({ type, object }) => void (type === 'DELETED' && gone.push(object.metadata.name)));
    await remove(`${configMaps}/first`, 'Foreground');
    await settled();
    expect(gone).toEqual(['third', 'second', 'first']);
  });

  it('does not hang in a circle', async () => {
    const first = await made(configMaps, 'first');
    const second = await made(configMaps, 'second', ownedBy(as(first, { blockOwnerDeletion: true })));
    await plane.merge(`${configMaps}/first`, { metadata: ownedBy(as(second, { blockOwnerDeletion: true })) });
    await remove(`${configMaps}/first`, 'Foreground');
    await settled();
    expect([await isThere(`${configMaps}/first`), await isThere(`${configMaps}/second`)]).toEqual([false, false]);
  });

  it('a dependent that another owner keeps is let go', async () => {
    const [one, two] = [await made(configMaps, 'one'), await made(configMaps, 'two')];
    await made(configMaps, 'dependent', ownedBy(as(one, { blockOwnerDeletion: true }), as(two)));
    await remove(`${configMaps}/one`, 'Foreground');
    await settled();
    expect(await isThere(`${configMaps}/one`)).toBe(false);
    expect(metadataOf(await plane.ask('GET', `${configMaps}/dependent`))['ownerReferences']).toEqual([two]);
  });
});

describe('orphans', () => {
  it('stay, without their owner, and nobody owns the change', async () => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(owner)));
    await remove(`${configMaps}/owner`, 'Orphan');
    await settled();
    expect(await isThere(`${configMaps}/owner`)).toBe(false);
    const metadata = metadataOf(await plane.ask('GET', `${configMaps}/dependent`));
    expect([metadata['ownerReferences'], metadata['deletionTimestamp']]).toEqual([undefined, undefined]);
  });
});

describe('at rest', () => {
  it('there is no timer', async () => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(owner)));
    await remove(`${configMaps}/owner`);
    await settled();
    const waiting = plane.clock.pending;
    await plane.clock.advance(3_600_000);
    expect([waiting, plane.clock.pending]).toEqual([0, 0]);
  });

  it('nothing is done after the end', async () => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(owner)));
    await remove(`${configMaps}/owner`);
    plane[Symbol.dispose]();
    expect(plane.clock.pending).toBe(0);
  });

  it('a restored plane is looked at anew', async () => {
    const owner = await made(configMaps, 'owner');
    await made(configMaps, 'dependent', ownedBy(as(owner)));
    await settled();
    const snapshot = plane.api.snapshot();
    await remove(`${configMaps}/owner`);
    await settled();
    plane.api.restore(snapshot);
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(true);
    await remove(`${configMaps}/owner`);
    await settled();
    expect(await isThere(`${configMaps}/dependent`)).toBe(false);
  });
});

describe('any graph of owners', () => {
  /** At rest, what has owners has one that is there, refers to none that is not, and nothing waits for nothing. */
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('ends where everything has what keeps it: seed %i', async (seed) => {
    const random: Random = seeded(`owners ${seed}`);
    const owners: OwnerReference[] = [];
    for (let i = 0; i < 12; i++) {
      const chosen = owners
        .filter(() => random.int(4) === 0)
        .map((owner) => as(owner, random.int(2) === 0 ? { blockOwnerDeletion: true } : {}));
      const absent =
        random.int(6) === 0 ? [as({ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: `u${i}` })] : [];
      const metadata = [...chosen, ...absent].length > 0 ? ownedBy(...chosen, ...absent) : {};
      owners.push(await made(random.int(2) === 0 ? configMaps : widgets, `o${i}`, metadata));
    }
    const deleted = owners.filter(() => random.int(3) === 0);
    for (const { kind, name } of deleted) {
      await remove(
        `${kind === 'Widget' ? widgets : configMaps}/${name}`,
        ['Background', 'Foreground', 'Orphan'][random.int(3)],
      );
      if (random.int(2) === 0) await plane.clock.advance(random.int(15));
    }
    await plane.clock.advance(10_000);
    const left = [...(await itemsOf(configMaps)), ...(await itemsOf(widgets))];
    const uids = new Set(left.map(({ uid }) => uid));
    expect(deleted.filter(({ uid }) => uids.has(uid))).toEqual([]);
    for (const { deletionTimestamp, ownerReferences } of left) {
      expect(deletionTimestamp).toBeUndefined();
      for (const { uid } of (ownerReferences ?? []) as unknown as OwnerReference[]) expect(uids).toContain(uid);
    }
    expect(plane.clock.pending).toBe(0);
  });

  async function itemsOf(path: string): Promise<{ readonly [key: string]: JsonValue | undefined }[]> {
    const { body } = await plane.ask('GET', path);
    return (body['items'] as JsonObject[]).map(({ metadata }) => metadata as JsonObject);
  }
});
