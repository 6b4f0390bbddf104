import { once } from 'node:events';
import { constants, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { listenH2, listenSilent, listenWire, until } from '../testing/loopback.ts';
import { chunk, clientOf, codeOf, errorOf } from './client.fixture.ts';

/** Answers watches with one byte and leaves them open; others at once. */
const watchesStayOpen = (request: { url: string }, response: Http2ServerResponse): void => {
  response.write('.');
  if (!request.url.includes('watch=true')) response.end('done');
};

describe('streams', () => {
  it('150 watches on a server with 100 streams a connection leave room for other requests', async () => {
    await using server = await listenH2(watchesStayOpen, { settings: { maxConcurrentStreams: 100 } });
    await using client = clientOf(server.url);
    const watches = await Promise.all(Array.from({ length: 150 }, (_, n) => client.call(`/${n}?watch=true`)));
    expect(await Promise.all(watches.map(chunk))).toEqual(Array(150).fill('.'));
    expect(server.accepted()).toBe(2);
    const answers = Array.from({ length: 50 }, (_, n) => client.text(`/${n}`));
    expect(await Promise.all(answers)).toEqual(Array(50).fill('.done'));
    expect(server.accepted()).toBe(2);
  });

  it.each([
    { limit: 8, watches: 7, connections: 2 },
    { limit: 8, watches: 6, connections: 1 },
    { limit: 1, watches: 3, connections: 3 },
    { limit: 1000, watches: 76, connections: 2 },
  ])('$watches watches at $limit streams a connection take $connections', async ({ limit, watches, connections }) => {
    await using server = await listenH2(watchesStayOpen, { settings: { maxConcurrentStreams: limit } });
    await using client = clientOf(server.url);
    await Promise.all(Array.from({ length: watches }, () => client.call('/?watch=true')));
    expect(server.accepted()).toBe(connections);
    expect(await client.text('/')).toBe('.done');
  });

  it('requests beyond the limit go to further connections, none waits for another', async () => {
    const held: Http2ServerResponse[] = [];
    await using server = await listenH2((_, response) => void held.push(response), {
      settings: { maxConcurrentStreams: 10 },
    });
    await using client = clientOf(server.url);
    const answers = Promise.all(Array.from({ length: 35 }, () => client.text('/')));
    await until(() => held.length === 35);
    expect(server.sessions.size).toBe(4);
    for (const response of held) response.end('late');
    expect(await answers).toHaveLength(35);
  });

  it('a server that allows no streams is an error, not a loop of connections', async () => {
    await using server = await listenH2(watchesStayOpen, { settings: { maxConcurrentStreams: 0 } });
    await using client = clientOf(server.url);
    expect(await errorOf(client.call('/'))).toMatchObject({ code: 'connect-failed', message: /it allows no streams/ });
    expect(server.accepted()).toBe(1);
  });

  it('announces windows that a list fits in', async () => {
    const windows: unknown[] = [];
    await using server = await listenH2((_, response) => response.end());
    server.server.on('stream', ({ session }: ServerHttp2Stream) =>
      windows.push(session?.remoteSettings.initialWindowSize, session?.state.remoteWindowSize),
    );
    await using client = clientOf(server.url);
    await client.text('/');
    expect(windows).toEqual([4 * 1024 * 1024, 32 * 1024 * 1024]);
  });

  it('sends a body of megabytes whole, with its length', async () => {
    await using server = await listenH2((request, response) => {
      let received = 0;
      request.on('data', (data: Buffer) => (received += data.length));
      request.on('end', () => response.end(`${request.headers['content-length']} ${received}`));
    });
    await using client = clientOf(server.url);
    const body = 'x'.repeat(3_000_000);
    expect(await client.text('/', { method: 'POST', body })).toBe('3000000 3000000');
  });

  it('a slow reader slows the server down, and misses nothing', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    await using server = await listenH2((_, response) => {
      const { stream } = response;
      const more = (): void => {
        while (sent < 1000 && stream.write(piece)) sent++;
        if (sent === 1000) stream.end();
      };
      stream.on('drain', () => {
        sent++;
        more();
      });
      more();
    });
    await using client = clientOf(server.url);
    const answer = await client.call('/');
    await until(() => sent > 60);
    let last = -1;
    await until(() => last === (last = sent)); // no longer moving
    expect(sent * piece.length).toBeLessThan(6 * 1024 * 1024);
    let received = 0;
    for await (const data of answer.body) received += data.length;
    expect(received).toBe(1000 * piece.length);
  });
});

