/** Opens sockets. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type Clock, DeadlineError, deadlineAbort, type DurationMs } from '@lifeline/core';
import type { TlsMaterial } from './tls-identity.ts';
import { TransportError } from './transport-error.ts';

/** One server, as a URL's scheme and authority name it. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Host and port as they stand in the URL. */
  readonly authority: string;
}

/** From first packet to a connection that can be used (TLS and HTTP/2 settings included). */
const connectTimeoutMs: DurationMs = 10_000;
const keepAliveAfterMs: DurationMs = 30_000;

export function targetOf(server: string): Target {
  const { protocol, hostname, port, host } = new URL(server);
  const secure = protocol === 'https:';
  return {
    secure,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    authority: host,
  };
}

/**
 * A connected socket; with `material` after the TLS handshake. The caller bounds the time through `signal`.
 *
 * @throws TransportError `connect-failed`, `tls-failed`; or the signal's reason
 */
export function dial(target: Target, material: TlsMaterial | undefined, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const { host, port } = target;
    const socket = material ? openTls(target, material) : connectTcp({ host, port });
    let reached = false;
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('close', onClose);
      outcome();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        socket.on('error', () => undefined); // what it says after its end concerns nobody
        socket.destroy();
        reject(error);
      });
    const onAbort = (): void => fail(signal.reason);
    const onError = (cause?: Error): void => fail(dialError(target, reached, cause));
    const onClose = (): void => onError();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', onError).on('close', onClose);
    socket.once('connect', () => (reached = true));
    socket.once(material ? 'secureConnect' : 'connect', () =>
      settle(() => {
        socket.setNoDelay(true);
        socket.setKeepAlive(true, keepAliveAfterMs);
        resolve(socket);
      }),
    );
  });
}

const openTls = ({ host, port }: Target, { options }: TlsMaterial): TLSSocket =>
  connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...options });

export interface ConnectOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `work`, cut off after the time that a connection may take. @throws TransportError `connect-failed` then; else as `work` does */
export async function withinConnectTimeout<T>(
  { target, clock, signal }: ConnectOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = deadlineAbort(clock, connectTimeoutMs, signal);
  try {
    return await work(deadline.signal);
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    const message = `no connection to ${target.authority} within ${connectTimeoutMs} ms`;
    throw new TransportError('connect-failed', message, { cause });
  }
}

function dialError({ authority }: Target, reached: boolean, cause: Error | undefined): TransportError {
  const [code, what] = reached
    ? (['tls-failed', 'no TLS connection'] as const)
    : (['connect-failed', 'no connection'] as const);
  return new TransportError(code, `${what} to ${authority}: ${cause?.message ?? 'closed by the peer'}`, { cause });
}
