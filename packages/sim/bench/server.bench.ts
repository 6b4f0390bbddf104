/**
 * What one test plane does in a second: creates, updates and lists of ConfigMaps, and how fast a change reaches 100 watchers; in process,
 * and over HTTPS through the runtime's own transport.
 *
 * The client is the same everywhere, so a real API server can be a row too: `LIFELINE_BENCH_KUBECONFIG` names its kubeconfig.
 */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  type JsonValue,
  platformKinds,
  readAll,
  seeded,
  stringifyJson,
  systemClock,
  systemRandom,
  thirdPartyKinds,
  type Transport,
} from '@lifeline/core';
import { createTransportFactory, type Endpoint, loadEndpoint, systemFiles } from '@lifeline/k8s';
import { createAuthority } from '@lifeline/k8s/testing';

const objects = 2_000;
const updates = 4_000;
const lists = 40;
const watchers = 100;
const changes = 50;
/** As many as an informer-driven client has under way. */
const concurrency = 16;

interface Subject {
  readonly baseUrl: string;
  readonly transport: Transport;
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

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  /** Default `application/json`. */
  readonly type?: string;
}

/** Sends a request and reads the answer to its end. */
async function call({ baseUrl, transport }: Subject, { method, path, body, type }: Sent): Promise<void> {
  const headers = { 'content-type': type ?? 'application/json', accept: 'application/json', 'user-agent': 'bench' };
  const bytes = body === undefined ? undefined : new TextEncoder().encode(stringifyJson(body));
  const response = await transport({ method, url: baseUrl + path, headers, body: bytes }, { signal: running.signal });
  await readAll(response.body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`);
}

const mergePatch = 'application/merge-patch+json';

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
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await call(subject, { method: 'POST', path: '/api/v1/namespaces', body });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const creates = await rate(objects, (index) => call(subject, { method: 'POST', path, body: configMap(index) }));
  const updated = await rate(updates, (index) =>
    call(subject, {
      method: 'PATCH',
      path: `${path}/o-${index % objects}`,
      body: { data: { colour: `${index}` } },
      type: mergePatch,
    }),
  );
  const listed = await rate(lists, () => call(subject, { method: 'GET', path: `${path}?limit=500` }));
  const delays = await fanOut(subject, path);
  await call(subject, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  return { creates, updates: updated, lists: listed, ...delays };
}

const configMap = (index: number): JsonValue => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `o-${index}`, labels: { app: `a-${index % 10}` } },
  data: { colour: 'blue', text: 'x'.repeat(500) },
});

/** One change after the other: how long until the last of all watchers has it. */
async function fanOut(subject: Subject, collection: string): Promise<Pick<Figures, 'fanOutP50' | 'fanOutP99'>> {
  let arrived = 0;
  let all = Promise.withResolvers<void>();
  const follow = async (stop: AbortSignal): Promise<void> => {
    const { body } = await subject.transport(
      {
        method: 'GET',
        url: `${subject.baseUrl}${collection}?watch=true&fieldSelector=metadata.name%3Do-0&resourceVersion=0`,
        headers: { accept: 'application/json' },
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
    const body = { data: { change: `${change}` } };
    const patched = call(subject, { method: 'PATCH', path: `${collection}/o-0`, body, type: mergePatch });
    await all.promise;
    delays.push(systemClock.monotonic() - started);
    await patched;
  }
  stop.abort();
  await Promise.all(following);
  delays.sort((a, b) => a - b);
  return { fanOutP50: delays[Math.floor(changes / 2)] ?? NaN, fanOutP99: delays.at(-1) ?? NaN };
}

interface Row {
  readonly name: string;
  /** Undefined: this machine was not given one. */
  readonly figures: Figures | undefined;
}

async function inProcess(): Promise<Row> {
  using api = createApiServer({ clock: systemClock, random: seeded('bench') });
  const subject = { baseUrl: 'https://plane.test', transport: api.transport };
  return { name: 'in process', figures: await measure(subject) };
}

async function overHttp(): Promise<Row> {
  const authority = createAuthority();
  const tls = authority.issue({ commonName: 'plane', addresses: ['127.0.0.1'] });
  using api = createApiServer({ clock: systemClock, random: seeded('bench') });
  await using listening = await api.listen({ tls });
  return {
    name: 'HTTPS',
    figures: await measureAt({ server: listening.url, tls: { ca: { inline: authority.certificate } } }),
  };
}

async function realServer(): Promise<Row> {
  const name = 'a real API server, HTTPS';
  const path = process.env['LIFELINE_BENCH_KUBECONFIG'];
  if (!path) return { name, figures: undefined };
  const { signal } = running;
  return { name, figures: await measureAt(await loadEndpoint({ files: systemFiles, variables: {}, signal }, path)) };
}

async function measureAt(endpoint: Endpoint): Promise<Figures> {
  const life = new AbortController();
  const transport = createTransportFactory({ clock: systemClock, files: systemFiles })(endpoint, life.signal);
  const figures = await measure({ baseUrl: endpoint.server, transport });
  life.abort(new Error('measured'));
  return figures;
}

/** With every CustomResourceDefinition that there is. Run with `--expose-gc` for exact figures: `npm run bench -- server` does. */
async function atRest(count: number): Promise<{ readonly kb: number; readonly ms: number }> {
  const plane = (index: number): ApiServer =>
    createApiServer({ clock: systemClock, random: seeded(index), kinds: [...platformKinds, ...thirdPartyKinds] });
  plane(-1)[Symbol.dispose]();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const started = systemClock.monotonic();
  const planes = Array.from({ length: count }, (_, index) => plane(index));
  const ms = (systemClock.monotonic() - started) / count;
  globalThis.gc?.();
  const kb = (process.memoryUsage().heapUsed - before) / count / 1024;
  for (const one of planes) one[Symbol.dispose]();
  return { kb, ms };
}

const resting = await atRest(1_000);
const rows = [await inProcess(), await overHttp(), await realServer()];
const base = rows[0]?.figures;
const cells = ({ name, figures }: Row): string[] => {
  if (!figures || !base) return [name, ...Array.from({ length: 5 }, () => 'not measured')];
  const perSecond = (rate: keyof Figures): string =>
    `${figures[rate].toFixed(0)} (${(figures[rate] / base[rate]).toFixed(2)}×)`;
  const delay = (at: keyof Figures): string => `${figures[at].toFixed(1)} ms`;
  return [name, perSecond('creates'), perSecond('updates'), perSecond('lists'), delay('fanOutP50'), delay('fanOutP99')];
};
const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
console.log(`## One plane: ${concurrency} requests at once; ${objects} ConfigMaps, pages of 500; one change to ${watchers} watchers

${line(['client and server', 'creates/s', 'merge patches/s', 'lists of 500/s', 'last watcher has it, p50', `worst of ${changes}`])}
|---|---:|---:|---:|---:|---:|
${rows.map((row) => line(cells(row))).join('\n')}

A plane at rest with all ${platformKinds.length + thirdPartyKinds.length} CustomResourceDefinitions takes ${resting.kb.toFixed(1)} KB of heap, and ${resting.ms.toFixed(2)} ms to create.
`);
process.exit(0);
