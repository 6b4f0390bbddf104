import { edgeReasons } from '@lifeline/core';
import { encodeMessage } from '@lifeline/envoy-api';
import { describe, expect, it } from 'vitest';
import { decodeText, sliceOf } from '../wire/text.ts';
import { message } from '../wire/writer.ts';
import type { RouteJson, VirtualHostJson } from './edit.fixture.ts';
import { route as routeFields, virtualHost as fields } from './envoy-fields.ts';
import { type NamedClusters, virtualHostFault } from './virtual-host-fault.ts';

const bytesOf = (host: VirtualHostJson): Uint8Array =>
  encodeMessage('envoy.config.route.v3.VirtualHost', { ...host } as never);

const to = (cluster: string): RouteJson => ({ name: 'r', route: { cluster } });
const weighted = (...clusters: { name: string; weight: number }[]): RouteJson => ({
  name: 'r',
  route: { weighted_clusters: { clusters } },
});
const offline: RouteJson = { name: 'r', direct_response: { status: 503, body: { inline_string: 'offline' } } };
const hostOf = (...routes: RouteJson[]): VirtualHostJson => ({
  name: 'host',
  domains: ['a.example', 'b.example'],
  routes,
});

interface Case {
  name: string;
  edited: VirtualHostJson;
  received?: VirtualHostJson;
  lost?: number[];
  want: string | undefined;
}

const clusters: NamedClusters = { has: (name) => ['here', 'there'].includes(decodeText(name)) };

const faultOf = ({ edited, received = hostOf(to('here')), lost }: Case): string | undefined =>
  virtualHostFault(sliceOf(bytesOf(edited)), sliceOf(bytesOf(received)), {
    clusters,
    lostDomains: lost && new Set(lost),
  });

const { renamed, missingCluster, noWeight, unclearAction, brokenResponse } = edgeReasons;

describe('a virtual host after its edit', () => {
  it.each<Case>([
    { name: 'offline', edited: hostOf(offline), want: undefined },
    {
      name: 'in part',
      edited: hostOf(weighted({ name: 'here', weight: 1 }, { name: 'there', weight: 0 })),
      want: undefined,
    },
    { name: 'a redirect', edited: hostOf({ name: 'r', redirect: {} }), want: undefined },
    { name: 'another name', edited: { ...hostOf(offline), name: 'other' }, want: renamed },
    { name: 'no name', edited: { ...hostOf(offline), name: '' }, want: renamed },
    { name: 'another domain', edited: { ...hostOf(offline), domains: ['a.example', 'c.example'] }, want: renamed },
    {
      name: 'one domain more',
      edited: { ...hostOf(offline), domains: ['a.example', 'b.example', 'c'] },
      want: renamed,
    },
    { name: 'one domain less', edited: { ...hostOf(offline), domains: ['a.example'] }, want: renamed },
    {
      name: 'the domain that it lost',
      edited: { ...hostOf(offline), domains: ['a.example'] },
      lost: [1],
      want: undefined,
    },
    { name: 'another than it lost', edited: { ...hostOf(offline), domains: ['b.example'] }, lost: [1], want: renamed },
    { name: 'a cluster that is not there', edited: hostOf(to('nowhere')), want: missingCluster },
    {
      name: 'a weighted cluster that is not there',
      edited: hostOf(weighted({ name: 'here', weight: 1 }, { name: 'nowhere', weight: 1 })),
      want: missingCluster,
    },
    { name: 'no weight left', edited: hostOf(weighted({ name: 'here', weight: 0 })), want: noWeight },
    { name: 'no weighted cluster', edited: hostOf(weighted()), want: noWeight },
    { name: 'no action', edited: hostOf({ name: 'r' }), want: unclearAction },
    {
      name: 'no status',
      edited: hostOf({ ...offline, direct_response: { status: 0, body: { inline_string: '' } } }),
      want: brokenResponse,
    },
    {
      name: 'a status that is none',
      edited: hostOf({ ...offline, direct_response: { status: 600, body: { inline_string: '' } } }),
      want: brokenResponse,
    },
    {
      name: 'the longest body',
      edited: hostOf({ ...offline, direct_response: { status: 503, body: { inline_string: 'é'.repeat(2048) } } }),
      want: undefined,
    },
    {
      name: 'a body that is too long, in bytes',
      edited: hostOf({ ...offline, direct_response: { status: 503, body: { inline_string: 'é'.repeat(2049) } } }),
      want: brokenResponse,
    },
    {
      name: 'what came in broken is not ours',
      received: hostOf(to('here'), to('nowhere')),
      edited: hostOf(offline, to('nowhere')),
      want: undefined,
    },
    {
      name: 'what came in broken hides nothing of ours',
      received: hostOf(to('here'), to('nowhere')),
      edited: hostOf(weighted(), to('nowhere')),
      want: noWeight,
    },
  ])('$name → $want', (each) => {
    expect(faultOf(each)).toBe(each.want);
  });

  it('a route with two actions, of which Envoy would take the last', () => {
    const route = (...actions: number[]): Uint8Array =>
      message((out) => {
        out.text(fields.name, 'host');
        out.begin(fields.routes);
        for (const action of actions) out.bytes(action, new Uint8Array());
        out.end();
      }).slice();
    const fault = (edited: Uint8Array): string | undefined =>
      virtualHostFault(sliceOf(edited), sliceOf(route(routeFields.redirect)), {
        clusters,
        lostDomains: undefined,
      });
    expect(fault(route(routeFields.redirect, routeFields.nonForwardingAction))).toBe(unclearAction);
    expect(fault(route(routeFields.filterAction))).toBeUndefined();
  });
});