describe('the end of a body', () => {
  const partial = (end: (response: Http2ServerResponse) => void, headers = {}) =>
    listenH2((_, response) => {
      response.writeHead(200, headers);
      response.write('part', () => end(response));
    });

  it.each([
    { name: 'reset', code: constants.NGHTTP2_INTERNAL_ERROR, want: 'stream-reset' },
    { name: 'cancelled by the server', code: constants.NGHTTP2_CANCEL, want: 'stream-reset' },
  ])('$name: reading gives what came, then fails', async ({ code, want }) => {
    await using server = await partial(({ stream }) => stream.close(code));
    await using client = clientOf(server.url);
    const answer = await client.call('/');
    expect(await chunk(answer)).toBe('part');
    expect(await errorOf(chunk(answer))).toMatchObject({ code: want });
  });

  it('shorter than its content-length: fails', async () => {
    await using server = await partial(({ stream }) => stream.close(constants.NGHTTP2_NO_ERROR), {
      'content-length': '9',
    });
    await using client = clientOf(server.url);
    expect(await errorOf(client.text('/'))).toMatchObject({ name: 'TransportError' });
  });

  it('the connection breaks: every stream on it fails, and the next request opens another', async () => {
    await using server = await listenH2(watchesStayOpen);
    await using wire = await listenWire(server);
    await using client = clientOf(wire.url);
    const watches = await Promise.all([1, 2, 3].map(() => client.call('/?watch=true')));
    await Promise.all(watches.map(chunk));
    wire.cut();
    const errors = await Promise.all(watches.map((watch) => errorOf(chunk(watch))));
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('connection-lost'));
    expect(await client.text('/')).toBe('.done');
    expect(wire.accepted()).toBe(2);
  });

  it('before the head: connection-lost', async () => {
    let reached = false;
    await using server = await listenH2(() => (reached = true));
    await using wire = await listenWire(server);
    await using client = clientOf(wire.url);
    const answer = errorOf(client.call('/'));
    await until(() => reached);
    wire.cut();
    expect(await answer).toMatchObject({ code: 'connection-lost' });
  });

  it('left early by the reader: the server is told, the connection stays', async () => {
    let code: number | undefined;
    await using server = await listenH2((request, response) => {
      response.stream.once('close', () => (code = response.stream.rstCode));
      watchesStayOpen(request, response);
    });
    await using client = clientOf(server.url);
    for await (const _ of (await client.call('/?watch=true')).body) break;
    await until(() => code !== undefined);
    expect(code).toBe(constants.NGHTTP2_CANCEL);
    expect(await client.text('/')).toBe('.done');
    expect(server.accepted()).toBe(1);
  });
});

