/** The production {@link TransportFactory}. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  abortable,
  type Clock,
  linkAbort,
  type Transport,
  type TransportOptions,
  type TransportRequest,
} from '@lifeline/core';
import type { Files, Log } from '../app/env.ts';
import type { Credential, CredentialSource } from './credential.ts';
import { credentialKey, credentialSource } from './credential-source.ts';
import { targetOf } from './dial.ts';
import type { Endpoint, Impersonation, TransportFactory } from './endpoint.ts';
import { type Spawn, systemSpawn } from './exec-process.ts';
import { Pool } from './pool.ts';
import { Shared } from './shared.ts';
import { TlsIdentity } from './tls-identity.ts';
import { TransportError } from './transport-error.ts';
import type { Lane, WireRequest } from './wire.ts';

export interface TransportFactoryOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly log?: Log | undefined;
  /** Runs credential plugins. Default: real processes. */
  readonly spawn?: Spawn | undefined;
  /** Default `lifeline`. */
  readonly userAgent?: string | undefined;
}

/**
 * Transports over real sockets: HTTP/2 where TLS negotiates it, else HTTP/1.1; plain `http:` is always HTTP/1.1.
 *
 * Guarantees: endpoints with the same server and the same certificates share connections, whatever their base paths and tokens;
 * rotated tokens and certificates are used within a minute, without a restart; a 401 is answered by looking for a newer credential once
 * and repeating the request once, if there was one. `accept-encoding: gzip` is sent with reads, not with watches, whose small events
 * would wait in the server's compressor.
 */
export function createTransportFactory(options: TransportFactoryOptions): TransportFactory {
  const { clock, files, log, spawn = systemSpawn, userAgent = 'lifeline' } = options;
  const pools = new Shared<Pool>();
  const sources = new Shared<CredentialSource>();

  const openPool = (endpoint: Endpoint, signal: AbortSignal): Pool => {
    const target = targetOf(endpoint.server);
    if (endpoint.tls?.insecureSkipVerify)
      log?.warn({ server: target.authority }, 'the server certificate is not verified');
    const identity = target.secure ? new TlsIdentity(endpoint.tls ?? {}, { clock, files, log, signal }) : undefined;
    return new Pool({ target, identity, clock, signal });
  };

  return (endpoint, life) => {
    if (life.aborted) return () => Promise.reject(life.reason);
    const credentials = sources.get(credentialKey(endpoint), life, (signal) =>
      credentialSource(endpoint, { clock, files, log, spawn, signal }),
    );
    const pool = pools.get(poolKey(endpoint), life, (signal) => openPool(endpoint, signal));
    return bind({ endpoint, life, pool, credentials, userAgent });
  };
}

/** What two endpoints must have in common to share connections. Plugins may bring a client certificate, so they count. */
function poolKey({ server, tls, credentials }: Endpoint): string {
  const { protocol, host } = new URL(server);
  return JSON.stringify([
    protocol,
    host,
    tls,
    credentials?.type === 'exec' ? credentialKey({ server, tls, credentials }) : '',
  ]);
}

interface Binding {
  readonly endpoint: Endpoint;
  readonly life: AbortSignal;
  readonly pool: Pool;
  readonly credentials: CredentialSource;
  readonly userAgent: string;
}

function bind({ endpoint, life, pool, credentials, userAgent }: Binding): Transport {
  const origin = originOf(endpoint.server);
  const impersonation = impersonationHeaders(endpoint.impersonate);

  const send = async (request: TransportRequest, credential: Credential, { signal, admit }: TransportOptions) => {
    const { authorization, clientCertificate } = credential;
    const lane = laneOf(request.url);
    const headers: WireRequest['headers'] = {
      'user-agent': userAgent,
      ...(request.method === 'GET' && lane === 'unary' ? { 'accept-encoding': 'gzip' } : {}),
      ...(authorization === undefined ? {} : { authorization }),
      ...request.headers,
      ...impersonation,
    };
    const path = pathUnder(origin, request.url);
    checkHead(request.method, path, headers);
    const link = linkAbort(signal, life);
    const unlink = (): void => link[Symbol.dispose]();
    try {
      return await pool.exchange(
        { method: request.method, path, headers, body: request.body },
        { signal: link.signal, admit, lane, clientCertificate, onBodySettled: unlink },
      );
    } catch (error) {
      unlink();
      throw error;
    }
  };

  return async (request, options) => {
    const { signal } = options;
    signal.throwIfAborted();
    life.throwIfAborted();
    const now = credentials.current();
    const credential = now instanceof Promise ? await abortable(now, signal) : now;
    const response = await send(request, credential, options);
    if (response.status !== 401) return response;
    const newer = await abortable(credentials.replace(credential), signal);
    // A client certificate may be what was refused.
    const renewed = endpoint.tls?.clientCertificate !== undefined && (await pool.refresh(signal));
    if (newer === credential && !renewed) return response;
    await response.body[Symbol.asyncIterator]().return?.();
    return send(request, newer, options);
  };
}

/** `scheme://authority`, as written. */
const originOf = (server: string): string => /^https?:\/\/[^/]+/i.exec(server)?.[0] ?? server;

/** @throws TransportError `wrong-origin` */
function pathUnder(origin: string, url: string): string {
  if (!url.startsWith(origin)) throw wrongOrigin(origin, url);
  const path = url.slice(origin.length);
  if (path.startsWith('/')) return path;
  if (path === '' || path.startsWith('?')) return `/${path}`;
  throw wrongOrigin(origin, url);
}

/** @throws TransportError `invalid-request`, which names the header and quotes no value */
function checkHead(method: string, path: string, headers: WireRequest['headers']): void {
  try {
    validateHeaderName(method);
    if (!/^[\x21-\x7e]+$/.test(path)) throw new TypeError('the path has characters that must be escaped');
    for (const name in headers) {
      validateHeaderName(name);
      for (const value of [headers[name] ?? []].flat()) validateHeaderValue(name, value);
    }
  } catch (cause) {
    throw new TransportError('invalid-request', (cause as Error).message, { cause });
  }
}

const wrongOrigin = (origin: string, url: string): TransportError =>
  new TransportError('wrong-origin', `${url} is not on ${origin}`);

const laneOf = (url: string): Lane => (/[?&]watch=(true|1)(&|$)/.test(url) ? 'watch' : 'unary');

/** @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation */
function impersonationHeaders(impersonate: Impersonation | undefined): Record<string, string | readonly string[]> {
  if (!impersonate) return {};
  const { user, uid, groups = [], extra = {} } = impersonate;
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length > 0 ? { 'impersonate-group': groups } : {}),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
        values,
      ]),
    ),
  };
}
