/** The door of a port that speaks TLS: lets in whom it was told of. */
import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type Clock, describeError } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';
import type { Certificates } from './certificates.ts';
import type { Material } from './material.ts';
import { RefusalLog } from './refusal-log.ts';
import { isAllowed, type SubjectName, subjectNames } from './subject-names.ts';

export interface GateOptions {
  readonly certificates: Certificates;
  /** One of them must be in the caller's certificate. Empty: nobody comes in. */
  readonly allowed: readonly SubjectName[];
  readonly clock: Clock;
  readonly log: Log;
  /** Takes a connection of an allowed caller that speaks HTTP/2. */
  readonly accept: (socket: TLSSocket) => void;
}

/** A server to listen with. Disposing it stops following the certificates. */
export interface Gate extends Disposable {
  readonly server: Server;
}

/**
 * Guarantees: TLS 1.3; a certificate for clients, from one of our authorities, with an allowed name; HTTP/2. No byte of a request is read
 * from anyone else. No session is resumed, so that each connection is judged by the authorities of now.
 */
export function createGate({ certificates, allowed, accept, ...env }: GateOptions): Gate {
  const refusals = new RefusalLog(env);
  const server = createServer({
    ...contextOptions(certificates.current),
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  });
  server.on('secureConnection', (socket) => {
    const reason = refusal(socket, allowed);
    if (reason === undefined) return accept(socket);
    refusals.refused(socket.remoteAddress, reason);
    socket.on('error', () => undefined);
    socket.destroy();
  });
  server.on('tlsClientError', (error, socket) => {
    const reason = authorizationError(socket) ?? reasonOf(error);
    refusals.refused(socket.remoteAddress, reason);
  });
  const following = certificates.subscribe((now) => server.setSecureContext(contextOptions(now)));
  return { server, [Symbol.dispose]: () => following[Symbol.dispose]() };
}

/** Everything that a new context would not inherit from the old one. */
const contextOptions = ({ ca, certificate, key }: Material): object => ({
  ca,
  cert: certificate,
  key,
  minVersion: 'TLSv1.3',
  secureOptions: constants.SSL_OP_NO_TICKET,
});

function refusal(socket: TLSSocket, allowed: readonly SubjectName[]): string | undefined {
  if (!socket.authorized) return authorizationError(socket) ?? 'not authorized';
  if (socket.alpnProtocol !== 'h2') return 'it does not speak HTTP/2';
  const names = subjectNames(socket.getPeerX509Certificate()?.subjectAltName);
  if (isAllowed(names, allowed)) return undefined;
  return `none of its names is allowed: ${names.map(({ type, value }) => `${type}:${value}`).join(', ') || 'it has none'}`;
}

/** Of an error of OpenSSL as much as is the same each time. */
const reasonOf = (error: Error & { readonly reason?: string }): string => error.reason ?? describeError(error);

/** Node sets it to null, an Error or its code. */
function authorizationError(socket: Socket & { readonly authorizationError?: unknown }): string | undefined {
  const error = socket.authorizationError;
  return error === undefined || error === null ? undefined : describeError(error);
}
