/** The API server's side of the transport bench: sends its address and authority to its parent, then answers until it is killed. */
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../src/testing/certificates.ts';

const authority = createAuthority();
const { certificate: cert, key } = authority.issue({ commonName: 'bench', addresses: ['127.0.0.1'] });

/** About the size of a small ConfigMap. */
const body = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'bench', namespace: 'default', uid: 'e0a54f3c', resourceVersion: '1' },
  data: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key-${n}`, `value number ${n} of the bench`])),
});
const event = `${JSON.stringify({ type: 'ADDED', object: JSON.parse(body) as unknown })}\n`;

const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
  if (request.url.includes('watch=true')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(event);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.on('session', (session) => session.on('error', () => undefined));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `https://127.0.0.1:${port}`, ca: authority.certificate });
});
