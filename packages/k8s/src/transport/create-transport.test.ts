import { readAll, type Transport, type TransportRequest, type TransportResponse } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../testing/files.ts';
import { listenH2, loopbackAuthority, until } from '../testing/loopback.ts';
import { createTransportFactory } from './create-transport.ts';
import type { Endpoint } from './endpoint.ts';

function open(server: string, endpoint: Partial<Endpoint> = {}) {
  const clock = new VirtualClock();
  const life = new AbortController();
  const factory = createTransportFactory({ clock, files: filesOf({}) });
  const transport = factory(
    { server, tls: { ca: { inline: loopbackAuthority.certificate } }, ...endpoint },
    life.signal,
  );
  return { clock, life, transport, [Symbol.dispose]: () => life.abort(new Error('test over')) };
}
const forever = new AbortController().signal;
const get = (transport: Transport, url: string, signal = forever) =>
  transport({ method: 'GET', url, headers: {} }, { signal });
const text = async (r: TransportResponse) => new TextDecoder().decode(await readAll(r.body));

describe('h2', () => {
  it('gets', async () => {
    await using server = await listenH2((request, response) => response.end(`hello ${request.url}`));
    using client = open(server.url);
    const answers = await Promise.all(
      [1, 2, 3].map(async (n) => text(await get(client.transport, `${server.url}/${n}`))),
    );
    expect(answers).toEqual(['hello /1', 'hello /2', 'hello /3']);
    expect(server.accepted()).toBe(1);
  });
  it('150 watches', async () => {
    await using server = await listenH2(
      (request, response) => {
        if (request.url.includes('watch')) response.write('x');
        else response.end('unary');
      },
      { settings: { maxConcurrentStreams: 100 } },
    );
    using client = open(server.url);
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_, n) => get(client.transport, `${server.url}/${n}?watch=true`)),
    );
    expect(answers.map((a) => a.status).every((s) => s === 200)).toBe(true);
    expect(await text(await get(client.transport, `${server.url}/q`))).toBe('unary');
    expect(server.accepted()).toBe(2);
  });
});
