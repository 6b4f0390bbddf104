/**
 * Plays the tunnel gateway: takes CONNECT over HTTP/2, and pipes each tunnel to the private service behind that node, a real HTTP server
 * which says whose it is. With a certificate, targets on port 8443 speak TLS.
 *
 *     node harness/tunnel-gateway.ts --port 27777 --seen tunnels.jsonl --certificate tls.crt --key tls.key
 *
 * Each tunnel is a line of `--seen`: `{"authority": "app.internal:8080", "nodeId": "aa…", "at": 1700000000000}`.
 */
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream';
import { parseArgs } from 'node:util';
import { systemClock, tunnelHeader } from '@lifeline/core';
import { tellReady } from './script.ts';

export interface SeenTunnel {
  readonly authority: string;
  readonly nodeId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the private service behind a node answers. */
export const bodyOf = (nodeId: string, path: string): string => `hello from ${nodeId.slice(0, 8)} at ${path}\n`;

export const tlsPort = 8443;

class PrivateServices {
  readonly #ports = new Map<string, Promise<number>>();
  readonly #tls: { readonly cert: Buffer; readonly key: Buffer };

  constructor(tls: { readonly cert: Buffer; readonly key: Buffer }) {
    this.#tls = tls;
  }

  /** The port of a node's service, which is started when it is first asked for. */
  port(nodeId: string, secure: boolean): Promise<number> {
    const key = `${nodeId} ${secure}`;
    const known = this.#ports.get(key) ?? this.#start(nodeId, secure);
    this.#ports.set(key, known);
    return known;
  }

  async #start(nodeId: string, secure: boolean): Promise<number> {
    const answer: RequestListener = (request, response) => response.end(bodyOf(nodeId, request.url ?? ''));
    const server: Server = secure ? createTlsServer(this.#tls, answer) : createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      seen: { type: 'string' },
      certificate: { type: 'string' },
      key: { type: 'string' },
    },
  });
  const { port, seen = '', certificate = '', key = '' } = values;
  const services = new PrivateServices({ cert: readFileSync(certificate), key: readFileSync(key) });

  const carry = async (stream: ServerHttp2Stream, authority: string, nodeId: string): Promise<void> => {
    const line: SeenTunnel = { authority, nodeId, at: systemClock.now() };
    appendFileSync(seen, `${JSON.stringify(line)}\n`);
    const socket = connect(await services.port(nodeId, authority.endsWith(`:${tlsPort}`)), '127.0.0.1');
    await once(socket, 'connect');
    stream.respond({ ':status': 200 });
    pipeline(stream, socket, stream, () => undefined);
  };

  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    const { ':method': method, ':authority': authority = '', [tunnelHeader]: nodeId } = headers;
    stream.on('error', () => undefined);
    if (method !== 'CONNECT' || typeof nodeId !== 'string') {
      stream.respond({ ':status': 400 }, { endStream: true });
      return;
    }
    carry(stream, authority, nodeId).catch(() => stream.destroy());
  });
  server.listen(Number(port), '127.0.0.1', tellReady);
}
