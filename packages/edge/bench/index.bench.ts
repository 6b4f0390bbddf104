/**
 * The edge's index at size: what a heartbeat, a flip and a stamp cost, and what it takes to begin.
 *
 * Run: `node --conditions=@lifeline/source --expose-gc packages/edge/bench/index.bench.ts`
 */
import { annotations, canonicalJson, type HTTPProxyLike, systemClock } from '@lifeline/core';
import { LiveIndex, type SeenConnector } from '@lifeline/edge';

const count = 5_000;
const relays = ['https://relay-1.example.com', 'https://relay-2.example.com'] as const;

/** About 1 KB, as an agent writes it. */
function connector(
  i: number,
  { ready, relay, changed }: { ready: boolean; relay: string; changed: string },
): SeenConnector {
  const condition = (type: string, status: boolean) => ({
    type,
    status: status ? 'True' : 'False',
    reason: status ? 'ConnectorReady' : 'ConnectorNotReady',
    message: 'the Lease is renewed',
    observedGeneration: 1,
    lastTransitionTime: changed,
  });
  const status = {
    conditions: [condition('Accepted', true), condition('Ready', ready)],
    capabilities: [{ type: 'ConnectTCP', conditions: [condition('Ready', true)] }],
    connectionDetails: {
      type: 'PublicKey',
      publicKey: {
        id: i.toString(16).padStart(64, '0'),
        discoveryMode: 'DNS',
        homeRelay: relay,
        addresses: [{ address: '192.0.2.1', port: 1 + i }],
      },
    },
    leaseRef: { name: `connector-${i}` },
  };
  return {
    metadata: {
      annotations: {
        [annotations.upstreamStatus]: canonicalJson(status),
        [annotations.upstreamStatusObservedAt]: changed,
      },
      labels: { 'meta.datumapis.com/upstream-cluster-name': `cluster-project-${i % 500}` },
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  };
}

const keyOf = (i: number): string => `ns-${i % 500}/connector-${i}`;
const proxyKey = (i: number): string => `ns-${i % 500}/proxy-${i}`;
const proxy = (i: number): HTTPProxyLike => ({
  spec: {
    rules: [
      { name: 'api', backends: [{ endpoint: 'http://localhost:8080', connector: { name: `connector-${i}` } }] },
      { backends: [{ endpoint: 'https://origin.example.com' }] },
    ],
  },
});
const first = { ready: true, relay: relays[0], changed: '2026-01-01T00:00:00Z' };

function filled(): LiveIndex {
  const index = new LiveIndex({ clock: systemClock, classes: ['edge'] });
  for (let i = 0; i < 500; i++) index.setNamespace(`ns-${i}`, true);
  for (let i = 0; i < count; i++) {
    index.setConnector(keyOf(i), connector(i, first));
    index.setHTTPProxy(proxyKey(i), proxy(i));
    index.setGateway(proxyKey(i), { metadata: {}, spec: { gatewayClassName: 'edge' } });
  }
  index.markSynced();
  return index;
}

interface Figure {
  readonly what: string;
  /** Objects that each repeat makes before the time is taken. */
  readonly make: (index: LiveIndex, repeat: number) => (() => void)[];
  /** Whether listeners hear of each. */
  readonly told: boolean;
}

const each = (act: (i: number) => () => void): (() => void)[] => Array.from({ length: count }, (_, i) => act(i));
const figures: readonly Figure[] = [
  {
    what: 'heartbeat that leaves the status (observed-at, labels)',
    told: false,
    make: (index, repeat) =>
      each((i) => {
        const seen = connector(i, first);
        const metadata = { ...seen.metadata, resourceVersion: String(repeat) };
        return () => index.setConnector(keyOf(i), { metadata });
      }),
  },
  {
    what: 'heartbeat that writes the status (home relay)',
    told: false,
    make: (index, repeat) =>
      each((i) => {
        const seen = connector(i, { ...first, relay: relays[repeat % 2] as string });
        return () => index.setConnector(keyOf(i), seen);
      }),
  },
  {
    what: 'flip of a connector with one HTTPProxy',
    told: true,
    make: (index, repeat) =>
      each((i) => {
        const seen = connector(i, { ...first, ready: repeat % 2 === 1 });
        return () => index.setConnector(keyOf(i), seen);
      }),
  },
  {
    what: 'stamp',
    told: true,
    make: (index, repeat) =>
      each((i) => {
        const metadata = { annotations: { [annotations.intent]: `${index.intent(proxyKey(i))}.${repeat + 1}` } };
        return () => index.setGateway(proxyKey(i), { metadata, spec: { gatewayClassName: 'edge' } });
      }),
  },
];

const timed = (work: () => void): number => {
  const started = systemClock.monotonic();
  work();
  return systemClock.monotonic() - started;
};
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

console.log(`${count} connectors (1 KB of status each), HTTPProxies and Gateways in 500 namespaces.\n`);
filled();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
let index: LiveIndex | undefined;
const beginMs = timed(() => (index = filled()));
globalThis.gc?.();
const heapMb = (process.memoryUsage().heapUsed - before) / 1e6;
console.log(
  `From nothing to synced: ${beginMs.toFixed(0)} ms; heap ${heapMb.toFixed(1)} MB, the objects’ texts included.\n`,
);

const live = index as unknown as LiveIndex;
console.log('| event | CPU each, µs (median of 9 rounds) |\n|---|---|');
for (const { what, make, told } of figures) {
  const rounds: number[] = [];
  for (let repeat = 0; repeat < 12; repeat++) {
    const acts = make(live, repeat);
    const { revision } = live;
    const ms = timed(() => {
      for (const act of acts) act();
    });
    if (repeat >= 3) rounds.push(ms);
    const changed = live.revision - revision;
    if (repeat > 0 && changed !== (told ? count : 0)) throw new Error(`${what}: ${changed} changes`);
  }
  console.log(`| ${what} | ${((median(rounds) * 1000) / count).toFixed(1)} |`);
}
const flipOne = (ready: boolean): void => void live.setConnector('ns-0/shared', connector(0, { ...first, ready }));
for (let i = 0; i < count; i++)
  live.setHTTPProxy(`ns-0/fan-${i}`, {
    spec: { rules: [{ backends: [{ endpoint: 'http://localhost', connector: { name: 'shared' } }] }] },
  });
flipOne(true);
const fan = Array.from({ length: 9 }, (_, i) => timed(() => flipOne(i % 2 === 1)));
console.log(`\nOne connector behind ${count} HTTPProxies flips: ${median(fan).toFixed(1)} ms.`);
