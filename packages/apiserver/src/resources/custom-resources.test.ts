import { Connector, formatTime, HTTPRoute, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { systemAdmin } from '../auth/user.ts';
import type { Server } from '../server-parts.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { crdStrategy } from './crd-strategy.ts';
import { definitionsId, serveCustomResources } from './custom-resources.ts';
import { installKinds } from './install-kinds.ts';
import { createResourceRegistry } from './resource-registry.ts';
import { type StoredObject, type StrategyContext, withMetadata } from './resource.ts';

const context = { user: systemAdmin, now: '2026-01-01T00:00:00Z' } as unknown as StrategyContext;

/** A server without its HTTP side. */
class Plane implements Disposable {
  readonly clock = new VirtualClock();
  readonly store = createMemoryStore(1000);
  readonly resources = createResourceRegistry([]);
  readonly server = {
    clock: this.clock,
    random: seeded(1),
    store: this.store,
    resources: this.resources,
  } as unknown as Server;
  readonly serving = serveCustomResources(this.server);

  /** As a client's create. */
  define(plural: string, names: object = {}, spec: object = {}): StoredObject {
    const name = `${plural}.example.com`;
    const sent = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, generation: 1 },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: plural.replace(/^./, (first) => first.toUpperCase()), ...names },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        ...spec,
      },
    } as unknown as StoredObject;
    return this.store.put(definitionsId, crdStrategy.prepare?.(sent, undefined, context) ?? sent, undefined);
  }

  definition(plural: string): StoredObject | undefined {
    return this.store.get(definitionsId, { name: `${plural}.example.com` });
  }

  /** As a client's delete. */
  markDeleted(plural: string): void {
    const old = this.definition(plural) as StoredObject;
    const marked = withMetadata(old, { deletionTimestamp: formatTime(this.clock.now()) });
    this.store.put(definitionsId, crdStrategy.startDeletion?.(marked, context) ?? marked, old);
  }

  /** `type=status reason`, in order. */
  conditions(plural: string): readonly string[] {
    const { conditions } = this.definition(plural)?.['status'] as {
      conditions: { type: string; status: string; reason: string }[] | null;
    };
    return (conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  }

  object(name: string, metadata: object = {}): StoredObject {
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Foos',
      metadata: { name, namespace: 'n', ...metadata },
    } as StoredObject;
    return this.store.put('foos.example.com', object, undefined);
  }

  [Symbol.dispose](): void {
    this.serving[Symbol.dispose]();
    expect(this.clock.pending).toBe(0);
  }
}

