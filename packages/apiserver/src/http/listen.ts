/** A transport over HTTP/1.1 and, where there is TLS, h2. */
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Transport } from '@lifeline/core';
import { type NodeRequest, type NodeResponse, serveRequest } from './serve-request.ts';

export interface ListenOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default 0: one that is free. */
  readonly port?: number | undefined;
  /** PEM. None: plain HTTP/1.1. */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
}

export interface Listening extends AsyncDisposable {
  /** Where the plane is found: scheme, host, port, and its base path. */
  readonly url: string;
  readonly port: number;
  /** Cuts every connection and frees the port. */
  close(): Promise<void>;
}

/** As kube-apiserver has it. */
const maxConcurrentStreams = 100;
/** Bytes of a request's headers, as Go has it. */
const maxHeaderSize = 1 << 20;
const protocolOptions = {
  allowHTTP1: true,
  settings: { maxConcurrentStreams, maxHeaderListSize: maxHeaderSize },
  // For HTTP/1.1. Node reads it, its types do not know it.
  maxHeaderSize,
};
/** Longer than clients keep idle connections: they are to end them, not we in the middle of their next request. */
const keepAliveMs = 180_000;

/** Rejects when the port cannot be had. */
export async function listen(
  transport: Transport,
  { host = '127.0.0.1', port = 0, tls }: ListenOptions,
  basePath: string,
): Promise<Listening> {
  const handle = (request: NodeRequest, response: NodeResponse): void =>
    void serveRequest(transport, request, response);
  const server = tls
    ? createSecureServer({ ...protocolOptions, cert: tls.certificate, key: tls.key }, handle)
    : createServer({ keepAliveTimeout: keepAliveMs, maxHeaderSize }, handle);
  const connections = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  await bound(server, host, port);
  const { port: actual } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const connection of connections) connection.destroy();
    });
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls ? 'https' : 'http'}://${authority}:${actual}${basePath}`,
    port: actual,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function bound(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
