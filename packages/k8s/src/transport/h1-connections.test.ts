import type { ServerResponse } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenH2, listenPlain, listenTls, until } from '../testing/loopback.ts';
import { chunk, clientOf, codeOf, errorOf } from './client.fixture.ts';

describe('HTTP/1.1', () => {
  it('is spoken where ALPN brings no h2, and h2 where it does', async () => {
    const versions: string[] = [];
    await using old = await listenTls((request, response) => {
      versions.push(request.httpVersion);
      response.end();
    });
    await using both = await listenH2(
      (request, response) => {
        versions.push(request.httpVersion);
        response.end();
      },
      { allowHTTP1: true },
    );
    for (const server of [old, both]) {
      await using client = clientOf(server.url);
      await client.text('/');
    }
    expect(versions).toEqual(['1.1', '2.0']);
  });

  it('sends at most 64 short requests at once; watches do not count', async () => {
    const held: ServerResponse[] = [];
    await using server = await listenPlain((_, response) => {
      held.push(response);
      response.write('.');
    });
    await using client = clientOf(server.url);
    const watches = await Promise.all(Array.from({ length: 70 }, () => client.call('/?watch=true')));
    expect(held).toHaveLength(70);
    let admitted = 0;
    const answers = Promise.all(Array.from({ length: 100 }, () => client.text('/', { admit: () => void admitted++ })));
    await until(() => held.length === 134);
    // Fences are asked when a request leaves, not when it queues.
    expect(admitted).toBe(64);
    const finish = (): void => {
      for (const response of held.slice(70)) response.end();
    };
    finish();
    await until(() => held.length === 170);
    finish();
    expect(await answers).toEqual(Array(100).fill('.'));
    expect(server.accepted()).toBe(134);
    expect(await Promise.all(watches.map(chunk))).toEqual(Array(70).fill('.'));
  });

  it('closes kept connections a minute after the last exchange', async () => {
    await using server = await listenPlain((_, response) => response.end('.'));
    server.server.on('connection', (socket) => socket.setTimeout(0));
    await using client = clientOf(server.url);
    await client.text('/');
    await client.clock.advance(59_999);
    await client.text('/');
    expect(server.accepted()).toBe(1);
    await client.clock.advance(60_000);
    await until(() => server.sockets.size === 0);
    expect(client.clock.pending).toBe(0);
    expect(await client.text('/')).toBe('.');
  });

  it('closes, after a minute, the connection that nobody took in the end', async () => {
    await using server = await listenTls((_, response) => response.end('.'));
    await using client = clientOf(server.url);
    const mine = new AbortController();
    const reason = new Error('enough');
    const aborted = errorOf(client.call('/', { signal: mine.signal }));
    await until(() => server.accepted() === 1);
    mine.abort(reason);
    expect(await aborted).toBe(reason);
    await until(() => server.sockets.size === 1 && client.clock.nextDue === 60_000);
    await client.clock.advance(60_000);
    await until(() => server.sockets.size === 0);
  });

  /** Answers the first request of each connection whole, and any further one by hanging up. */
  const hangsUpOnReuse = async (requests: string[]) => {
    const server = createRawServer((socket) => {
      let first = true;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        requests.push(data.toString().split(' ')[0] ?? '');
        if (first) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.destroy();
        first = false;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
  };

  it.each([
    { method: 'GET', want: 'ok', requests: ['GET', 'GET', 'GET'] },
    { method: 'POST', want: 'connection-lost', requests: ['GET', 'POST'] },
  ])('$method on a kept connection that the server was closing: $want', async ({ method, want, requests }) => {
    const seen: string[] = [];
    await using server = await hangsUpOnReuse(seen);
    await using client = clientOf(server.url);
    await client.text('/');
    const answer = await client.text('/', { method }).catch(codeOf);
    expect(answer).toBe(want);
    expect(seen).toEqual(requests);
  });

  it.each([
    { name: 'content-length', head: 'content-length: 9' },
    { name: 'chunks', head: 'transfer-encoding: chunked' },
  ])('a body cut short of its $name is an error', async ({ head }) => {
    const server = createRawServer((socket) => {
      const part = head.startsWith('content') ? 'part' : '4\r\npart\r\n';
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${part}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using client = clientOf(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
    const answer = await client.call('/');
    expect(await chunk(answer)).toBe('part');
    expect(await errorOf(chunk(answer))).toMatchObject({ code: 'connection-lost' });
    await new Promise((resolve) => void server.close(resolve));
  });
});
