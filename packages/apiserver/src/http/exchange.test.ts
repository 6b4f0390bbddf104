import { seeded } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { authenticateWith } from '../auth/authenticate.ts';
import { parseTokenFile } from '../auth/token-file.ts';
import { note, testPlane, type TestPlane, widget } from '../plane.fixture.ts';
import { builtinResources } from '../resources/builtin/index.ts';
import { auditIds } from './audit-ids.ts';
import { exchangeWith } from './exchange.ts';

const never = new AbortController().signal;
const noPage = '404 page not found\n';
const noResource = 'the server could not find the requested resource';
const noMethod = 'the server does not allow this method on the requested resource';

function plane(): TestPlane {
  const made = testPlane();
  made.put(note, { name: 'n' });
  made.put(widget, { name: 'w' });
  return made;
}

describe('a path', () => {
  it.each([
    ['/foo', noPage],
    ['/apis/nope/v1/x', noPage],
    ['/apis/example.com/v9/widgets', noPage],
    ['/apis/example.com/v1/nothings', noPage],
    ['/apis/example.com/v1/namespaces/default/zones', noPage],
    ['/apis/example.com/v1/widgets/w', noPage],
    ['//api/v1/notes', noPage],
    ['/apis//', noPage],
    ['/apis//v1', noPage],
    ['/apis//v1/notes', noPage],
    ['/apis/example.com//v1/widgets', noPage],
    ['/apis/example.com/v1//widgets', noPage],
    ['/apis/example.com/v1/namespaces/default//widgets', noPage],
    ['/apis/example.com/v1/namespaces//default/widgets', noPage],
    ['/apis/example.com/v1/namespaces/default/widgets//scale', 'widgets.example.com "" not found'],
    ['/healthz/', noPage],
    ['/livez/nothing', noPage],
    ['/api//v1/notes', noResource],
    ['/api/v1//notes', noResource],
    ['/api/v1/namespaces/default//notes', noResource],
    ['/api/v1/namespaces/default/notes//n', noResource],
    ['/api/v1/nothings', noResource],
    ['/api/v2/notes', noResource],
    ['/api/v1/notes/n', noResource],
    ['/api/v1/namespaces/default/nothings', noResource],
    ['/api/v1/namespaces/default/notes/n/status', noResource],
    ['/api/v1/namespaces/default/notes/n/x/y', noResource],
    ['/apis/example.com/v1/namespaces/default/widgets/w/scale', 'widgets.example.com "w" not found'],
    ['/apis/example.com/v1/namespaces/default/widgets/x', 'widgets.example.com "x" not found'],
  ])('that leads nowhere: %s', async (path, message) => {
    const { status, headers, text, body } = await plane().ask(path);
    expect([status, body.message ?? text]).toEqual([404, message]);
    expect(headers['content-type']).toBe(message === noPage ? 'text/plain; charset=utf-8' : 'application/json');
  });

  it.each([
    '/api/v1/namespaces/default/notes/n',
    '/api/v1/namespaces/default/notes/n/',
    '/api/v1/namespaces/default/notes/n//',
    '/api/v1/namespaces//notes',
    '/apis/example.com/v1/namespaces//widgets',
    '/api//',
    '/api/v1//',
    '/apis/',
    '/apis/example.com//',
    '/version//',
    '/api/v1/namespaces/default/notes/%6E',
    '/%61pi/v1/namespaces/default%2fnotes/n',
    '/apis/example.com/v1/namespaces/default/widgets/w/status',
    '/api/v1/notes/',
  ])('that leads somewhere: %s', async (path) => {
    expect((await plane().ask(path)).status).toBe(200);
  });

  it.each([
    ['/api/v1/namespaces//notes/n', 'Namespace parameter required.'],
    ['/api/v1/namespaces//status', 'name must be provided'],
  ])('that lacks something: %s', async (path, message) => {
    const own = testPlane();
    for (const resource of builtinResources) own.server.resources.set(resource);
    const { status, body } = await own.ask(path);
    expect([status, body.message]).toEqual([400, message]);
  });

  it.each(['/api/v1/notes/%', '/api/v1/notes/%6', '/version/%zz', '/%g1'])(
    'that nobody can read is no request: %s',
    async (path) => {
      const { status, headers, text } = await plane().ask(path);
      expect([status, headers['content-type'], text]).toEqual([400, 'text/plain; charset=utf-8', '400 Bad Request']);
    },
  );

  it('may hold bytes that are no text', async () => {
    expect((await plane().ask('/api/v1/namespaces/default/notes/%ff')).body.message).toBe('notes "\ufffd" not found');
  });
});

