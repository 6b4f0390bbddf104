import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { readAll } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import {
  listenH2,
  listenPlain,
  listenTls,
  listenWire,
  type Loopback,
  loopbackCertificate,
  until,
} from '../testing/loopback.ts';
import { chunk, clientOf, codeOf, errorOf } from './client.fixture.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const protocols: { readonly name: string; readonly listen: (handler: Handler) => Promise<Loopback> }[] = [
  {
    name: 'HTTP/2',
    listen: (handler) => listenH2((request, response) => handler(request as never, response as never)),
  },
  { name: 'HTTP/1.1 over TLS', listen: (handler) => listenTls(handler) },
  { name: 'HTTP/1.1', listen: (handler) => listenPlain(handler) },
];

const hello: Handler = (request, response) => void response.end(`hello ${request.url}`);

describe.each(protocols)('$name', ({ listen }) => {
  it('answers many requests over few connections, and leaves none behind', async () => {
    await using server = await listen(hello);
    await using client = clientOf(server.url);
    for (let n = 0; n < 20; n++) expect(await client.text(`/${n}?q=1`)).toBe(`hello /${n}?q=1`);
    expect(server.accepted()).toBe(1);
  });

  it('carries method, headers and body; header names come back in lower case, repeated ones joined', async () => {
    await using server = await listen((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        response.writeHead(201, {
          'X-Seen': [request.method, request.headers['x-own'], body].join(' '),
          'X-Two': ['a', 'b'],
        });
        response.end();
      });
    });
    await using client = clientOf(server.url);
    const answer = await client.call('/', { method: 'PATCH', headers: { 'x-own': 'mine' }, body: '{"a":1}' });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'x-seen': 'PATCH mine {"a":1}', 'x-two': 'a, b' });
    expect(await readAll(answer.body)).toHaveLength(0);
  });

  it.each(['GET', 'HEAD', 'DELETE'])('%s with an answer that has no body', async (method) => {
    await using server = await listen((_, response) => {
      response.writeHead(method === 'HEAD' ? 200 : 204, { 'content-encoding': 'gzip' }).end();
    });
    await using client = clientOf(server.url);
    expect(await client.text('/', { method })).toBe('');
  });

  describe('gzip', () => {
    const list = JSON.stringify({ items: Array.from({ length: 6000 }, (_, n) => ({ name: `object-${n} 漢字🙂é` })) });

    it('is asked for by reads, not by watches and writes, and is undone', async () => {
      const asked: unknown[] = [];
      await using server = await listen((request, response) => {
        asked.push(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(list));
      });
      await using client = clientOf(server.url);
      const answer = await client.call('/list');
      expect(new TextDecoder().decode(await readAll(answer.body))).toBe(list);
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.headers).not.toHaveProperty('content-length');
      await client.text('/list?watch=true');
      await client.text('/list?a=b&watch=1&c=d');
      await client.text('/', { method: 'POST', body: '{}' });
      await client.text('/list?watch=true', { headers: { 'accept-encoding': 'gzip' } });
      expect(asked).toEqual(['gzip', undefined, undefined, undefined, 'gzip']);
    });

    it('cut short is an error, never a short list', async () => {
      const whole = gzipSync(list);
      await using server = await listen((request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(whole.subarray(0, Number(request.url?.slice(1))));
      });
      await using client = clientOf(server.url);
      for (const length of [0, 5, 10, 1000, whole.length - 9, whole.length - 8, whole.length - 1]) {
        expect(await errorOf(client.text(`/${length}`)), `${length} bytes`).toMatchObject({ code: 'truncated' });
      }
      expect(await client.text(`/${whole.length}`)).toBe(list);
    });

    it.each([
      { name: 'not what it says', encoding: 'gzip' },
      { name: 'in an encoding that nobody asked for', encoding: 'br' },
    ])('a body $name is an error', async ({ encoding }) => {
      await using server = await listen((_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end('plain text all along');
      });
      await using client = clientOf(server.url);
      expect(await errorOf(client.text('/'))).toMatchObject({ code: 'bad-encoding' });
    });
  });

  describe('abort', () => {
    const reason = new Error('enough');

    it('before: nothing is sent', async () => {
      let requests = 0;
      await using server = await listen(() => requests++);
      await using client = clientOf(server.url);
      expect(await errorOf(client.call('/', { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect([requests, server.accepted()]).toEqual([0, 0]);
    });

    it('while connecting: the others go on', async () => {
      await using server = await listen(hello);
      await using client = clientOf(server.url);
      const mine = new AbortController();
      const aborted = errorOf(client.call('/', { signal: mine.signal }));
      const other = client.text('/other');
      await until(() => server.accepted() === 1);
      mine.abort(reason);
      expect(await aborted).toBe(reason);
      expect(await other).toBe('hello /other');
    });

    it('before the head, and in the middle of the body: the reader gets the reason, the server an end', async () => {
      let [started, closed] = [0, 0];
      await using server = await listen((request, response) => {
        started++;
        response.once('close', () => closed++);
        if (request.url === '/body') response.write('part');
      });
      await using client = clientOf(server.url);
      const first = new AbortController();
      const head = errorOf(client.call('/head', { signal: first.signal }));
      await until(() => started === 1);
      first.abort(reason);
      expect(await head).toBe(reason);
      const second = new AbortController();
      const answer = await client.call('/body', { signal: second.signal });
      expect(await chunk(answer)).toBe('part');
      const read = errorOf(chunk(answer));
      second.abort(reason);
      expect(await read).toBe(reason);
      expect(await errorOf(chunk(answer))).toBe(reason);
      await until(() => closed === 2);
    });

    it('drops what was not read yet', async () => {
      await using server = await listen((_, response) => void response.write('unread'));
      await using client = clientOf(server.url);
      const mine = new AbortController();
      const answer = await client.call('/', { signal: mine.signal });
      mine.abort(reason);
      expect(await errorOf(chunk(answer))).toBe(reason);
    });

    it('leaves no listener on a signal that lives on', async () => {
      await using server = await listen(hello);
      await using client = clientOf(server.url);
      const { signal } = new AbortController();
      let listeners = 0;
      const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
      Object.assign(signal, {
        addEventListener: (...args: Parameters<typeof add>) => (listeners++, add(...args)),
        removeEventListener: (...args: Parameters<typeof remove>) => (listeners--, remove(...args)),
      });
      for (let n = 0; n < 5; n++) await client.text('/', { signal });
      await errorOf(client.call('/', { signal, url: 'https://elsewhere/' }));
      await errorOf(client.call('/', { signal, admit: () => { throw new Error('no'); } })); // prettier-ignore
      expect(listeners).toBe(0);
    });

    it('of the life of the transport ends everything, and closes every connection', async () => {
      await using server = await listen((request, response) => {
        if (request.url === '/body') response.write('part');
      });
      await using client = clientOf(server.url);
      const answer = await client.call('/body');
      expect(await chunk(answer)).toBe('part');
      const pending = [errorOf(client.call('/head')), errorOf(chunk(answer))];
      client.life.abort(reason);
      expect(await Promise.all(pending)).toEqual([reason, reason]);
      expect(await errorOf(client.call('/'))).toBe(reason);
      await until(() => server.sockets.size === 0 && client.clock.pending === 0);
    });
  });

  describe('admit', () => {
    it('is asked when the connection is there and nothing is sent', async () => {
      let requests = 0;
      await using server = await listen((_, response) => {
        requests++;
        response.end();
      });
      await using client = clientOf(server.url);
      const seen: number[] = [];
      const admit = (): void => void seen.push(server.sockets.size, requests);
      await client.text('/', { admit });
      expect(seen).toEqual([1, 0]);
    });

    it('what it throws rejects the exchange; the server sees nothing', async () => {
      const urls: unknown[] = [];
      await using server = await listen((request, response) => {
        urls.push(request.url);
        response.end();
      });
      await using client = clientOf(server.url);
      const fence = new Error('not the leader any more');
      const admit = (): void => {
        throw fence;
      };
      expect(await errorOf(client.call('/write', { method: 'POST', body: '{}', admit }))).toBe(fence);
      await client.text('/after');
      expect(urls).toEqual(['/after']);
    });
  });

  it.each([
    { name: 'method', call: { method: 'GE T' } },
    { name: 'header name', call: { headers: { 'x own': '1' } } },
    { name: 'header value', call: { headers: { 'x-own': 'two\nlines' } } },
    { name: 'path', call: {}, path: '/a b' },
  ])('a $name that cannot stand in a request is refused before anything is sent', async ({ call, path = '/' }) => {
    await using server = await listen(hello);
    await using client = clientOf(server.url);
    expect(await errorOf(client.call(path, call))).toMatchObject({ code: 'invalid-request' });
    expect(server.accepted()).toBe(0);
  });

  it('a cut connection is an error in the middle of a body', async () => {
    await using server = await listen((_, response) => void response.write('part'));
    await using wire = await listenWire(server);
    await using client = clientOf(wire.url);
    const answer = await client.call('/');
    expect(await chunk(answer)).toBe('part');
    wire.cut();
    expect(await errorOf(chunk(answer))).toMatchObject({ code: 'connection-lost' });
  });

  it('nobody there: connect-failed', async () => {
    const { url, server } = await listen(hello);
    await new Promise((resolve) => server.close(resolve));
    await using client = clientOf(url);
    expect(await errorOf(client.call('/'))).toMatchObject({ code: 'connect-failed' });
  });
});

describe('endpoints', () => {
  it('of one server share connections, whatever their base paths and tokens', async () => {
    const seen: unknown[] = [];
    await using server = await listenH2((request, response) => {
      seen.push([request.url, request.headers.authorization]);
      response.end();
    });
    await using client = clientOf(`${server.url}/apis/projects/p1/control-plane`, {
      credentials: { type: 'token', token: 'one' },
    });
    const other = client.at({
      server: `${server.url}/apis/projects/p2/control-plane`,
      credentials: { type: 'basic', username: 'me', password: 'pä' },
    });
    await client.text('/api');
    await other.text('/api');
    expect(seen).toEqual([
      ['/apis/projects/p1/control-plane/api', 'Bearer one'],
      ['/apis/projects/p2/control-plane/api', `Basic ${Buffer.from('me:pä').toString('base64')}`],
    ]);
    expect(server.accepted()).toBe(1);
  });

  it('with other certificates have connections of their own', async () => {
    const authority = createAuthority();
    await using server = await listenH2((_, response) => response.end(), loopbackCertificate(authority));
    const tls = { ca: { inline: authority.certificate } };
    await using client = clientOf(server.url, { tls });
    await client.text('/');
    await client.at({ tls: { ...tls, serverName: 'localhost' } }).text('/');
    expect(server.accepted()).toBe(2);
  });

  it('never send their credentials elsewhere', async () => {
    await using server = await listenH2((_, response) => response.end());
    await using client = clientOf(server.url, { credentials: { type: 'token', token: 'secret' } });
    for (const url of ['https://elsewhere.example/', `${server.url}.elsewhere.example/`, `${server.url}1/`]) {
      expect(await errorOf(client.call('', { url }))).toMatchObject({ code: 'wrong-origin' });
    }
    expect(await client.text('', { url: `${server.url}?a=b` })).toBe('');
    expect(server.accepted()).toBe(1);
  });

  it('impersonate: one header line a group', async () => {
    let raw: string[] = [];
    await using server = await listenTls((request, response) => {
      raw = request.rawHeaders;
      response.end();
    });
    const impersonate = { user: 'jane', uid: '7', groups: ['dev', 'ops'], extra: { 'example.org/Why': ['a', 'b'] } };
    await using client = clientOf(server.url, { impersonate });
    await client.text('/', { headers: { 'impersonate-user': 'root' } });
    const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]]] : []));
    expect(pairs.filter(([name]) => name?.startsWith('impersonate'))).toEqual([
      ['impersonate-user', 'jane'],
      ['impersonate-uid', '7'],
      ['impersonate-group', 'dev'],
      ['impersonate-group', 'ops'],
      ['impersonate-extra-example.org%2fwhy', 'a'],
      ['impersonate-extra-example.org%2fwhy', 'b'],
    ]);
  });
});

