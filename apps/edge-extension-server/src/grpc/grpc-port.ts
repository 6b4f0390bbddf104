/** Where a gRPC server listens: sockets that are ours, so that what comes in was judged before gRPC sees it. */
import { connect, createServer, type Server as SocketServer, type Socket } from 'node:net';
import { unlink } from 'node:fs/promises';
import { type ConnectionInjector, type Server, ServerCredentials } from '@grpc/grpc-js';
import { type Clock, type DurationMs, linkAbort } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import type { Certificates } from '../tls/certificates.ts';
import { createGate } from '../tls/gate.ts';
import type { SubjectName } from '../tls/subject-names.ts';
import { callerName } from './caller.ts';
import { formatAddress, isLocal, type ListenAddress } from './listen-address.ts';

export interface PortSecurity {
  readonly certificates: Certificates;
  readonly allowed: readonly SubjectName[];
}

export interface GrpcPortOptions {
  readonly server: Server;
  readonly addresses: readonly ListenAddress[];
  /** For every address but Unix sockets. Without it only local addresses are listened on. */
  readonly security?: PortSecurity | undefined;
  /** Calls that run when their connection is to go may go on for so long. */
  readonly graceMs: DurationMs;
  readonly clock: Clock;
  readonly log: Log;
  /** A connection that was let in; disposed when it closes. */
  readonly connected?: ((caller: string) => Disposable) | undefined;
}

/**
 * Guarantees: nothing comes in in the clear but from this machine; callers whose authority is no longer believed lose their connections
 * once their calls are done.
 */
export class GrpcPort {
  readonly #options: GrpcPortOptions;
  #injector: ConnectionInjector;
  readonly #listeners: SocketServer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #following = new DisposableStack();
  readonly #cuts = new Set<Disposable>();
  /** Told when no socket is left. */
  #emptied: (() => void) | undefined;

  /** @throws TypeError for an address that others could reach in the clear */
  constructor(options: GrpcPortOptions) {
    this.#options = options;
    for (const address of options.addresses) {
      if (!options.security && !isLocal(address))
        throw new TypeError(`without certificates there is no listening on ${formatAddress(address)}`);
    }
    this.#injector = injectorOf(options.server);
  }

  get listening(): boolean {
    return this.#listeners.length > 0 && this.#listeners.every((server) => server.listening);
  }

  /** The TCP port, when there is one and it is open. */
  get port(): number | undefined {
    return this.#listeners.map(portOf).find((port) => port !== undefined);
  }

  /** @throws when an address cannot be had */
  async open(): Promise<void> {
    const { addresses, log, security } = this.#options;
    if (security) {
      this.#following.use(
        security.certificates.subscribe((now, before) => {
          if (now.caDigest !== before.caDigest) this.goAway();
        }),
      );
    }
    for (const address of addresses) {
      const server = this.#listener(address);
      this.#listeners.push(server);
      await listen(server, address);
      const at = 'path' in address ? address : { ...address, port: portOf(server) ?? address.port };
      log.info({ address: formatAddress(at), tls: security !== undefined && !('path' in address) }, 'listening');
    }
  }

  /** Asks those who are connected to connect anew once the calls that they have made are done. */
  goAway(): void {
    const { server, clock, graceMs } = this.#options;
    const leaving = [...this.#sockets];
    this.#injector.destroy();
    // The injector's own way to drain cuts off also who comes in the meantime.
    this.#injector = injectorOf(server);
    const cut = clock.timer(graceMs, () => {
      this.#cuts.delete(cut);
      for (const socket of leaving) socket.destroy();
    });
    this.#cuts.add(cut);
  }

  /** Stops listening, lets calls finish in the time of grace, then closes what is left. */
  async close(): Promise<void> {
    const { clock, graceMs } = this.#options;
    this.#following.dispose();
    for (const server of this.#listeners) if (server.listening) server.close();
    this.#injector.destroy();
    if (this.#sockets.size > 0) {
      using grace = linkAbort();
      const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
      await Promise.race([emptied, clock.sleep(graceMs, grace.signal).catch(() => undefined)]);
      grace.abort();
    }
    for (const cut of this.#cuts) cut[Symbol.dispose]();
    for (const socket of this.#sockets) socket.destroy();
  }

  #listener(address: ListenAddress): SocketServer {
    const { security, clock, log } = this.#options;
    if (!security || 'path' in address) return createServer((socket) => this.#accept(socket));
    const gate = this.#following.use(createGate({ ...security, clock, log, accept: (socket) => this.#accept(socket) }));
    return gate.server;
  }

  #accept(socket: Socket): void {
    const connection = this.#options.connected?.(callerName(socket.remoteAddress));
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      connection?.[Symbol.dispose]();
      if (this.#sockets.size === 0) this.#emptied?.();
    });
    this.#injector.injectConnection(socket);
  }
}

function portOf(server: SocketServer): number | undefined {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : undefined;
}

const injectorOf = (server: Server): ConnectionInjector =>
  server.createConnectionInjector(ServerCredentials.createInsecure());

async function listen(server: SocketServer, address: ListenAddress): Promise<void> {
  try {
    await tryListen(server, address);
  } catch (error) {
    if (!('path' in address) || !(await isAbandoned(address.path, error))) throw error;
    await unlink(address.path);
    await tryListen(server, address);
  }
}

function tryListen(server: SocketServer, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** A Unix socket outlives a process that was killed: it is taken when nobody answers on it. */
function isAbandoned(path: string, error: unknown): Promise<boolean> {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => (socket.destroy(), resolve(false)));
    socket.once('error', (reason: NodeJS.ErrnoException) => resolve(reason.code === 'ECONNREFUSED'));
  });
}
