import { describeError, intercept, readAll, type TransportRequest, type TransportResponse } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { evenFaults, type FaultName, faultNames, type FaultPlan, withFaults } from './faults.ts';
import { Gadget, gadget } from './gadget.fixture.ts';
import { createScriptedApi } from './scripted-api.ts';

const gadgets = '/apis/example.dev/v1/namespaces/default/gadgets';

function setUp(plan: FaultPlan, seed = 'faults') {
  const clock = new VirtualClock();
  const api = createScriptedApi({ clock, random: seeded('api'), kinds: [Gadget] });
  const fired = new Map<FaultName, number>();
  const transport = intercept(api.transport, withFaults(seeded(seed), plan, { clock, fired }));
  const controller = new AbortController();
  const send = (method: string, path: string, body?: string): Promise<TransportResponse> => {
    const headers = { 'content-type': 'application/json' };
    const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
    const request: TransportRequest = { method, url: `https://api.test${path}`, headers, body: bytes };
    return transport(request, { signal: controller.signal });
  };
  return { clock, api, fired, send, controller };
}

const textOf = async ({ body }: TransportResponse): Promise<string> => new TextDecoder().decode(await readAll(body));
const draft = '{"metadata":{"name":"a"}}';

describe('withFaults', () => {
  it.each([
    { fault: 'conflict', method: 'POST', want: 409 },
    { fault: 'gone', method: 'GET', want: 410 },
    { fault: 'throttled', method: 'POST', want: 429 },
    { fault: 'broken', method: 'POST', want: 500 },
    { fault: 'unavailable', method: 'POST', want: 503 },
    { fault: 'gatewayTimeout', method: 'POST', want: 504 },
    { fault: 'lostRequest', method: 'POST', want: 'connection-lost: before the request arrived' },
  ] as const)('$fault: $want, and nothing happened', async ({ fault, method, want }) => {
    const { api, fired, send } = setUp({ [fault]: 1 });
    const query = method === 'GET' ? '?limit=1' : '';
    const seen = await send(method, gadgets + query, method === 'POST' ? draft : undefined).then(
      ({ status }) => status,
      describeError,
    );
    expect([seen, api.writes.length, fired.get(fault)]).toEqual([want, 0, 1]);
  });

  it('a conflict is for writes, an expiry for lists and watches', async () => {
    const { send } = setUp({ conflict: 1, gone: 1 });
    expect((await send('GET', `${gadgets}/a`)).status).toBe(404);
    expect((await send('GET', `${gadgets}?watch=true&resourceVersion=1`)).status).toBe(410);
  });

  it('throttling says for how long, in JSON or in plain text', async () => {
    const { send } = setUp({ throttled: 1, retryAfter: ['7'] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('GET', gadgets)));
    expect(new Set(answers.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['7']));
    expect(new Set(answers.map(({ headers }) => headers['content-type'])).size).toBe(2);
  });

  it('a lost reply happened; the stream of a lost watch is released', async () => {
    const { api, send } = setUp({ lostReply: 1 });
    await expect(send('POST', gadgets, draft)).rejects.toThrow('before the answer arrived');
    expect(api.objects(Gadget)).toHaveLength(1);
    await expect(send('GET', `${gadgets}?watch=true&resourceVersion=1`)).rejects.toThrow('before the answer arrived');
    expect(api.openWatches()).toBe(0);
  });

  it('a hang ends with the signal, a delay with the clock', async () => {
    const hanging = setUp({ hang: 1 });
    const waiting = expect(hanging.send('GET', gadgets)).rejects.toThrow('enough');
    hanging.controller.abort(new Error('enough'));
    await waiting;
    const { clock, send } = setUp({ delay: 1, delayMs: [500, 500] });
    const answer = send('GET', gadgets);
    await clock.settle();
    expect(clock.nextDue).toBe(500);
    await clock.advance(500);
    expect((await answer).status).toBe(200);
  });

  it.each([
    { fault: 'cutBody', ends: 'with an error' },
    { fault: 'truncatedBody', ends: 'cleanly' },
  ] as const)('$fault: the body stops early, $ends', async ({ fault }) => {
    const { api, send } = setUp({ [fault]: 1 });
    api.put(Gadget, gadget('a'));
    const body = textOf(await send('GET', `${gadgets}/a`));
    if (fault === 'cutBody') await expect(body).rejects.toThrow('in the body');
    else expect((await body).endsWith('}')).toBe(false);
  });

  it('chunks hold the same bytes', async () => {
    const { api, send } = setUp({ chunks: 1 });
    api.put(Gadget, gadget('a', { metadata: { name: 'a', labels: { text: '漢字🙂' } } }));
    const { body } = await send('GET', `${gadgets}/a`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ metadata: { labels: { text: '漢字🙂' } } });
  });

  it('a watch repeats events, and a return ends a pending read of it', async () => {
    const { api, clock, send } = setUp({ duplicateEvent: 1, staleEvent: 1, chunks: 1 });
    const { body } = await send('GET', `${gadgets}?watch=true&resourceVersion=1`);
    const iterator = body[Symbol.asyncIterator]();
    let text = '';
    const reading = (async () => {
      for (let part = await iterator.next(); !part.done; part = await iterator.next()) {
        text += new TextDecoder().decode(part.value);
      }
    })();
    for (const name of ['a', 'b']) api.put(Gadget, gadget(name));
    await clock.settle();
    const names = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { object: Gadget }).object.metadata.name);
    expect(names).toEqual(['a', 'a', 'b', 'b', 'a']);
    await iterator.return?.();
    await reading;
    expect(api.openWatches()).toBe(0);
  });

  it('a share of 30 % strikes about 30 % of requests, the same ones for the same seed', async () => {
    const run = async (seed: string): Promise<string> => {
      const { clock, fired, send } = setUp(evenFaults(0.3), seed);
      const seen: string[] = [];
      for (let i = 0; i < 300; i++) {
        const query = i % 3 === 0 ? '?limit=5' : '';
        const outcome = send('GET', gadgets + query)
          .then(textOf)
          .catch(describeError);
        seen.push(await clock.run(outcome));
      }
      const count = [...fired.values()].reduce((sum, times) => sum + times, 0);
      expect(count / 300).toBeGreaterThan(0.15);
      expect(count / 300).toBeLessThan(0.4);
      return JSON.stringify([seen, [...fired]]);
    };
    expect(await run('one')).toBe(await run('one'));
    expect(await run('one')).not.toBe(await run('two'));
    expect(Object.keys(evenFaults(0.3))).toHaveLength(faultNames.length - 1);
  });
});
