/**
 * What one test plane does in a second: creates, updates and lists of ConfigMaps, and how fast a change reaches 100 watchers; in process,
 * and over HTTPS with HTTP/1.1 and HTTP/2.
 *
 * The client is the same everywhere, so a real API server can be a row too: `LIFELINE_BENCH_SERVER` is its URL, `LIFELINE_BENCH_TOKEN` a
 * token with all rights, `LIFELINE_BENCH_CA` the file of its authority.
 */
import { readFileSync } from 'node:fs';
import { readAll, seeded, stringifyJson, systemClock, systemRandom, type Transport } from '@lifeline/core';
import { createApiServer } from '@lifeline/apiserver';
import { nodeTransport } from '@lifeline/apiserver/conformance';

const objects = 2_000;
const updates = 4_000;
const lists = 40;
const watchers = 100;
const changes = 50;
/** As many as an informer-driven client has under way. */
const concurrency = 16;

interface Subject {
  readonly name: string;
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly token?: string | undefined;
}

/** Per second, but for the last two: milliseconds. */
interface Figures {
  readonly creates: number;
  readonly updates: number;
  readonly lists: number;
  readonly fanOutP50: number;
  readonly fanOutP99: number;
}

const running = new AbortController();

async function call(subject: Subject, method: string, path: string, body?: object, type = 'application/json') {
  const response = await subject.transport(
    {
      method,
      url: subject.baseUrl + path,
      headers: {
        'content-type': type,
        accept: 'application/json',
        'user-agent': 'bench',
        ...(subject.token ? { authorization: `Bearer ${subject.token}` } : {}),
      },
      body: body && new TextEncoder().encode(stringifyJson(body)),
    },
    { signal: running.signal },
  );
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`);
  return response;
}

/** Runs `count` calls, {@link concurrency} at once, and gives how many a second. */
async function rate(count: number, one: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = systemClock.monotonic();
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await one(index);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return count / ((systemClock.monotonic() - started) / 1_000);
}

async function measure(subject: Subject): Promise<Figures> {
  const namespace = `bench-${systemRandom.hex(4)}`;
  await call(subject, 'POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const drained = async (method: string, path: string, body?: object, type?: string): Promise<void> =>
    void (await readAll((await call(subject, method, path, body, type)).body));
  const creates = await rate(objects, (index) =>
    drained('POST', collection, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `o-${index}`, labels: { app: `a-${index % 10}` } },
      data: { colour: 'blue', text: 'x'.repeat(500) },
    }),
  );
  const updated = await rate(updates, (index) =>
    drained(
      'PATCH',
      `${collection}/o-${index % objects}`,
      { data: { colour: `${index}` } },
      'application/merge-patch+json',
    ),
  );
  const listed = await rate(lists, () => drained('GET', `${collection}?limit=500`));
  const delays = await fanOut(subject, collection);
  await drained('DELETE', `/api/v1/namespaces/${namespace}`);
  return { creates, updates: updated, lists: listed, ...delays };
}

/** One change after the other: how long until the last of all watchers has it. */
async function fanOut(subject: Subject, collection: string): Promise<Pick<Figures, 'fanOutP50' | 'fanOutP99'>> {
  let arrived = 0;
  let all = Promise.withResolvers<void>();
  const follow = async (stop: AbortSignal): Promise<void> => {
    const { body } = await subject.transport(
      {
        method: 'GET',
        url: `${subject.baseUrl}${collection}?watch=true&fieldSelector=metadata.name%3Do-0&resourceVersion=0`,
        headers: { accept: 'application/json', ...(subject.token ? { authorization: `Bearer ${subject.token}` } : {}) },
      },
      { signal: stop },
    );
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        for (const character of decoder.decode(chunk, { stream: true })) if (character === '\n') arrived++;
        if (arrived >= watchers) all.resolve();
      }
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  };
  const stop = new AbortController();
  const following = Array.from({ length: watchers }, () => follow(stop.signal));
  await all.promise;
  const delays: number[] = [];
  for (let change = 0; change < changes; change++) {
    arrived = 0;
    all = Promise.withResolvers<void>();
    const started = systemClock.monotonic();
    const patched = call(
      subject,
      'PATCH',
      `${collection}/o-0`,
      { data: { change: `${change}` } },
      'application/merge-patch+json',
    );
    await all.promise;
    delays.push(systemClock.monotonic() - started);
    await readAll((await patched).body);
  }
  stop.abort();
  await Promise.all(following);
  delays.sort((a, b) => a - b);
  return { fanOutP50: delays[Math.floor(changes / 2)] ?? NaN, fanOutP99: delays.at(-1) ?? NaN };
}

const inProcess = (): Subject & Disposable => {
  const api = createApiServer({ clock: systemClock, random: seeded('bench') });
  return {
    name: 'in process',
    baseUrl: 'https://plane.test',
    transport: api.transport,
    [Symbol.dispose]: () => api[Symbol.dispose](),
  };
};

const given = process.env['LIFELINE_BENCH_SERVER'];

async function overHttp(protocol: 'h1' | 'h2'): Promise<Figures> {
  const authority = createAuthority();
  const pair = authority.issue({ commonName: 'plane', addresses: ['127.0.0.1'] });
  using api = createApiServer({ clock: systemClock, random: seeded('bench') });
  await using listening = await listen(api, { tls: { certificate: pair.certificate, key: pair.key } });
  using client = nodeTransport({ baseUrl: listening.url, protocol, ca: authority.certificate });
  return await measure({ name: protocol, baseUrl: listening.url, transport: client.transport });
}
