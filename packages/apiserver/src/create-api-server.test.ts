import {
  allKinds,
  ConfigMap,
  Connector,
  type JsonObject,
  parseJsonBytes,
  stringifyJson,
  type Transport,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createApiServer } from './create-api-server.ts';
import { send } from './send.fixture.ts';
import type { ApiServer, ApiServerOptions } from './server.ts';

const never = new AbortController().signal;
const maps = '/api/v1/namespaces/default/configmaps';
const connectors = '/apis/networking.datumapis.com/v1alpha1/namespaces/default/connectors';

interface Plane {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
}

function plane(options: Partial<ApiServerOptions> = {}): Plane {
  const clock = new VirtualClock();
  return { clock, server: createApiServer({ clock, random: seeded(1), kinds: [Connector], ...options }) };
}

async function ask(transport: Transport, line: string, body?: JsonObject): Promise<JsonObject> {
  const [method, path = ''] = line.split(' ');
  return (await send(transport, path, { method, body })).body;
}

const map = (name: string, data: JsonObject = {}): JsonObject => ({ metadata: { name }, data });

/** The types of the events of a watch, and how it ended. */
async function follow(transport: Transport, path: string): Promise<string[]> {
  const seen: string[] = [];
  const { body } = await transport({ method: 'GET', url: `https://plane.test${path}`, headers: {} }, { signal: never });
  void (async () => {
    try {
      for await (const chunk of body) seen.push((parseJsonBytes(chunk) as { type: string }).type);
      seen.push('end');
    } catch (error) {
      seen.push((error as Error).message);
    }
  })();
  return seen;
}

describe('a new plane', () => {
  it('has its namespaces and the kinds that were asked for, and rests', async () => {
    const { clock, server } = plane({ kinds: allKinds });
    const { items } = await ask(server.transport, 'GET /api/v1/namespaces');
    expect(items).toMatchObject(
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ({ metadata: { name } })),
    );
    const definitions = await ask(server.transport, 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions');
    expect((definitions.items as unknown[]).length).toBe(35);
    expect(await ask(server.transport, `GET ${connectors}`)).toMatchObject({ kind: 'ConnectorList', items: [] });
    await clock.settle();
    expect([clock.pending, server.openWatches]).toEqual([0, 0]);
  });

  it('lives under its base path', async () => {
    const { server } = plane({ basePath: '/clusters/a' });
    expect(await ask(server.transport, `GET /clusters/a${maps}`)).toMatchObject({ kind: 'ConfigMapList' });
    const discovered = await server.fetch('https://plane.test/clusters/a/apis/networking.datumapis.com/v1alpha1');
    expect(await discovered.json()).toMatchObject({ kind: 'APIResourceList' });
    expect((await server.fetch(`https://plane.test${maps}`)).status).toBe(404);
  });

  it('is the same for the same seed', async () => {
    const told = async (): Promise<string> => {
      const { server } = plane({ kinds: allKinds });
      await ask(server.transport, `POST ${maps}`, map('a'));
      return stringifyJson([...server.snapshot().objects].map(([id, objects]) => [id, [...objects.values()]]));
    };
    expect(await told()).toBe(await told());
  });
});

describe('ground truth', () => {
  it('is there without a request', async () => {
    const { server } = plane();
    const told: string[] = [];
    const tap = server.tap(({ revision, type, object }) => told.push(`${revision} ${type} ${object.metadata.name}`));
    const { revision } = server;
    await ask(server.transport, `POST ${maps}`, map('a', { k: 'v' }));
    expect(server.get(ConfigMap, { namespace: 'default', name: 'a' })?.data).toEqual({ k: 'v' });
    expect(server.objects(ConfigMap).map(({ metadata }) => metadata.name)).toEqual(['a']);
    tap[Symbol.dispose]();
    await ask(server.transport, `DELETE ${maps}/a`);
    expect([told, server.revision]).toEqual([[`${revision + 1} ADDED a`], revision + 2]);
    expect(server.get(ConfigMap, { namespace: 'default', name: 'a' })).toBeUndefined();
  });
});

