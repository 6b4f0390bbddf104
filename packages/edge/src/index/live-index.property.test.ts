/**
 * For every history of objects and wherever the sync falls in it:
 * - the index says what a new one says that is told the last state alone, in any order of kinds
 * - who keeps what it is told holds what the index says
 * - the revision rises exactly when something is told, and nothing is told twice
 */
import { deepEqual, noIntent } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SeenConnector } from './connector-table.ts';
import type { GatewayState, ProxyProgram } from './edge-index.ts';
import { LiveIndex, type SeenGateway } from './live-index.ts';
import type { SharedNodeIds } from './node-claims.ts';
import { connector, gateway, nodeA, nodeB, proxy } from './scene.fixture.ts';

const namespaces = ['ns', 'other'] as const;
const key = fc
  .tuple(fc.constantFrom(...namespaces), fc.constantFrom('a', 'b', 'c'))
  .map(([ns, name]) => `${ns}/${name}`);
const name = fc.option(fc.constantFrom('a', 'b', 'c', 'missing'), { nil: undefined });

const connectors: fc.Arbitrary<SeenConnector> = fc
  .record({
    nodeId: fc.constantFrom(nodeA, nodeB, nodeA.toUpperCase(), 'none'),
    ready: fc.constantFrom('True', 'True', 'False'),
    project: fc.constantFrom('cluster-a', 'cluster-b'),
    createdAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'odd'),
    beat: fc.constantFrom(undefined, 'https://one.example.com', 'https://two.example.com'),
  })
  .map(connector);
const proxies = fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 3 }).map((rules) => proxy(...rules));
const gateways: fc.Arbitrary<SeenGateway> = fc
  .tuple(fc.constantFrom(undefined, 'x', 'y'), fc.constantFrom('edge', 'internal'))
  .map(([stamp, className]) => gateway(stamp, className));

type Kind = 'connector' | 'proxy' | 'gateway' | 'namespace';
interface Step {
  readonly kind: Kind;
  readonly key: string;
  /** Undefined: it goes. */
  readonly value: unknown;
}
const steps = <T>(kind: Kind, keys: fc.Arbitrary<string>, values: fc.Arbitrary<T>): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constant(kind), key: keys, value: fc.option(values, { nil: undefined, freq: 4 }) });
const step = fc.oneof(
  { weight: 4, arbitrary: steps('connector', key, connectors) },
  { weight: 3, arbitrary: steps('proxy', key, proxies) },
  { weight: 2, arbitrary: steps('gateway', key, gateways) },
  { weight: 1, arbitrary: steps('namespace', fc.constantFrom(...namespaces), fc.constant(true)) },
);

function apply(index: LiveIndex, { kind, key: at, value }: Step): void {
  switch (kind) {
    case 'connector':
      return void index.setConnector(at, value as SeenConnector | undefined);
    case 'proxy':
      return index.setHTTPProxy(at, value as ReturnType<typeof proxy> | undefined);
    case 'gateway':
      return index.setGateway(at, value as SeenGateway | undefined);
    case 'namespace':
      return index.setNamespace(at, value === true);
  }
}

const create = (sharedNodeIds: SharedNodeIds): LiveIndex =>
  new LiveIndex({ clock: new VirtualClock(), classes: ['edge'], sharedNodeIds });

/** All that an index says, in an order of its own. */
const said = (index: LiveIndex) => ({
  proxies: sorted([...index.proxies()].map(({ since: _, ...program }) => program)),
  gateways: sorted(index.gateways()),
  census: index.census(),
  shared: index.sharedNodeIds,
});
const sorted = <T extends { readonly key: string }>(all: Iterable<T>): T[] =>
  [...all].sort((a, b) => (a.key < b.key ? -1 : 1));

/** Keeps what it is told, and holds it against what was told before. */
class Witness {
  readonly proxies = new Map<string, ProxyProgram>();
  readonly gateways = new Map<string, GatewayState>();
  news = 0;

  constructor(index: LiveIndex) {
    index.subscribe({
      proxy: (at, program) => {
        this.news++;
        expect(program).not.toBe(this.proxies.get(at));
        if (program) this.proxies.set(at, program);
        else expect(this.proxies.delete(at)).toBe(true);
      },
      gateway: (at, state, change) => {
        this.news++;
        const old = this.gateways.get(at);
        switch (change) {
          case 'added':
            expect(old).toBeUndefined();
            break;
          case 'deleted':
            expect([old === undefined, state]).toEqual([false, undefined]);
            break;
          case 'intent':
          case 'stamp':
          case 'other':
            expect(old).toBeDefined();
        }
        if (state) this.gateways.set(at, state);
        else this.gateways.delete(at);
      },
    });
  }
}

it('is what it would be from scratch, and tells exactly what changes', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40, size: 'max' }),
      fc.nat(20),
      fc.constantFrom<SharedNodeIds>('allow', 'refuse'),
      (history, syncAt, policy) => {
        const index = create(policy);
        const witness = new Witness(index);
        const last = new Map<string, Step>();
        for (const [at, each] of history.entries()) {
          if (at === syncAt) index.markSynced();
          const { revision } = index;
          const { news } = witness;
          const intents = new Map(history.map((other) => [other.key, index.intent(other.key)]));
          apply(index, each);
          last.set(`${each.kind} ${each.key}`, each);
          expect(index.revision - revision).toBe(witness.news > news ? 1 : 0);
          if (!index.synced) continue;
          for (const [gatewayKey, before] of intents) {
            expect(index.intents(gatewayKey)[0] ?? noIntent).toBe(index.intent(gatewayKey));
            const gone = !index.proxy(gatewayKey) && !index.gateway(gatewayKey);
            if (!gone) expect(index.intents(gatewayKey)).toContain(before);
          }
        }
        index.markSynced();

        const scratch = create(policy);
        for (const kind of ['namespace', 'gateway', 'proxy', 'connector'])
          for (const each of last.values()) if (each.kind === kind) apply(scratch, each);
        scratch.markSynced();
        expect(said(index)).toEqual(said(scratch));
        expect(deepEqual(sorted(witness.proxies.values()), sorted(index.proxies()))).toBe(true);
        expect(sorted(witness.gateways.values())).toEqual(sorted(index.gateways()));
      },
    ),
    { numRuns: 400, seed: 61 },
  );
});