describe('a query', () => {
  it.each([
    ['limit=a', 400],
    ['limit=a&limit=1', 400],
    ['limit=1&limit=a', 200],
    ['limit=a;b', 200],
    ['limit=%zz', 200],
    ['limit=%', 200],
    ['%=1&limit=a', 400],
    ['?limit=a', 200],
    ['&&limit=%61', 400],
  ])('%s: %i', async (query, status) => {
    expect((await plane().ask(`/api/v1/notes?${query}`)).status).toBe(status);
  });
});

describe('a name', () => {
  it('that cannot be printed is quoted', async () => {
    const { body } = await plane().ask('/api/v1/namespaces/default/notes/%00');
    expect(body).toMatchObject({ code: 404, message: String.raw`notes "\x00" not found` });
  });

  it.each([
    ['a%2525b', `Name parameter invalid: "a%25b": may not contain '%'`],
    ['%2E%2E', `Name parameter invalid: "..": may not be '..'`],
  ])('that no object can have: %s', async (name, message) => {
    for (const path of ['/api/v1/namespaces/default/notes', '/apis/example.com/v1/namespaces/default/widgets']) {
      expect((await plane().ask(`${path}/${name}`)).body).toMatchObject({ code: 400, message });
    }
  });
});

describe('a method', () => {
  it.each([
    ['PUT', '/api/v1/namespaces/default/notes', noMethod],
    ['POST', '/api/v1/namespaces/default/notes/n', noMethod],
    ['POST', '/api/v1/notes', noMethod],
    ['DELETE', '/api/v1/notes', noMethod],
    ['HEAD', '/api/v1/notes', ''],
    ['FOO', '/api/v1/notes', noMethod],
    ['FOO', '/apis/example.com/v1/widgets/', noPage],
    [
      'FOO',
      '/apis/example.com/v1/namespaces/default/widgets',
      ' is not supported on resources of kind "widgets.example.com"',
    ],
    [
      'DELETE',
      '/apis/example.com/v1/namespaces/default/widgets/w/status',
      'delete is not supported on resources of kind "widgets.example.com"',
    ],
    ['PUT', '/apis/example.com/v1/namespaces/default/widgets', 'name must be provided'],
    ['POST', '/apis/example.com/v1/widgets', noPage],
    ['POST', '/version', noMethod],
  ])('that is not taken: %s %s', async (method, path, message) => {
    const { status, body, text } = await plane().ask(path, { method });
    expect(body.message ?? text).toBe(message);
    expect(status).toBe(message === noPage ? 404 : message === 'name must be provided' ? 400 : 405);
  });

  it('HEAD of custom resources has no body', async () => {
    const { status, headers, text } = await plane().ask('/apis/example.com/v1/widgets', { method: 'HEAD' });
    expect([status, text, Number(headers['content-length']) > 100]).toEqual([200, '', true]);
  });
});

describe('what is known of every server', () => {
  it.each([
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
    ['/healthz', 'ok'],
    ['/livez/ping', 'ok'],
    ['/readyz?verbose', '[+]ping ok\n[+]etcd ok\nreadyz check passed\n'],
    ['/readyz?verbose&exclude=etcd', '[+]ping ok\n[+]etcd excluded: ok\nreadyz check passed\n'],
  ])('%s', async (path, text) => {
    expect(await plane().ask(path)).toMatchObject({ status: 200, text });
  });

  it('where something is served', async () => {
    expect((await plane().ask('/')).body.paths).toEqual(
      expect.arrayContaining(['/api/v1', '/apis/example.com', '/apis/example.com/v1beta1', '/livez']),
    );
  });

  it('its version', async () => {
    expect((await plane().ask('/version')).body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\./),
    });
  });
});