describe('what befalls a plane', () => {
  it('compaction: who comes from before has to begin anew', async () => {
    const { clock, server } = plane();
    const before = server.revision;
    await ask(server.transport, `POST ${maps}`, map('a'));
    server.compact();
    const late = await follow(server.transport, `${maps}?watch=1&resourceVersion=${before}`);
    await clock.settle();
    expect(late).toEqual(['ERROR', 'end']);
  });

  it('a restore from a backup: the revision goes back, every connection breaks, what was served then is served', async () => {
    const { clock, server } = plane();
    await ask(server.transport, `POST ${maps}`, map('a'));
    const backup = server.snapshot();
    const { revision } = server;
    await ask(server.transport, `POST ${maps}`, map('b'));
    const definition = 'connectors.networking.datumapis.com';
    await ask(server.transport, `DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`);
    await clock.advance(60_000);
    expect((await server.fetch(`https://plane.test${connectors}`)).status).toBe(404);
    const watch = await follow(server.transport, `${maps}?watch=1`);
    server.restore(backup);
    await clock.settle();
    expect(watch).toEqual(['ADDED', 'ADDED', 'the plane was restored from a backup']);
    expect(server.revision).toBe(revision);
    expect(await ask(server.transport, `GET ${maps}`)).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
    expect(await ask(server.transport, `GET ${connectors}`)).toMatchObject({ kind: 'ConnectorList' });
    expect(await ask(server.transport, `GET ${maps}?resourceVersion=${revision + 1}`)).toMatchObject({ code: 504 });
  });

  it('the end of watches, of one kind or all', async () => {
    const { clock, server } = plane();
    const of = (path: string) => follow(server.transport, `${path}?watch=1`);
    const [a, b] = [await of(maps), await of(connectors)];
    server.endWatches({ kind: Connector });
    await clock.settle();
    expect([a, b, server.openWatches]).toEqual([[], ['end'], 1]);
    server.endWatches({ error: new Error('cut') });
    await clock.settle();
    expect([a, server.openWatches]).toEqual([['cut'], 0]);
  });

  it('the end of a definition, which ends the watches of its objects', async () => {
    const { clock, server } = plane();
    const watch = await follow(server.transport, `${connectors}?watch=1`);
    const definition = 'connectors.networking.datumapis.com';
    await ask(server.transport, `DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`);
    await clock.advance(60_000);
    expect(watch).toEqual(['end']);
    expect(server.openWatches).toBe(0);
  });

  it('its own end: watches end, and nothing is left on the clock', async () => {
    const { clock, server } = plane();
    const watches = [
      await follow(server.transport, `${maps}?watch=1&resourceVersion=1&allowWatchBookmarks=1`),
      await follow(server.replica().transport, `${maps}?watch=1`),
    ];
    await ask(server.transport, 'DELETE /api/v1/namespaces/kube-public');
    server[Symbol.dispose]();
    await clock.settle();
    expect([watches, clock.pending]).toEqual([[['end'], ['end']], 0]);
  });
});

describe('a replica', () => {
  it('shows the past while it is frozen, writes included', async () => {
    const { clock, server } = plane();
    const replica = server.replica();
    const behind = await follow(replica.transport, `${maps}?watch=1`);
    const ahead = await follow(server.transport, `${maps}?watch=1`);
    replica.freeze(ConfigMap);
    await ask(replica.transport, `POST ${maps}`, map('a'));
    await clock.settle();
    expect([behind, ahead, server.openWatches]).toEqual([[], ['ADDED'], 2]);
    expect(await ask(replica.transport, `GET ${maps}?resourceVersion=0`)).toMatchObject({ items: [] });
    expect(await ask(replica.transport, `GET ${maps}`)).toMatchObject({ items: [{}] });
    expect(await ask(server.transport, `GET ${maps}?resourceVersion=0`)).toMatchObject({ items: [{}] });
    expect(await ask(replica.transport, `GET ${maps}/a`)).toMatchObject({ kind: 'ConfigMap' });
    replica.thaw();
    await clock.settle();
    expect(behind).toEqual(['ADDED']);
  });
});

describe('over a network', () => {
  it('a replica shows what it sees, to who shows a token', async () => {
    const { server } = plane({ tokens: [{ token: 't', user: 'ann', uid: '1', groups: ['system:masters'] }] });
    const replica = server.replica();
    replica.freeze(ConfigMap);
    await ask(server.transport, `POST ${maps}`, map('a'));
    await using listening = await replica.listen();
    const old = `${listening.url}${maps}?resourceVersion=0`;
    const answer = await fetch(old, { headers: { authorization: 'Bearer t' } });
    expect(await answer.json()).toMatchObject({ items: [] });
    expect((await fetch(old)).status).toBe(401);
  });

  it('a plane is the same, for who shows a token', async () => {
    const { server } = plane({
      basePath: '/p',
      tokens: [{ token: 't', user: 'ann', uid: '1', groups: ['system:masters'] }],
    });
    await using listening = await server.listen();
    expect(listening.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/p$/);
    const authorization = { headers: { authorization: 'Bearer t' } };
    const answers = await Promise.all([
      fetch(`${listening.url}${maps}`, authorization),
      fetch(`${listening.url}${maps}`),
      fetch(`${listening.url}/readyz`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(await answers[1]?.json()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
    expect((await server.fetch(`https://plane.test/p${maps}`)).status).toBe(200);
  });
});