describe('serveCustomResources', () => {
  it('accepts names, then establishes, each in a write of its own', async () => {
    using plane = new Plane();
    const seen: (readonly string[])[] = [];
    using _tap = plane.store.subscribe(() => seen.push(plane.conditions('foos')));
    plane.define('foos', { shortNames: ['f'], categories: ['all'] });
    expect(plane.resources.byId('foos.example.com')).toBeUndefined();
    await plane.clock.advance(25);
    expect(seen).toEqual([
      [],
      ['NamesAccepted=True NoConflicts', 'Established=False Installing'],
      ['NamesAccepted=True NoConflicts', 'Established=True InitialNamesAccepted'],
    ]);
    expect(plane.definition('foos')).toMatchObject({
      metadata: { generation: 1 },
      status: {
        acceptedNames: {
          plural: 'foos',
          singular: 'foos',
          shortNames: ['f'],
          kind: 'Foos',
          listKind: 'FoosList',
          categories: ['all'],
        },
        storedVersions: ['v1'],
      },
    });
    expect(plane.resources.byKind('example.com', 'Foos')).toMatchObject({ id: 'foos.example.com', namespaced: true });
  });

  it('owns the status that it writes, where owners are kept', async () => {
    using plane = new Plane();
    const created = plane.define('foos');
    const fieldsV1 = { 'f:spec': {} };
    const mine = { manager: 'm', operation: 'Apply', apiVersion: 'apiextensions.k8s.io/v1', fieldsType: 'FieldsV1' };
    const managedFields = [{ ...mine, fieldsV1 }] as never;
    plane.store.put(definitionsId, withMetadata(created, { managedFields }), created);
    plane.define('bars');
    await plane.clock.advance(25);
    expect(plane.definition('bars')?.metadata.managedFields).toBeUndefined();
    expect(plane.definition('foos')?.metadata.managedFields).toMatchObject([
      { manager: 'm' },
      { manager: 'kube-apiserver', operation: 'Update', subresource: 'status' },
    ]);
  });

  it('does not give a name twice, until it is free', async () => {
    using plane = new Plane();
    plane.define('foos', { shortNames: ['f'] });
    await plane.clock.advance(25);
    plane.define('bars', { kind: 'Bar', listKind: 'Foos', shortNames: ['f', 'b'], singular: 'foos' });
    await plane.clock.advance(25);
    expect(plane.conditions('bars')).toEqual(['NamesAccepted=False ListKindConflict', 'Established=False NotAccepted']);
    expect(plane.definition('bars')).toMatchObject({ status: { acceptedNames: { plural: 'bars', kind: 'Bar' } } });
    expect(plane.resources.byId('bars.example.com')).toBeUndefined();
    plane.markDeleted('foos');
    await plane.clock.advance(60);
    expect(plane.definition('foos')).toBeUndefined();
    expect(plane.conditions('bars')).toEqual([
      'NamesAccepted=True NoConflicts',
      'Established=True InitialNamesAccepted',
    ]);
    expect(plane.resources.byId('bars.example.com')).toMatchObject({ shortNames: ['f', 'b'] });
  });

  it('deletes the objects of a deleted definition, then lets it go', async () => {
    using plane = new Plane();
    plane.define('foos');
    await plane.clock.advance(25);
    plane.object('free');
    plane.object('held', { finalizers: ['a.b/c'], generation: 1 });
    plane.markDeleted('foos');
    expect(plane.resources.byId('foos.example.com')?.terminating).toBe(true);
    await plane.clock.advance(25);
    expect(plane.store.list('foos.example.com')).toMatchObject([
      {
        metadata: {
          name: 'held',
          generation: 2,
          deletionTimestamp: '2026-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 0,
        },
      },
    ]);
    expect(plane.conditions('foos')).toContain('Terminating=True InstanceDeletionInProgress');
    await plane.clock.advance(20_000);
    const [held] = plane.store.list('foos.example.com') as [StoredObject];
    expect(held.metadata.generation).toBe(2);
    plane.store.remove('foos.example.com', held);
    await plane.clock.advance(4_000);
    expect(plane.definition('foos')).toBeDefined();
    await plane.clock.advance(1_000);
    expect(plane.definition('foos')).toBeUndefined();
    expect(plane.resources.byId('foos.example.com')).toBeUndefined();
  });

  it('lets go of a definition that was never established at once, and keeps what another finalizer holds', async () => {
    using plane = new Plane();
    plane.define('foos');
    plane.markDeleted('foos');
    await plane.clock.advance(25);
    expect(plane.definition('foos')).toBeUndefined();
    plane.define('foos');
    await plane.clock.advance(25);
    const old = plane.definition('foos') as StoredObject;
    plane.store.put(definitionsId, withMetadata(old, { finalizers: ['a.b/c'] }), old);
    plane.markDeleted('foos');
    await plane.clock.advance(25);
    expect(plane.definition('foos')?.metadata.finalizers).toEqual(['a.b/c']);
  });

  it('serves a changed definition anew, and tells that the old one is gone', async () => {
    using plane = new Plane();
    plane.define('foos');
    await plane.clock.advance(25);
    const told: string[] = [];
    using _listener = plane.resources.subscribe((id, now) => told.push(`${id} ${now ? 'served' : 'gone'}`));
    const old = plane.definition('foos') as StoredObject;
    const touched = plane.store.put(definitionsId, withMetadata(old, { labels: { a: 'b' } }), old);
    expect(told).toEqual([]);
    const spec = {
      ...(old['spec'] as object),
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'] } },
        },
      ],
    };
    plane.store.put(definitionsId, { ...touched, spec } as StoredObject, touched);
    expect(told).toEqual(['foos.example.com gone', 'foos.example.com served']);
    expect(plane.resources.byId('foos.example.com')?.schema.validate({})).toHaveLength(1);
  });

  it('reads what is stored by the schema of now', async () => {
    using plane = new Plane();
    const schema = (properties: object): object => ({
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    });
    const text = { type: 'string' };
    const old = plane.define('foos', {}, schema({ x: text, y: text }));
    await plane.clock.advance(25);
    const fields = { spec: { x: 'a', y: 'b' } };
    const { revision } = plane.store;
    const object = { ...plane.object('a'), ...fields } as StoredObject;
    plane.store.put('foos.example.com', object, plane.store.get('foos.example.com', object.metadata));
    const now = plane.definition('foos') as StoredObject;
    const spec = { ...(old['spec'] as object), ...schema({ x: text, z: { ...text, default: 'd' } }) };
    plane.store.put(definitionsId, { ...now, spec } as StoredObject, now);
    expect(plane.store.list('foos.example.com')).toMatchObject([{ spec: { x: 'a', z: 'd' } }]);
    expect(plane.store.list('foos.example.com')[0]?.['spec']).not.toHaveProperty('y');
    expect(plane.store.since(revision, 'foos.example.com').map((entry) => entry.object['spec'])).toEqual([
      undefined,
      { x: 'a', z: 'd' },
    ]);
    expect(plane.store.since(revision, 'foos.example.com').at(-1)?.object).toBe(
      plane.store.list('foos.example.com')[0],
    );
  });

  it('follows the store back in time', async () => {
    using plane = new Plane();
    plane.define('foos');
    await plane.clock.advance(25);
    const before = plane.store.snapshot();
    plane.define('bars');
    plane.markDeleted('foos');
    await plane.clock.advance(60);
    expect([...plane.resources.all].map(({ id }) => id)).toEqual(['bars.example.com']);
    plane.store.restore(before);
    expect([...plane.resources.all].map(({ id }) => id)).toEqual(['foos.example.com']);
    expect(plane.resources.byId('foos.example.com')?.terminating).toBeUndefined();
  });

  it('gives equal definitions of two servers one resource', async () => {
    using a = new Plane();
    using b = new Plane();
    for (const plane of [a, b]) {
      plane.define('foos');
      await plane.clock.advance(25);
    }
    expect(a.resources.byId('foos.example.com')).toBeDefined();
    expect(a.resources.byId('foos.example.com')).toBe(b.resources.byId('foos.example.com'));
  });
});

