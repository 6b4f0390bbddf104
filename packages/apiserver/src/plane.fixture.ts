/** A server whose resources are made up and whose store is written to directly: what reads is tested without what writes. */
import {
  type JsonObject,
  type ObjectMeta,
  parseJson,
  stringifyJson,
  type Transport,
  type TransportOptions,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { authenticateWith } from './auth/authenticate.ts';
import { auditIds } from './http/audit-ids.ts';
import { exchangeWith } from './http/exchange.ts';
import { View } from './read/view.ts';
import { createResourceRegistry } from './resources/resource-registry.ts';
import { apiVersionOf, type Resource, resourceId, type StoredObject } from './resources/resource.ts';
import { compileSchema } from './schema/compile.ts';
import { type Answer, send } from './send.fixture.ts';
import type { Server } from './server-parts.ts';
import { createMemoryStore } from './storage/memory-store.ts';

const madeUp = (fields: Pick<Resource, 'group' | 'kind' | 'plural'> & Partial<Resource>): Resource => ({
  id: resourceId(fields.group, fields.plural),
  listKind: `${fields.kind}List`,
  singular: fields.kind.toLowerCase(),
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  versions: [{ name: 'v1', selectableFields: [] }],
  storageVersion: 'v1',
  statusSubresource: false,
  scaleSubresource: false,
  schema: compileSchema({ type: 'object' }),
  decoding: 'structural',
  strategy: {},
  hasGeneration: true,
  ...fields,
});

/** Built in, of the core group. */
export const note = madeUp({ group: '', kind: 'Note', plural: 'notes', decoding: 'typed' });

/** Custom, in two versions, with columns and a field to select by. */
export const widget = madeUp({
  group: 'example.com',
  kind: 'Widget',
  plural: 'widgets',
  statusSubresource: true,
  versions: [
    {
      name: 'v1',
      selectableFields: ['.spec.color'],
      columns: [
        { name: 'Color', type: 'string', jsonPath: '.spec.color' },
        { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1, description: 'How large it is.' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    { name: 'v1beta1', selectableFields: [] },
  ],
});

/** Custom and cluster-scoped. */
export const zone = madeUp({ group: 'example.com', kind: 'Zone', plural: 'zones', namespaced: false });

export interface TestPlane {
  readonly clock: VirtualClock;
  readonly server: Server;
  readonly transport: Transport;
  put(resource: Resource, metadata: ObjectMeta, fields?: JsonObject): StoredObject;
  remove(resource: Resource, name: string): StoredObject;
  /** A request that ends by itself. */
  ask(path: string, options?: Partial<AskOptions>): Promise<Answer>;
  watch(path: string, options?: Partial<AskOptions>): Promise<WatchReader>;
}

export interface AskOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a watch has said since it was asked last. */
export interface WatchReader {
  readonly status: number;
  /** `ADDED a 5`: type, name and revision; of an `ERROR` the code. */
  news(): Promise<readonly string[]>;
  events(): Promise<readonly JsonObject[]>;
  /** Undefined while it is open. */
  readonly end: 'clean' | Error | undefined;
  stop(): Promise<void>;
}

/** In namespace `default` unless the metadata says otherwise. */
export function testPlane({ historyLimit = 1000, bookmarkEveryMs = 60_000 } = {}): TestPlane {
  const clock = new VirtualClock();
  const random = seeded(1);
  const store = createMemoryStore(historyLimit);
  const view = new View({ clock, store, bookmarkEveryMs });
  const server: Server = { clock, random, store, resources: createResourceRegistry([note]), view, rbac: false };
  server.resources.set(widget);
  server.resources.set(zone);
  const transport = exchangeTo(server);
  const never = new AbortController().signal;
  const call = (path: string, { method = 'GET', headers = {}, signal = never }: Partial<AskOptions> = {}) =>
    transport({ method, url: `https://plane.test${path}`, headers }, { signal } satisfies TransportOptions);
  return {
    clock,
    server,
    transport,
    put(resource, metadata, fields = {}) {
      const named = { ...(resource.namespaced ? { namespace: 'default' } : {}), ...metadata };
      const { kind } = resource;
      const object = { apiVersion: apiVersionOf(resource, resource.storageVersion), kind, metadata: named, ...fields };
      return store.put(resource.id, object as unknown as StoredObject, store.get(resource.id, named));
    },
    remove(resource, name) {
      const namespace = resource.namespaced ? 'default' : undefined;
      return store.remove(resource.id, store.get(resource.id, { namespace, name }) as StoredObject);
    },
    ask(path, options) {
      return send(transport, path, options);
    },
    async watch(path, options) {
      const { status, body } = await call(path, options);
      return readWatch(body, { status, clock });
    },
  };
}

/** A transport for whatever server, without tokens. */
export const exchangeTo = (server: Server): Transport =>
  exchangeWith(server, {
    basePath: '',
    authenticate: authenticateWith([]),
    withoutCredentials: 'admin',
    auditId: auditIds(server.random),
  });

function readWatch(
  body: AsyncIterable<Uint8Array>,
  { status, clock }: { readonly status: number; readonly clock: VirtualClock },
): WatchReader {
  const iterator = body[Symbol.asyncIterator]();
  const unread: JsonObject[] = [];
  let end: WatchReader['end'];
  const reading = (async () => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) break;
      for (const line of new TextDecoder().decode(value).trimEnd().split('\n'))
        unread.push(parseJson(line) as JsonObject);
    }
    end = 'clean';
  })().catch((error: unknown) => (end = error as Error));
  const events = async (): Promise<readonly JsonObject[]> => {
    await clock.settle();
    return unread.splice(0);
  };
  return {
    status,
    events,
    news: async () => (await events()).map(summary),
    get end() {
      return end;
    },
    async stop() {
      await iterator.return?.();
      await reading;
    },
  };
}

function summary(event: JsonObject): string {
  const { type, object } = event as { readonly type: string; readonly object: JsonObject };
  const { name, resourceVersion } = (object.metadata ?? {}) as Partial<Record<string, string>>;
  return [type, name, type === 'ERROR' ? stringifyJson(object.code ?? null) : resourceVersion]
    .filter((part) => part !== undefined)
    .join(' ');
}