describe('trust', () => {
  const rejected = { code: 'tls-failed' };

  it.each([
    { name: 'an unknown authority', tls: { ca: { inline: createAuthority().certificate } }, want: rejected },
    { name: 'no authority given', tls: {}, want: rejected },
    { name: 'no verification', tls: { insecureSkipVerify: true }, want: undefined },
  ])('$name', async ({ tls, want }) => {
    await using server = await listenH2((_, response) => response.end());
    await using client = clientOf(server.url, { tls });
    const error = await client.text('/').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (want) expect(error).toMatchObject(want);
    else expect(error).toBeUndefined();
    expect(client.warnings).toHaveLength(want ? 0 : 1);
  });

  it.each([
    { serverName: 'api.internal', want: 'taken' },
    { serverName: 'other.internal', want: 'tls-failed' },
    { serverName: undefined, want: 'tls-failed' },
  ])('a certificate for another name, expected as $serverName: $want', async ({ serverName, want }) => {
    const authority = createAuthority();
    const { certificate: cert, key } = authority.issue({ commonName: 'x', dnsNames: ['api.internal'] });
    await using server = await listenH2((_, response) => response.end('taken'), { cert, key });
    await using client = clientOf(server.url, { tls: { ca: { inline: authority.certificate }, serverName } });
    expect(await client.text('/').catch(codeOf)).toBe(want);
  });
});
