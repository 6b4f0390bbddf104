import { existsSync } from 'node:fs';
import { mkdtempDisposable, rename } from 'node:fs/promises';
import { connect, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server as SocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, type sendUnaryData, type Server, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { VirtualClock } from '@lifeline/core/testing';
import { createAuthority, filesOf, testEnv, until } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { FollowedCertificates } from '../tls/certificates.ts';
import { parseAllowedName } from '../tls/subject-names.ts';
import { type Arrival, createGrpcServer } from './grpc-server.ts';
import { GrpcPort, type GrpcPortOptions } from './grpc-port.ts';
import { onStreamEnd, type StreamEnd, windowBytes } from './http2-stream.ts';
import { freeMessage, Loan } from './loan.ts';

const identity = (bytes: Buffer): Buffer => bytes;
const path = '/test.Test/Echo';
const limit = 1024 * 1024;

/** A server of one method, on a real socket. */
async function serve(options: Partial<GrpcPortOptions> = {}): Promise<{
  readonly port: GrpcPort;
  readonly clock: VirtualClock;
  readonly arrivals: Arrival[];
  /** Of the arrivals; a stream forgets its own when it ends. */
  readonly sessions: readonly ServerHttp2Stream['session'][];
  readonly ends: StreamEnd[];
  readonly open: Set<string>;
  /** Calls whose answers wait. */
  readonly waiting: (() => void)[];
  /** How many loans came back. */
  readonly loans: { ended: number };
}> {
  const clock = new VirtualClock();
  const { log } = testEnv({ clock, signal: new AbortController().signal });
  const arrivals: Arrival[] = [];
  const sessions: ServerHttp2Stream['session'][] = [];
  const ends: StreamEnd[] = [];
  const waiting: (() => void)[] = [];
  const open = new Set<string>();
  const loans = { ended: 0 };
  const server: Server = createGrpcServer({
    messageLimitBytes: limit,
    graceMs: 1_000,
    arrived: (arrival) => {
      arrivals.push(arrival);
      sessions.push(arrival.stream.session);
      onStreamEnd(arrival.stream, (end) => ends.push(end));
    },
  });
  const method = { path, requestStream: false, responseStream: false } as const;
  server.addService(
    {
      echo: {
        ...method,
        requestSerialize: identity,
        requestDeserialize: identity,
        // Never asked of a loan.
        responseSerialize: identity as (message: Buffer | Loan) => Buffer,
        responseDeserialize: identity,
      },
    },
    {
      echo: ({ request }: ServerUnaryCall<Buffer, Buffer | Loan>, answer: sendUnaryData<Buffer | Loan>) => {
        const text = request.subarray(0, 12).toString();
        const lent = new Loan(request, () => loans.ended++);
        if (text.startsWith('lend')) answer(null, lent);
        else if (text.startsWith('wait to lend')) waiting.push(() => answer(null, lent));
        else if (text.startsWith('wait')) waiting.push(() => answer(null, request));
        else if (text.startsWith('fail')) answer({ code: status.INTERNAL, details: 'as asked' });
        else if (text.startsWith('large')) answer(null, Buffer.alloc(limit));
        else answer(null, request);
      },
    },
  );
  const port = new GrpcPort({
    server,
    addresses: [{ host: '127.0.0.1', port: 0 }],
    graceMs: 1_000,
    clock,
    log,
    connected: (caller) => {
      open.add(caller);
      return { [Symbol.dispose]: () => void open.delete(caller) };
    },
    ...options,
  });
  await port.open();
  return { port, clock, arrivals, sessions, ends, open, waiting, loans };
}

const clientOf = (target: string, with_ = credentials.createInsecure()): Client =>
  new Client(target, with_, { 'grpc.max_receive_message_length': 2 * limit, 'grpc.use_local_subchannel_pool': 1 });

/** The answer, or the code and details of the error. */
function call(client: Client, text: string | Buffer): Promise<string> & { cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = client.makeUnaryRequest<Buffer, Buffer>(
    path,
    identity,
    identity,
    Buffer.from(text),
    (error, answer) => resolve(error ? `${error.code} ${error.details}` : (answer as Buffer).toString()),
  );
  return Object.assign(promise, { cancel: () => running.cancel() });
}

describe('a gRPC port', () => {
  it('answers, and tells who called and how it ended', async () => {
    const { port, arrivals, ends, open } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    expect(await call(client, 'hello')).toBe('hello');
    expect(await call(client, 'fail')).toBe('13 as asked');
    await until(() => ends.length === 2);
    expect(arrivals.map(({ caller, path: called }) => `${caller} ${called}`)).toEqual(
      Array(2).fill(`127.0.0.1 ${path}`),
    );
    expect(ends).toEqual([
      { how: 'closed', status: 0 },
      { how: 'closed', status: 13 },
    ]);
    expect([...open]).toEqual(['127.0.0.1']);
    client.close();
    await until(() => open.size === 0);
    await port.close();
  });

  it('tells of an answer that the caller did not wait for', async () => {
    const { port, ends, waiting } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    const first = call(client, 'wait');
    await until(() => waiting.length === 1);
    first.cancel();
    expect(await first).toBe('1 Cancelled on client');
    await until(() => ends.length === 1);
    waiting[0]?.();
    expect(ends).toEqual([{ how: 'reset', code: 8 }]);
    client.close();
    await port.close();
  });

  it('tells of a caller that is gone before all of its answer is', async () => {
    const { port, ends, waiting } = await serve();
    const session = connect(`http://127.0.0.1:${port.port}`);
    const request = session.request({
      ':path': path,
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => undefined);
    request.end(Buffer.from('\0\0\0\0\x04wait'));
    await until(() => waiting.length === 1);
    session.destroy();
    await until(() => ends.length === 1);
    waiting[0]?.();
    expect(ends).toEqual([{ how: 'reset', code: 8 }]);
    await port.close();
  });

  it('sends what is lent as it stands, and gives it back once it went out', async () => {
    const { port, ends, loans } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    for (const [i, length] of [4, 70_000, limit].entries()) {
      const lent = `lend${'x'.repeat(length - 4)}`;
      expect((await call(client, lent)) === lent).toBe(true);
      await until(() => ends.length === i + 1);
      expect(loans.ended).toBe(i + 1);
    }
    expect(ends).toEqual(Array(3).fill({ how: 'closed', status: 0 }));
    client.close();
    await port.close();
  });

  it('keeps what was lent to a caller that is gone', async () => {
    const { port, ends, waiting, loans } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    const running = call(client, 'wait to lend');
    await until(() => waiting.length === 1);
    running.cancel();
    await running;
    await until(() => ends.length === 1);
    waiting[0]?.();
    expect(await call(client, 'lend')).toBe('lend');
    expect(loans.ended).toBe(1);
    client.close();
    await port.close();
  });

  it('refuses what is over the limit, both ways, and takes what is just within', async () => {
    const { port, ends } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    expect(await call(client, Buffer.alloc(limit, 'x'))).toHaveLength(limit);
    expect(await call(client, Buffer.alloc(limit + 1, 'x'))).toMatch(/^8 /);
    await until(() => ends.length === 2);
    expect(ends).toEqual([
      { how: 'closed', status: 0 },
      { how: 'closed', status: status.RESOURCE_EXHAUSTED },
    ]);
    client.close();
    await port.close();
  });

  it('opens the windows of each connection', async () => {
    const { port, sessions } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    await call(client, 'one');
    const [session] = sessions;
    await until(() => session?.localSettings.initialWindowSize === windowBytes);
    expect(session?.state.effectiveLocalWindowSize).toBe(windowBytes);
    client.close();
    await port.close();
  });

  it('when it goes away, calls that run end well and later ones come over a new connection', async () => {
    const { port, clock, sessions, waiting } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    const before = call(client, 'wait');
    await until(() => waiting.length === 1);
    port.goAway();
    const after = call(client, 'after');
    expect(await after).toBe('after');
    expect(sessions[1]).not.toBe(sessions[0]);
    waiting[0]?.();
    expect(await before).toBe('wait');
    // Who came in the meantime is not cut off when the time of grace is over.
    const later = call(client, 'wait');
    await until(() => waiting.length === 2);
    await clock.advance(2_000);
    waiting[1]?.();
    expect(await later).toBe('wait');
    client.close();
    await port.close();
  });

  it('cuts off a call that goes on for longer than that', async () => {
    const { port, clock, waiting } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    const endless = call(client, 'wait');
    await until(() => waiting.length === 1);
    port.goAway();
    await clock.advance(1_000);
    expect(await endless).toMatch(/^(1|13|14) /);
    client.close();
    await port.close();
  });

  it('closes in order: no new connections, running calls to their end', async () => {
    const { port, waiting, open } = await serve();
    const address = `127.0.0.1:${port.port}`;
    const client = clientOf(address);
    const running = call(client, 'wait');
    await until(() => waiting.length === 1);
    const closing = port.close();
    expect(port.listening).toBe(false);
    waiting[0]?.();
    expect(await running).toBe('wait');
    await closing;
    expect(open.size).toBe(0);
    client.close();
  });

  it('closes in time even when a call does not end', async () => {
    const { port, clock, waiting } = await serve();
    const client = clientOf(`127.0.0.1:${port.port}`);
    const running = call(client, 'wait');
    await until(() => waiting.length === 1);
    const closing = port.close();
    await clock.advance(1_000);
    await closing;
    expect(await running).toMatch(/^(1|13|14) /);
    expect(clock.pending).toBe(0);
    client.close();
  });

  it('listens on a Unix socket, also where a killed process left one', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-port-'));
    const socket = join(folder.path, 'hook.sock');
    for (let start = 0; start < 2; start++) {
      const { port, arrivals, open } = await serve({ addresses: [{ path: socket }] });
      const client = clientOf(`unix:${socket}`);
      expect(await call(client, 'hello')).toBe('hello');
      expect(arrivals[0]?.caller).toBe('unix');
      expect([...open]).toEqual(['unix']);
      client.close();
      await port.close();
      expect(existsSync(socket)).toBe(false);
      await leaveSocket(socket);
    }
  });

  it('does not take a Unix socket from one who listens on it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-port-'));
    const socket = join(folder.path, 'hook.sock');
    const other = await listenOn(socket);
    await expect(serve({ addresses: [{ path: socket }] })).rejects.toThrow('EADDRINUSE');
    other.close();
  });

  it.each(['0.0.0.0', '::', undefined, '10.0.0.1', 'localhost', '127.example', '::ffff:127.0.0.1'])(
    'is not to be had on %s without certificates',
    async (host) => {
      await expect(serve({ addresses: [{ host, port: 0 }] })).rejects.toThrow('without certificates');
    },
  );

  it('with certificates serves who may call, over TLS, and asks all to come anew when its authorities change', async () => {
    const [ours, theirs] = [createAuthority(), createAuthority('next')];
    const names = { commonName: 'server', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
    const { certificate, key } = ours.issue(names);
    const files: Record<string, string> = { ca: ours.certificate, crt: certificate, key };
    const clock = new VirtualClock();
    const life = new AbortController();
    const env = { ...testEnv({ clock, signal: life.signal }), files: filesOf(files) };
    const certificates = await FollowedCertificates.load(
      { ca: 'ca', certificate: 'crt', key: 'key' },
      env,
      life.signal,
    );
    const following = certificates.run(life.signal);
    const { port, sessions } = await serve({
      security: { certificates, allowed: [parseAllowedName('envoy-gateway')] },
    });
    const as = (authority: typeof ours): Client => {
      const pair = authority.issue({ commonName: 'x', dnsNames: ['envoy-gateway'] });
      const pem = [ours.certificate, pair.key, pair.certificate].map((text) => Buffer.from(text));
      return clientOf(`localhost:${port.port}`, credentials.createSsl(...(pem as [Buffer, Buffer, Buffer])));
    };
    const client = as(ours);
    expect(await call(client, 'hello')).toBe('hello');
    files['ca'] = theirs.certificate;
    await clock.advance(31_000);
    await until(() => sessions[0]?.destroyed === true);
    expect(await call(client, 'hello')).toMatch(/^14 /);
    const next = as(theirs);
    expect(await call(next, 'hello')).toBe('hello');
    for (const one of [client, next]) one.close();
    life.abort();
    await following;
    await port.close();
  });
});

const listenOn = (socket: string): Promise<SocketServer> =>
  new Promise((resolve) => {
    const server = createServer().listen(socket, () => resolve(server));
  });

/** As a killed process does. */
async function leaveSocket(socket: string): Promise<void> {
  const server = await listenOn(`${socket}.x`);
  await rename(`${socket}.x`, socket);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}

describe('freeMessage', () => {
  it('frees what has memory of its own', () => {
    const message = Buffer.alloc(70_000).subarray(5);
    const { buffer } = message;
    freeMessage(message);
    expect(buffer.byteLength).toBe(0);
    // Twice is once.
    freeMessage(message);
  });

  it.each([
    { what: 'a small one', message: Buffer.from('small') },
    { what: 'one in shared memory', message: Buffer.from(new SharedArrayBuffer(70_000)) },
  ])('leaves $what', ({ message }) => {
    const { length } = message;
    freeMessage(message);
    expect(message).toHaveLength(length);
  });
});
