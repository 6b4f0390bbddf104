/** Real servers on the loopback interface, for what only real sockets show. */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSecureServer as createH2Server,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer as createTlsServer, type Server as TlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Authority, createAuthority } from './certificates.ts';

export interface Loopback<S extends Server = Server> extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly server: S;
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Connections ever accepted. */
  readonly accepted: () => number;
}

export interface H2Loopback extends Loopback<Http2SecureServer> {
  /** Open HTTP/2 sessions, oldest first. */
  readonly sessions: ReadonlySet<ServerHttp2Session>;
}

type H2Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;
type H1Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Signs the certificates of servers that are not given one. */
export const loopbackAuthority: Authority = createAuthority('loopback authority');

export const loopbackCertificate = (
  authority: Authority = loopbackAuthority,
): { readonly cert: string; readonly key: string } => {
  const { certificate, key } = authority.issue({
    commonName: 'loopback',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
  });
  return { cert: certificate, key };
};

/** Speaks HTTP/2, and HTTP/1.1 where `allowHTTP1` is set. */
export async function listenH2(handler: H2Handler, options: SecureServerOptions = {}): Promise<H2Loopback> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createH2Server({ ...loopbackCertificate(), ...options }, handler);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.once('close', () => sessions.delete(session));
  });
  return { ...(await listen(server, 'https')), sessions };
}

export const listenTls = async (handler: H1Handler, options: ServerOptions = {}): Promise<Loopback<TlsServer>> =>
  listen(createTlsServer({ ...loopbackCertificate(), ...options }, handler), 'https');

export const listenPlain = async (handler: H1Handler): Promise<Loopback> => listen(createPlainServer(handler), 'http');

/** Accepts connections and never says a word. */
export const listenSilent = async (): Promise<Loopback> =>
  listen(
    createServer((socket) => socket.resume()),
    'https',
  );

async function listen<S extends Server>(server: S, scheme: 'http' | 'https'): Promise<Loopback<S>> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    sockets,
    accepted: () => accepted,
    // First waits for the clients, so a connection that one leaves open fails the test.
    [Symbol.asyncDispose]: async () => {
      await until(() => sockets.size === 0);
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export interface Wire extends Loopback {
  /** From now on nothing passes in either direction, and no end either: a peer that the kernel still answers for. */
  freeze(): void;
  /** Closes every connection, without a goodbye. */
  cut(): void;
}

/** A cable to another loopback server that can freeze and be cut. */
export async function listenWire(to: Loopback): Promise<Wire> {
  let frozen = false;
  const ends = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: (to.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on('data', (chunk: Buffer) => !frozen && into.write(chunk));
      from.on('end', () => !frozen && into.end());
      from.on('error', () => undefined);
      from.on('close', () => {
        ends.delete(from);
        into.destroy();
      });
    }
  });
  return {
    ...(await listen(server, to.url.startsWith('https') ? 'https' : 'http')),
    freeze: () => (frozen = true),
    cut: () => {
      for (const end of ends) end.destroy();
    },
  };
}

/** Waits for `condition` while real I/O goes on. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** One turn of the event loop. */
const turn = (): Promise<void> =>
  // eslint-disable-next-line no-restricted-globals -- sockets, unlike everything else in a test, need turns of the event loop
  new Promise((resolve) => setImmediate(resolve));
