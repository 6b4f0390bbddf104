import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const given = new Set<number>();

/** A port that is free now, and is not given twice. Another process may take it first: then whoever wanted it says so. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
