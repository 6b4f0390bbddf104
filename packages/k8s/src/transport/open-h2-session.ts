/** From a connected socket to an HTTP/2 session. */
import { connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { Target } from './dial.ts';
import { H2Session, type H2SessionOptions } from './h2-session.ts';
import { TransportError } from './transport-error.ts';

/**
 * Windows: with the default of 64 KiB a list over a 20 ms round trip took 97 times as long as over HTTP/1.1; with these it takes about
 * twice as long, and one reader that stalls holds at most 4 MiB.
 */
const streamWindowBytes = 4 * 1024 * 1024;
const connectionWindowBytes = 32 * 1024 * 1024;
/** In MB. The default of 10 refuses streams while a few lists are under way. */
const maxSessionMemory = 1024;

/**
 * Resolves when the server's settings have arrived: before that its stream limit is not known.
 *
 * @throws TransportError `connect-failed`, `tls-failed` (a server refuses a client certificate only after the handshake); or the signal's reason
 */
export function openH2Session(
  target: Target,
  socket: Socket,
  options: H2SessionOptions & { readonly signal: AbortSignal },
): Promise<H2Session> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const raw = connect(`${target.secure ? 'https' : 'http'}://${target.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory,
    });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      raw.off('close', onClose).off('error', onError).off('remoteSettings', onSettings);
      socket.off('close', onClose).off('error', onError);
      outcome();
    };
    const fail = (error: unknown): void =>
      settle(() => {
        for (const emitter of [raw, socket]) emitter.on('error', () => undefined);
        raw.destroy();
        socket.destroy();
        reject(error);
      });
    const onAbort = (): void => fail(signal.reason);
    const onError = (cause?: Error): void => fail(openError(target, cause));
    const onClose = (): void => onError();
    const onSettings = (): void => {
      if (raw.remoteSettings.maxConcurrentStreams === 0) return onError(new Error('it allows no streams'));
      settle(() => resolve(new H2Session(raw, socket, { target, ...options })));
    };
    raw.on('error', onError).on('close', onClose).once('remoteSettings', onSettings);
    // A TLS alert after the handshake ends the socket and never shows on the session.
    socket.on('error', onError).on('close', onClose);
    raw.once('connect', () => raw.setLocalWindowSize(connectionWindowBytes));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function openError({ authority }: Target, cause: Error | undefined): TransportError {
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code).startsWith('ERR_SSL')
    ? 'tls-failed'
    : 'connect-failed';
  return new TransportError(code, `no HTTP/2 connection to ${authority}: ${cause?.message ?? 'closed by the peer'}`, {
    cause,
  });
}
