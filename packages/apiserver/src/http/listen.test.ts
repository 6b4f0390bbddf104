import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect as connectH2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Transport, untilAborted } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { exchangeTo, note, testPlane, type TestPlane } from '../plane.fixture.ts';
import { listen, type Listening, type ListenOptions } from './listen.ts';
import { tlsFixture } from './tls.fixture.ts';

const tls = { certificate: tlsFixture.certificate, key: tlsFixture.key };

interface Served extends AsyncDisposable {
  readonly plane: TestPlane;
  readonly listening: Listening;
  /** The signal of the next exchange that is answered with a stream. */
  nextStream(): Promise<AbortSignal>;
}

async function serve(options: ListenOptions = {}, wrap = (transport: Transport) => transport): Promise<Served> {
  const plane = testPlane();
  plane.put(note, { name: 'n' });
  const transport = wrap(exchangeTo(plane.server));
  let opened = Promise.withResolvers<AbortSignal>();
  const listening = await listen(
    async (request, exchange) => {
      const response = await transport(request, exchange);
      if (!('content-length' in response.headers)) opened.resolve(exchange.signal);
      return response;
    },
    options,
    '',
  );
  return {
    plane,
    listening,
    nextStream() {
      opened = Promise.withResolvers();
      return opened.promise;
    },
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

interface Asked {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Over HTTP/1.1. */
async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: Uint8Array } = {},
): Promise<Asked> {
  const { body, ...rest } = options;
  const send = url.startsWith('https') ? httpsRequest : httpRequest;
  const request = send(url, { ...rest, agent: false, ca: tlsFixture.authority } as object).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(await Array.fromAsync(response)),
  };
}

