import { describe, expect, it } from 'vitest';
import { fetchOver } from './fetch-over.ts';
import { bodyOf, readAll, type Transport, type TransportRequest } from './transport.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('fetchOver', () => {
  it('sends method, URL, headers and body, and gives status, headers and body back', async () => {
    const seen: TransportRequest[] = [];
    const transport: Transport = async (request) => {
      seen.push(request);
      return { status: 409, headers: { 'x-kind': 'Status' }, body: bodyOf(bytes('{"a":1}')) };
    };
    const init = { method: 'POST', headers: { 'X-A': 'b' }, body: 'text' };
    const response = await fetchOver(transport)('https://hub.test/api/v1?x=1', init);
    expect(seen).toMatchObject([{ method: 'POST', url: 'https://hub.test/api/v1?x=1', headers: { 'x-a': 'b' } }]);
    expect(seen[0]?.body).toEqual(bytes('text'));
    expect([response.status, response.headers.get('x-kind'), await response.json()]).toEqual([409, 'Status', { a: 1 }]);
  });

  it('gives an answer that has no body', async () => {
    const response = await fetchOver(async () => ({ status: 204, headers: {}, body: bodyOf() }))('https://a.test');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('a body that breaks never looks complete', async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
      yield bytes('half');
      throw new Error('cut');
    }
    const response = await fetchOver(async () => ({ status: 200, headers: {}, body: broken() }))('https://a.test');
    await expect(response.text()).rejects.toThrow('cut');
  });

  it('cancelling the body ends the exchange', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for (;;) yield bytes('more');
      } finally {
        ended = true;
      }
    }
    const response = await fetchOver(async () => ({ status: 200, headers: {}, body: endless() }))('https://a.test');
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(true);
  });

  it('an abort rejects with its reason; what the transport rejects with is the cause of a TypeError', async () => {
    const controller = new AbortController();
    const hanging: Transport = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
    const waiting = fetchOver(hanging)('https://a.test', { signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    const cause = new Error('no connection');
    await expect(fetchOver(() => Promise.reject(cause))('https://a.test')).rejects.toMatchObject({
      name: 'TypeError',
      cause,
    });
    expect(await readAll(bodyOf())).toHaveLength(0);
  });
});
