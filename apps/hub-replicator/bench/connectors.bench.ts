/**
 * What 50,000 connectors cost that renew their Leases every 10 s: CPU for each heartbeat, and memory for each connector, beside caches
 * that nobody listens to and the least that any client does, `JSON.parse` of the same lines.
 *
 * Run: `node --conditions=@lifeline/source --expose-gc apps/hub-replicator/bench/connectors.bench.ts`
 */
import { Connector, ConnectorClass, Lease, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import {
  type ClusterProvider,
  createHealth,
  createLog,
  createMetrics,
  defineController,
  type Env,
  fleetFactory,
  runManager,
  staticSource,
  watch,
} from '@lifeline/k8s';
import { filesOf } from '@lifeline/k8s/testing';
import { connectorCensus } from '../src/connector/census.ts';
import { connectors } from '../src/connector/controller.ts';
import { PlaneServer } from './plane-server.ts';

const planes = 300;
const total = 50_100;
const perPlane = total / planes;
/** Each second a tenth of the connectors of each plane is renewed. */
const beatSeconds = 10;
const measuredSeconds = 60;

type Subject = (env: Env, projects: ClusterProvider) => Promise<void>;

/** The caches of the three kinds, and a controller that nothing concerns. */
const cachesAlone: Subject = async (env, projects) => {
  const mapper = (): [] => [];
  const idle = defineController({
    name: 'idle',
    watches: [
      watch(projects, Connector, { mapper }),
      watch(projects, ConnectorClass, { mapper }),
      watch(projects, Lease, { mapper }),
    ],
    writes: [],
    reconcile: () => Promise.resolve(),
  });
  await runManager(env, { fleets: [projects], controllers: [idle] });
};

const withController: Subject = async (env, projects) => {
  using _census = connectorCensus({ projects, metrics: env.metrics });
  const controller = connectors({ projects, env, leaseDurationSeconds: 30, installation: 'bench' });
  await runManager(env, { fleets: [projects], controllers: [controller] });
};

interface Measured {
  readonly heartbeats: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
  readonly reconciles: number;
  readonly calls: number;
}

async function measure(subject: Subject, seconds: number): Promise<Measured> {
  const clock = new VirtualClock();
  const random = seeded('connectors bench');
  const servers = new Map(
    Array.from({ length: planes }, (_, i) => [`p${i}`, new PlaneServer(`p${i}`, perPlane, random)]),
  );
  const stopping = new AbortController();
  const metrics = createMetrics();
  const env: Env = {
    clock,
    random,
    metrics,
    transport: ({ server }) => (servers.get(new URL(server).hostname) as PlaneServer).transport,
    files: filesOf({}),
    variables: {},
    log: createLog({ clock, write: (line) => console.error(line.trimEnd()), level: 'warn' }),
    health: createHealth(),
    signal: stopping.signal,
  };
  const heapBefore = heap();
  const targets = Array.from(servers.keys(), (name) => [name, { endpoint: { server: `https://${name}` } }] as const);
  const source = staticSource(Object.fromEntries(targets));
  const running = subject(env, fleetFactory(env, 'bench')({ plane: 'project', source }));
  await clock.advance(5_000);
  const heapBytes = heap() - heapBefore;

  const before = await reconciles(metrics);
  let cpuMs = 0;
  let heartbeats = 0;
  for (let second = 0; second < seconds; second++) {
    const chunks = Array.from(servers.values(), (server) => {
      const [from, to] = [second, second + 1].map((s) => Math.round(((s % beatSeconds) * perPlane) / beatSeconds));
      const end = (second + 1) % beatSeconds === 0 ? perPlane : (to ?? perPlane);
      heartbeats += end - (from ?? 0);
      return { server, bytes: server.heartbeats(from ?? 0, end) };
    });
    const start = process.cpuUsage();
    for (const { server, bytes } of chunks) server.push(bytes);
    await clock.advance(1_000);
    const { user, system } = process.cpuUsage(start);
    cpuMs += (user + system) / 1000;
  }
  const result = {
    heartbeats,
    cpuMs,
    heapBytes,
    reconciles: (await reconciles(metrics)) - before,
    calls: [...servers.values()].reduce((sum, { calls }) => sum + calls, 0),
  };
  stopping.abort(new Error('measured'));
  await clock.run(running);
  return result;
}

async function reconciles(metrics: Env['metrics']): Promise<number> {
  const found = (await metrics.text()).matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm);
  return Array.from(found, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** CPU of `JSON.parse` for as many heartbeats. */
function parsing(): { readonly heartbeats: number; readonly cpuMs: number } {
  const server = new PlaneServer('p0', 10_000, seeded('parsing'));
  const decoder = new TextDecoder();
  let cpuMs = 0;
  let heartbeats = 0;
  for (let round = 0; round < 30; round++) {
    const bytes = server.heartbeats(0, 10_000);
    const start = process.cpuUsage();
    for (const line of decoder.decode(bytes).split('\n')) {
      if (line && (JSON.parse(line) as { type: string }).type === 'MODIFIED') heartbeats++;
    }
    const { user, system } = process.cpuUsage(start);
    cpuMs += (user + system) / 1000;
  }
  return { heartbeats, cpuMs };
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
const fixed = (value: number, digits: number): string => value.toFixed(digits);

const least = parsing();
// What is made once, on first use, is no connector's.
await measure(withController, 1);
const alone = await measure(cachesAlone, measuredSeconds);
const ours = await measure(withController, measuredSeconds);
const base = (1000 * least.cpuMs) / least.heartbeats;

console.log(
  `### ${total.toLocaleString('en')} connectors in ${planes} planes, ${measuredSeconds} s of heartbeats every 10 s\n`,
);
row('', 'CPU µs per heartbeat', 'of one core', 'requests', 'reconciles', 'heap per connector');
row(...Array.from({ length: 6 }, () => '---'));
row('JSON.parse of the lines', `${fixed(base, 1)} (1.00×)`, share(base), '', '', '');
for (const [name, { heartbeats, cpuMs, calls, reconciles, heapBytes }] of [
  ['the caches alone', alone],
  ['with the connector controller', ours],
] as const) {
  const each = (1000 * cpuMs) / heartbeats;
  row(
    name,
    `${fixed(each, 1)} (${fixed(each / base, 2)}×)`,
    share(each),
    String(calls),
    String(reconciles),
    `${fixed(heapBytes / total / 1024, 2)} KB`,
  );
}

/** Of one core, at a heartbeat every 10 s. */
function share(micros: number): string {
  return `${fixed(((total / beatSeconds) * micros) / 10_000, 1)} %`;
}