describe('listen', () => {
  it('serves plain HTTP/1.1 where there is no TLS', async () => {
    await using served = await serve();
    expect(served.listening.url).toBe(`http://127.0.0.1:${served.listening.port}`);
    const { status, headers, body } = await ask(`${served.listening.url}/api/v1/notes`);
    expect([status, headers['content-length'], headers['content-type']]).toEqual([
      200,
      String(body.length),
      'application/json',
    ]);
    expect(JSON.parse(String(body))).toMatchObject({ items: [{ metadata: { name: 'n' } }] });
  });

  it('serves h2 and HTTP/1.1 over TLS', async () => {
    await using served = await serve({ tls });
    const { url } = served.listening;
    expect((await ask(`${url}/livez`)).body.toString()).toBe('ok');
    const session = connectH2(url, { ca: tlsFixture.authority });
    const stream = session.request({ ':path': '/api/v1/namespaces/default/notes/n' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect([headers[':status'], JSON.parse(await text(stream))]).toMatchObject([200, { metadata: { name: 'n' } }]);
    session.close();
  });

  it('takes long headers', async () => {
    await using plain = await serve();
    await using secure = await serve({ tls });
    const long = { 'x-long': 'x'.repeat(50_000) };
    for (const { url } of [plain.listening, secure.listening]) {
      expect((await ask(`${url}/livez`, { headers: long })).status).toBe(200);
    }
    const session = connectH2(secure.listening.url, {
      ca: tlsFixture.authority,
      ...{ maxSendHeaderBlockLength: 1 << 20 },
    });
    await once(session, 'remoteSettings');
    const stream = session.request({ ':path': '/livez', ...long });
    expect(await text(stream)).toBe('ok');
    session.close();
  });

  it('passes on what was sent, and refuses what is too long', async () => {
    const seen: (number | undefined)[] = [];
    await using served = await serve({}, (transport) => (request, options) => {
      seen.push(request.body?.length);
      return transport(request, options);
    });
    const path = `${served.listening.url}/api/v1/namespaces/default/notes`;
    const headers = { 'content-type': 'application/json' };
    const small = await ask(path, { method: 'POST', headers, body: Buffer.from('{') });
    expect(small.status).toBe(400);
    const { status, body } = await ask(path, { method: 'POST', headers, body: Buffer.alloc(4 << 20, '{') });
    expect([status, JSON.parse(String(body))]).toMatchObject([
      413,
      { reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
    ]);
    expect(seen).toEqual([1, (3 << 20) + 1]);
  });

  it('compresses what is large, for who can read it', async () => {
    await using served = await serve();
    const path = `${served.listening.url}/api/v1/notes`;
    const gzip = { headers: { 'accept-encoding': 'gzip' } };
    expect((await ask(path, gzip)).headers['content-encoding']).toBeUndefined();
    served.plane.put(note, { name: 'large' }, { data: 'x'.repeat(200_000) });
    expect((await ask(path)).headers['content-encoding']).toBeUndefined();
    const { headers, body } = await ask(path, gzip);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
    });
    expect(body.length).toBeLessThan(10_000);
    expect(JSON.parse(String(gunzipSync(body)))).toMatchObject({ kind: 'NoteList', items: [{}, {}] });
  });

  it.each([
    ['HTTP/1.1', {}],
    ['h2', { tls }],
  ])('streams watches over %s, and ends them with the client', async (_, options) => {
    await using served = await serve(options);
    const { url } = served.listening;
    const gone = new AbortController();
    const opened = served.nextStream();
    let chunks: AsyncIterator<Buffer>;
    if ('tls' in options) {
      const session = connectH2(url, { ca: tlsFixture.authority });
      const stream = session.request({ ':path': '/api/v1/notes?watch=1', 'accept-encoding': 'gzip' });
      stream.on('error', () => undefined);
      gone.signal.addEventListener('abort', () => session.destroy());
      chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    } else {
      const request = httpRequest(`${url}/api/v1/notes?watch=1`, {
        agent: false,
        headers: { 'accept-encoding': 'gzip' },
      }).end();
      request.on('error', () => undefined);
      gone.signal.addEventListener('abort', () => request.destroy());
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.headers['content-encoding']).toBeUndefined();
      chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    }
    expect(String((await chunks.next()).value)).toContain('"type":"ADDED"');
    served.plane.put(note, { name: 'm' });
    expect(String((await chunks.next()).value)).toContain('"name":"m"');
    gone.abort();
    await chunks.next().catch(() => undefined);
    await untilAborted(await opened);
    expect(served.plane.server.view.watches.size).toBe(0);
    expect(served.plane.clock.pending).toBe(0);
  });

  it('goes on when clients leave in the middle of large answers', async () => {
    await using served = await serve({ tls });
    served.plane.put(note, { name: 'large' }, { data: { text: 'x'.repeat(1 << 20) } });
    const session = connectH2(served.listening.url, { ca: tlsFixture.authority });
    try {
      for (let i = 0; i < 40; i++) {
        const left = session.request({ ':path': '/api/v1/notes' });
        left.on('error', () => undefined);
        await once(left, 'data');
        left.destroy();
        await once(left, 'close');
      }
      const stream = session.request({ ':path': '/version' });
      expect(JSON.parse(await text(stream))).toMatchObject({ minor: '36' });
    } finally {
      session.destroy();
    }
  });

  it('keeps nobody waiting for who does not read', async () => {
    await using served = await serve({ tls });
    const { url } = served.listening;
    const sessions = [connectH2(url, { ca: tlsFixture.authority }), connectH2(url, { ca: tlsFixture.authority })];
    try {
      const [idle, busy] = sessions.map((session) => session.request({ ':path': '/api/v1/notes?watch=1' }));
      if (!idle || !busy) throw new Error('there are two');
      await Promise.all([once(idle, 'response'), once(busy, 'response')]);
      idle.pause();
      let [lines, writes] = [0, 0];
      const data = { text: 'x'.repeat(20_000) };
      // Ten megabytes: more than all buffers on the way hold.
      for await (const chunk of busy) {
        for (const byte of chunk as Buffer) if (byte === 10) lines++;
        if (lines === 501) break;
        while (writes < 500 && writes < lines + 20) {
          served.plane.put(note, { name: 'n', labels: { n: String(writes++) } }, { data });
        }
      }
      expect(lines).toBe(501);
      // What is not read waits here, where it is bounded, and nowhere on the way.
      expect(idle.readableLength).toBeLessThan(1 << 20);
      expect(served.plane.server.view.watches.size).toBe(2);
    } finally {
      for (const session of sessions) session.destroy();
    }
  });

  it('shows a broken stream as one, and a clean end as that', async () => {
    await using served = await serve();
    const path = `${served.listening.url}/api/v1/notes?watch=1`;
    const end = async (error?: Error): Promise<string> => {
      const opened = served.nextStream();
      const reading = ask(path).then(
        () => 'clean',
        () => 'broken',
      );
      await opened;
      served.plane.server.view.watches.end(undefined, error);
      return reading;
    };
    expect([await end(), await end(new Error('cut'))]).toEqual(['clean', 'broken']);
  });

  it('answers with its own fault where there is one', async () => {
    await using served = await serve({}, () => () => Promise.reject(new TypeError('a bug')));
    const { status, body } = await ask(`${served.listening.url}/livez`);
    expect([status, JSON.parse(String(body))]).toMatchObject([500, { message: 'Internal error occurred: a bug' }]);
  });

  it('frees its port and cuts what is open', async () => {
    const served = await serve();
    const { url, port } = served.listening;
    const opened = served.nextStream();
    const open = ask(`${url}/api/v1/notes?watch=1`).then(
      () => 'clean',
      () => 'broken',
    );
    await opened;
    await served.listening.close();
    expect(await open).toBe('broken');
    await using again = await serve({ port });
    expect(again.listening.port).toBe(port);
    await expect(serve({ port })).rejects.toThrow('EADDRINUSE');
  });
});