describe('GOAWAY and refusals', () => {
  it('running streams finish, new ones go elsewhere, the old connection closes', async () => {
    const open: Http2ServerResponse[] = [];
    await using server = await listenH2((request, response) => {
      watchesStayOpen(request, response);
      open.push(response);
    });
    await using client = clientOf(server.url);
    const watch = await client.call('/?watch=true');
    expect(await chunk(watch)).toBe('.');
    const [first] = server.sessions;
    first?.goaway(constants.NGHTTP2_NO_ERROR);
    if (first) await once(first, 'goaway'); // the client's own, in answer
    expect(await client.text('/')).toBe('.done');
    expect(server.accepted()).toBe(2);
    open[0]?.end('bye');
    expect([await chunk(watch), await chunk(watch)]).toEqual(['bye', undefined]);
    await until(() => server.sessions.size === 1);
  });

  it('a request that GOAWAY says was not processed is sent again, admitted again, on another connection', async () => {
    const seen: string[] = [];
    await using server = await listenH2((request, response) => {
      seen.push(`${request.method} ${request.url} on ${response.stream.id}`);
      if (seen.length === 2) response.stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 1);
      else response.end('ok');
    });
    await using client = clientOf(server.url);
    await client.text('/first');
    const [first] = server.sessions;
    let admitted = 0;
    const admit = (): void => void admitted++;
    expect(await client.text('/', { method: 'POST', body: 'x', admit })).toBe('ok');
    expect(seen).toEqual(['GET /first on 1', 'POST / on 3', 'POST / on 1']);
    expect(admitted).toBe(2);
    first?.destroy(); // Node's server keeps it, though the client has gone
  });

  it.each([
    { refusals: 1, want: 'ok' },
    { refusals: 2, want: 'refused' },
  ])('refused $refusals times → $want', async ({ refusals, want }) => {
    let requests = 0;
    await using server = await listenH2((_, response) => {
      if (++requests > refusals) response.end('ok');
      else response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    await using client = clientOf(server.url);
    const answer = await client.text('/', { method: 'POST', body: 'x' }).catch(codeOf);
    expect(answer).toBe(want);
    expect(requests).toBe(2);
  });

  it('a reset of another kind is not sent again: it may have happened', async () => {
    let requests = 0;
    await using server = await listenH2((_, { stream }) => {
      requests++;
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    await using client = clientOf(server.url);
    expect(await errorOf(client.call('/', { method: 'POST', body: 'x' }))).toMatchObject({ code: 'stream-reset' });
    expect(requests).toBe(1);
  });

  it('a GOAWAY with an error ends running streams at once', async () => {
    await using server = await listenH2(watchesStayOpen);
    await using client = clientOf(server.url);
    const watch = await client.call('/?watch=true');
    await chunk(watch);
    for (const session of server.sessions) session.destroy(new Error('broken'));
    expect(await errorOf(chunk(watch))).toMatchObject({
      code: expect.stringMatching(/^(connection-lost|stream-reset)$/),
    });
    expect(await client.text('/')).toBe('.done');
  });
});

describe('time', () => {
  it('a frozen server is found after 30 s of silence and 15 s without an answer to a ping', async () => {
    await using server = await listenH2(watchesStayOpen);
    await using wire = await listenWire(server);
    await using client = clientOf(wire.url);
    const watch = await client.call('/?watch=true');
    await chunk(watch);
    wire.freeze();
    const failure = errorOf(chunk(watch));
    await client.clock.advance(44_999);
    expect(client.life.signal.aborted).toBe(false);
    await client.clock.advance(1);
    expect(await failure).toMatchObject({ code: 'connection-lost', message: /silent for 45000 ms/ });
    expect(client.clock.pending).toBe(0);
    wire.cut();
  });

  it('a server that answers pings keeps its quiet watches', async () => {
    let pings = 0;
    const open: Http2ServerResponse[] = [];
    await using server = await listenH2((_, response) => {
      open.push(response);
      response.write('.');
    });
    server.server.on('session', (session) => session.on('ping', () => pings++));
    await using client = clientOf(server.url);
    const { clock } = client;
    const watch = await client.call('/?watch=true');
    await chunk(watch);
    for (let round = 1; round <= 5; round++) {
      await clock.advance(30_000);
      await until(() => clock.nextDue === clock.monotonic() + 30_000); // the answer is there
    }
    expect(pings).toBe(5);
    open[0]?.end('still here');
    expect(await chunk(watch)).toBe('still here');
  });

  it('a connection unused for a minute closes', async () => {
    await using server = await listenH2(watchesStayOpen);
    await using client = clientOf(server.url);
    await client.text('/');
    await client.clock.advance(29_000);
    await client.text('/');
    await client.clock.advance(59_999);
    expect(server.sessions.size).toBe(1);
    await client.clock.advance(1);
    await until(() => server.sockets.size === 0);
    expect(client.clock.pending).toBe(0);
    expect(await client.text('/')).toBe('.done');
  });

  it('connecting ends after 10 s', async () => {
    await using server = await listenSilent();
    await using client = clientOf(server.url);
    const failure = errorOf(client.call('/'));
    await until(() => server.sockets.size === 1);
    await client.clock.advance(10_000);
    expect(await failure).toMatchObject({ code: 'connect-failed', message: /within 10000 ms/ });
  });
});