describe('installKinds', () => {
  it('stores definitions that are served from the first moment, and whose status is final', async () => {
    using plane = new Plane();
    installKinds(plane.server, [Connector, HTTPRoute]);
    const revision = plane.store.revision;
    expect([...plane.resources.all].map(({ id }) => id)).toEqual([
      'connectors.networking.datumapis.com',
      'httproutes.gateway.networking.k8s.io',
    ]);
    await plane.clock.advance(1_000);
    expect(plane.store.revision).toBe(revision);
    const route = plane.store.get(definitionsId, { name: 'httproutes.gateway.networking.k8s.io' });
    expect(route).toMatchObject({
      metadata: { generation: 1 },
      spec: { conversion: { strategy: 'None' } },
      status: {
        conditions: [
          { type: 'KubernetesAPIApprovalPolicyConformant', status: 'False', reason: 'UnapprovedAnnotation' },
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
        acceptedNames: { plural: 'httproutes' },
        storedVersions: ['v1'],
      },
    });
    expect(crdStrategy.validate?.(route as StoredObject, undefined, context)).toEqual([]);
  });

  it('shares between planes what is large', () => {
    using a = new Plane();
    using b = new Plane();
    for (const { server } of [a, b]) installKinds(server, [Connector]);
    const [one, other] = [a, b].map(({ store }) => store.list(definitionsId)[0]);
    expect(one?.['spec']).toBe(other?.['spec']);
    expect(one?.metadata).not.toBe(other?.metadata);
  });
});
