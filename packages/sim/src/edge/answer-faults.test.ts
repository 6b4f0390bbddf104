import { describe, expect, it } from 'vitest';
import { containedHook } from '../oracles/s8-contained-hook.ts';
import { answerFaults } from './answer-faults.ts';
import type { HookCall } from './hook.ts';
import type { Cluster, Listener, Route, VirtualHost, XdsSnapshot } from './xds.ts';

const route = (name: string, cluster: string): Route => ({ name, match: {}, route: { cluster } });
const listener = (port: number): Listener => ({ name: 'l', address: { socket_address: { port_value: port } } });
const good: XdsSnapshot = {
  listeners: [listener(80)],
  routes: [
    {
      name: 'r',
      virtual_hosts: [
        { name: 'v1', domains: ['a.example.com'], routes: [route('r1', 'c1')] },
        { name: 'v2', domains: ['b.example.com'], routes: [route('r2', 'c2')] },
      ],
    },
  ],
  clusters: [
    { name: 'c1', type: 'EDS' },
    { name: 'c2', type: 'EDS' },
  ],
};
const withHosts = (...hosts: readonly VirtualHost[]): XdsSnapshot => ({
  ...good,
  routes: [{ name: 'r', virtual_hosts: hosts }],
});
const [first, second] = good.routes[0]?.virtual_hosts ?? [];
if (!first || !second) throw new TypeError('two hosts');

const named: Partial<Cluster> = {
  type: 'STATIC',
  load_assignment: {
    endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 'connector.local' } } } }] }],
  },
};

const answers = [
  { name: 'as it came', answer: good, fault: undefined },
  { name: 'a cluster gone', answer: { ...good, clusters: good.clusters.slice(1) }, fault: 'names the cluster c1' },
  {
    name: 'clusters in another order',
    answer: { ...good, clusters: good.clusters.toReversed() },
    fault: 'the clusters are not those that were sent',
  },
  {
    name: 'a static cluster with a name to resolve',
    answer: { ...good, clusters: good.clusters.map((cluster) => ({ ...cluster, ...named })) },
    fault: 'connector.local is no address',
  },
  { name: 'a host twice', answer: withHosts(first, second, { ...second, domains: ['c'] }), fault: 'v2 is there twice' },
  {
    name: 'a domain twice, in another case',
    answer: withHosts(first, { ...second, domains: ['A.example.com'] }),
    fault: 'a.example.com is there twice',
  },
  {
    name: 'no weight left',
    answer: withHosts(first, {
      ...second,
      routes: [{ name: 'r2', match: {}, route: { weighted_clusters: { clusters: [{ name: 'c2', weight: 0 }] } } }],
    }),
    fault: 'no weight left',
  },
  { name: 'what is not ours', answer: { ...good, listeners: [listener(81)] }, fault: 'l is not ours' },
] as const;

describe('S8 contained-hook', () => {
  it.each(answers)('$name: $fault', ({ answer, fault }) => {
    const faults = [...answerFaults(good, answer, (name) => name !== 'l')];
    if (fault === undefined) expect(faults).toEqual([]);
    else expect(faults.join()).toContain(fault);
  });

  it('an error of its own is reported; what the world injected is not', () => {
    const found: string[] = [];
    const { hookCall } = containedHook.attach({
      subject: { hook: { mayChange: () => true } } as never,
      truth: undefined as never,
      report: (message) => found.push(message),
    });
    const failed = (injected: boolean): HookCall => ({
      key: 'k',
      asked: good,
      request: { bytes: new Uint8Array() },
      outcome: { at: 'failed', code: 'INTERNAL', injected },
    });
    hookCall?.(failed(true));
    expect(found).toEqual([]);
    hookCall?.(failed(false));
    expect(found).toEqual(['the call for k failed: INTERNAL']);
  });
});
