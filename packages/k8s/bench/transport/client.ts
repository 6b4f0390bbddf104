/** One client of the transport bench, in a process of its own: `client.ts NAME URL CA requests|watches`. */
import { connect } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { readAll, systemClock } from '@lifeline/core';
import { createTransportFactory } from '../../src/transport/create-transport.ts';
import { systemFiles } from '../../src/transport/files.ts';

interface Client {
  /** One small object, whole. */
  get(): Promise<unknown>;
  /** Resolves when the first event is there; stays open. */
  watch?(): Promise<unknown>;
}

const [name = '', url = '', ca = '', task = ''] = process.argv.slice(2);
const path = '/api/v1/namespaces/default/configmaps/bench';

function ours(): Client {
  const life = new AbortController();
  const factory = createTransportFactory({ clock: systemClock, files: systemFiles });
  const transport = factory({ server: url, tls: { ca: { inline: ca } } }, life.signal);
  const open = (query = '') =>
    transport({ method: 'GET', url: url + path + query, headers: {} }, { signal: life.signal });
  return {
    get: async () => JSON.parse(new TextDecoder().decode(await readAll((await open()).body))) as unknown,
    watch: async () => (await open('?watch=true')).body[Symbol.asyncIterator]().next(),
  };
}

function nodeHttps(): Client {
  const agent = new Agent({ keepAlive: true, ca });
  const open = (query: string, onChunk: (chunk: Buffer) => void) =>
    new Promise<void>((resolve, reject) => {
      httpsRequest(url + path + query, { agent }, (response) => {
        response.on('data', onChunk).once('end', resolve).once('error', reject);
      })
        .once('error', reject)
        .end();
    });
  return {
    get: async () => {
      const chunks: Buffer[] = [];
      await open('', (chunk) => chunks.push(chunk));
      return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
    },
    watch: () => new Promise<void>((resolve, reject) => void open('?watch=true', () => resolve()).catch(reject)),
  };
}

/** One session, nothing around it: what HTTP/2 costs in Node. */
function nodeHttp2(): Client {
  const session = connect(url, { ca, settings: { enablePush: false } });
  return {
    get: () =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        session
          .request({ ':path': path }, { endStream: true })
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .once('error', reject)
          .once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      }),
  };
}

async function clientNode(): Promise<Client> {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const caData = Buffer.from(ca).toString('base64');
  config.loadFromClusterAndUser({ name: 'c', server: url, caData, skipTLSVerify: false }, { name: 'u', token: 't' });
  const api = config.makeApiClient(CoreV1Api);
  return { get: () => api.readNamespacedConfigMap({ namespace: 'default', name: 'bench' }) };
}

const clients: Record<string, () => Client | Promise<Client>> = {
  ours,
  'node:https': nodeHttps,
  'node:http2, bare': nodeHttp2,
  'client-node': clientNode,
};
const client = await clients[name]?.();
if (!client) throw new Error(`no such client: ${name}`);

/** `count` requests, so many at a time. */
async function requests(count: number, atOnce: number): Promise<{ perSecond: number; cpuMs: number }> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await client?.get();
  };
  const [startedAt, cpu] = [systemClock.monotonic(), process.cpuUsage()];
  await Promise.all(Array.from({ length: atOnce }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (count / (systemClock.monotonic() - startedAt)) * 1000, cpuMs: (user + system) / 1000 / count };
}

const memory = (): number => (globalThis.gc?.(), process.memoryUsage().rss);

async function watches(count: number): Promise<{ ms: number; cpuMs: number; kb: number }> {
  const [startedAt, cpu, before] = [systemClock.monotonic(), process.cpuUsage(), memory()];
  await Promise.all(Array.from({ length: count }, async () => client?.watch?.()));
  const { user, system } = process.cpuUsage(cpu);
  const ms = systemClock.monotonic() - startedAt;
  return { ms, cpuMs: (user + system) / 1000, kb: (memory() - before) / 1024 / count };
}

const scale = name === 'client-node' ? 0.1 : 1;
if (task === 'watches') {
  await requests(20, 2);
  process.send?.(await watches(1000));
} else {
  await requests(1000 * scale, 20); // warm
  process.send?.({ one: await requests(3000 * scale, 1), many: await requests(6000 * scale, 20) });
}
process.exit(0);