describe('the transport', () => {
  const request = { method: 'GET', url: 'https://plane.test/api/v1/notes', headers: {} };

  it('asks to be admitted right before it handles the request', async () => {
    const { transport, put } = plane();
    const refused = transport(request, {
      signal: never,
      admit: () => {
        throw new Error('not the leader');
      },
    });
    await expect(refused).rejects.toThrow('not the leader');
    let revision = '';
    const answered = transport(request, {
      signal: never,
      admit: () => void (revision = put(note, { name: 'late' }).metadata.resourceVersion ?? ''),
    });
    const chunks = await Array.fromAsync((await answered).body);
    expect(chunks.map((chunk) => new TextDecoder().decode(chunk)).join('')).toContain(
      `"resourceVersion":"${revision}"},"items"`,
    );
  });

  it('ends with its signal: before, and before the body was read', async () => {
    const { transport } = plane();
    const life = new AbortController();
    const { body } = await transport(request, { signal: life.signal });
    const reason = new Error('enough');
    life.abort(reason);
    await expect(body[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    await expect(transport(request, { signal: life.signal })).rejects.toBe(reason);
  });

  it('numbers the requests that do not bring an id', async () => {
    const { ask } = plane();
    const ids = [await ask('/livez'), await ask('/livez')].map(({ headers }) => headers['audit-id']);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(2);
    expect((await ask('/livez', { headers: { 'audit-id': 'mine' } })).headers['audit-id']).toBe('mine');
  });
});

describe('credentials', () => {
  const tokens = parseTokenFile('t1,ann,1,"devs,ops"\nt2,bob,2\n');
  const over = (withoutCredentials: 'admin' | 'refused') => {
    const { server } = plane();
    const transport = exchangeWith(server, {
      basePath: '/clusters/a',
      authenticate: authenticateWith(tokens),
      withoutCredentials,
      auditId: auditIds(seeded(1)),
    });
    return async (path: string, authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await transport({ method: 'GET', url: `https://plane.test${path}`, headers }, { signal: never })).status;
    };
  };

  it('are tokens', async () => {
    const ask = over('refused');
    expect(await ask('/clusters/a/api/v1/notes', 'Bearer t1')).toBe(200);
    expect(await ask('/clusters/a/api/v1/notes', 'bearer t2')).toBe(200);
    expect(await ask('/clusters/a/api/v1/notes', 'Bearer t3')).toBe(401);
    expect(await ask('/clusters/a/api/v1/notes', 'Bearer t1 more')).toBe(200);
    expect(await ask('/clusters/a/livez', 'Bearer t3')).toBe(401);
  });

  it.each(['', 'Basic dDE6', 'Bearer', 'Bearer ', 'Bearer  t1', 'Bearer\tt1', 't1'])(
    'are not what holds no token: %o',
    async (authorization) => {
      for (const ask of [over('refused'), over('admin')]) {
        expect(await ask('/clusters/a/api/v1/notes', authorization)).toBe(401);
        expect(await ask('/clusters/a/livez', authorization)).toBe(200);
      }
    },
  );

  it('that are missing are those of nobody in particular where there is authorization', async () => {
    const { server } = plane();
    const transport = exchangeWith(
      { ...server, rbac: true },
      {
        basePath: '',
        authenticate: authenticateWith(tokens),
        withoutCredentials: 'refused',
        auditId: auditIds(seeded(1)),
      },
    );
    const ask = async (method: string, path: string): Promise<number> =>
      (await transport({ method, url: `https://plane.test${path}`, headers: {} }, { signal: never })).status;
    expect(await ask('GET', '/version/')).toBe(200);
    expect(await ask('GET', '/api')).toBe(403);
    expect(await ask('GET', '/livez/ping')).toBe(403);
    expect(await ask('POST', '/livez')).toBe(403);
    expect(await ask('GET', '/api/v1/notes')).toBe(403);
  });

  it('are asked for over a network only, and not to see how the server is', async () => {
    expect(await over('admin')('/clusters/a/api/v1/notes')).toBe(200);
    expect(await over('refused')('/clusters/a/api/v1/notes')).toBe(401);
    expect(await over('refused')('/clusters/a/readyz')).toBe(200);
  });

  it('do not open what is beside the base path', async () => {
    expect(await over('admin')('/api/v1/notes')).toBe(404);
    expect(await over('admin')('/clusters/ab/api/v1/notes')).toBe(404);
  });
});
