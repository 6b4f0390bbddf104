/** What holds of every answer, whatever the index says. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalMessages, hookTypes } from '@lifeline/envoy-api';
import { recording, recordings, withMapsShuffled } from '@lifeline/envoy-api/testing';
import { Cursor } from '../wire/cursor.ts';
import {
  answered,
  type AnswerJson,
  indexOf,
  mergedProxies,
  recordedProxies,
  requestBytes,
  requestJson,
  type RuleText,
  setOnline,
} from './edit.fixture.ts';
import { requestFields, responseFields } from './envoy-fields.ts';

const names = recordings.filter((name) => name !== 'merged-100');
const proxiesOf = (name: string) => (name.startsWith('merged') ? mergedProxies(requestJson(name)) : recordedProxies);
const connectorsOf = (rules: readonly RuleText[]) =>
  rules.flatMap(({ backends }) => backends.flatMap(([, connector]) => connector ?? []));

/** A recording and an index that fits it more or less: connectors on and off, HTTPProxies that are missing or of another version. */
const worldArb = fc
  .record({ name: fc.constantFrom(...names), seed: fc.infiniteStream(fc.nat(9)) })
  .map(({ name, seed }) => {
    const draw = (): number => seed.next().value as number;
    const proxies: Record<string, readonly RuleText[]> = {};
    const online: string[] = [];
    for (const [key, rules] of Object.entries(proxiesOf(name))) {
      const version = draw();
      if (version === 0) continue;
      proxies[key] = rules.map((rule) => ({
        ...rule,
        ...(version === 1 && rule.name ? { name: 'renamed' } : {}),
        backends: rule.backends.map(([endpoint, connector]) => [
          version === 2 ? `${endpoint}1` : version === 3 ? endpoint.replace('http:', 'https:') : endpoint,
          ...(connector && version !== 4 ? [connector] : []),
        ]),
      })) as unknown as RuleText[];
      online.push(...connectorsOf(rules).filter(() => draw() > 3));
    }
    return { name, proxies, online };
  });

/** The payloads of a list, as bytes. */
function listOf(message: Uint8Array, field: number): Uint8Array[] {
  const cursor = new Cursor(message);
  const payloads: Uint8Array[] = [];
  while (cursor.next()) if (cursor.isBytes(field)) payloads.push(message.slice(cursor.from, cursor.to));
  return payloads;
}

const hostsOf = ({ routes = [] }: AnswerJson) => routes.flatMap(({ virtual_hosts: hosts = [] }) => hosts);

describe('every answer', () => {
  it('gives every list back whole and in order; adds no route and no domain; names no cluster that is not there', () => {
    fc.assert(
      fc.property(worldArb, ({ name, ...world }) => {
        const request = requestJson(name);
        const { json } = answered(name, indexOf(world));
        const outline = ({ clusters = [], routes = [], secrets = [] }: AnswerJson) => ({
          clusters: clusters.map((each) => each.name),
          secrets,
          routes: routes.map((each) => [
            each.name,
            each.virtual_hosts?.map((host) => [host.name, host.domains, host.routes.map((route) => route.name)]),
          ]),
        });
        expect(outline(json)).toEqual(outline(request));
        const there = new Set(json.clusters?.map((each) => each.name));
        for (const { route } of hostsOf(json).flatMap((host) => host.routes)) {
          for (const cluster of [
            route?.cluster,
            ...(route?.weighted_clusters?.clusters ?? []).map((each) => each.name),
          ]) {
            if (cluster !== undefined) expect(there).toContain(cluster);
          }
        }
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('what is not edited leaves as the bytes that came', () => {
    fc.assert(
      fc.property(worldArb, ({ name, ...world }) => {
        const request = recording(name);
        const { bytes, json } = answered(name, indexOf(world));
        const lists = (list: keyof typeof requestFields) => ({
          before: listOf(request, requestFields[list]),
          after: listOf(bytes, responseFields[list]),
        });
        const clusters = lists('clusters');
        for (const [i, { type, load_assignment: assignment }] of (json.clusters ?? []).entries()) {
          const isTunnel =
            type === 'STATIC' && assignment?.endpoints[0]?.lb_endpoints[0]?.metadata?.filter_metadata.tunnel;
          if (!isTunnel) expect(clusters.after[i]).toEqual(clusters.before[i]);
        }
        const secrets = lists('secrets');
        expect(secrets.after).toEqual(secrets.before);
        const listeners = lists('listeners');
        expect(listeners.after).toHaveLength(listeners.before.length);
        for (const [i, before] of listeners.before.entries()) {
          const after = listeners.after[i] ?? new Uint8Array();
          expect(after).toHaveLength(before.length);
          expect(equalMessages(hookTypes.listener, before, after)).toBe(true);
        }
        const hosts = (message: readonly Uint8Array[]) => message.flatMap((each) => listOf(each, 2));
        const routes = lists('routes');
        const before = hosts(routes.before);
        const requested = hostsOf(requestJson(name));
        for (const [i, after] of hosts(routes.after).entries()) {
          const isSame = JSON.stringify(hostsOf(json)[i]) === JSON.stringify(requested[i]);
          if (isSame) expect(after).toEqual(before[i]);
        }
      }),
      { seed: 2, numRuns: 40 },
    );
  });

  it('is the same for maps in another order', () => {
    fc.assert(
      fc.property(worldArb, fc.nat(20), ({ name, ...world }, by) => {
        const index = indexOf(world);
        const turned = <T>(items: readonly T[]): T[] => [
          ...items.slice(by % items.length),
          ...items.slice(0, by % items.length),
        ];
        const shuffled = withMapsShuffled(hookTypes.request, recording(name), turned);
        expect(answered(shuffled, index).json).toEqual(answered(name, index).json);
      }),
      { seed: 3, numRuns: 20 },
    );
  });

  it('depends on nothing but request and index: online, offline, online restores the first bytes', () => {
    fc.assert(
      fc.property(worldArb, fc.infiniteStream(fc.boolean()), ({ name, ...world }, flips) => {
        const index = indexOf(world);
        const first = answered(name, index).bytes;
        const keys = Object.entries(world.proxies).flatMap(([key, rules]) =>
          connectorsOf(rules).map((connector) => ({ key: `${key.split('/')[0] ?? ''}/${connector}`, connector })),
        );
        const flipped = keys.filter(() => flips.next().value);
        for (const { key, connector } of flipped) setOnline(index, key, !world.online.includes(connector));
        answered(name, index);
        for (const { key, connector } of keys) setOnline(index, key, world.online.includes(connector));
        expect(Buffer.compare(answered(name, index).bytes, first)).toBe(0);
      }),
      { seed: 4, numRuns: 25 },
    );
  });

  it('has a row for each Gateway, with the intent of the index', () => {
    fc.assert(
      fc.property(worldArb, ({ name, ...world }) => {
        const index = indexOf(world);
        const { answer } = answered(name, index);
        const keys = answer.rows.map((row) => `${row.namespace}/${row.name}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(answer.rows.map((row) => row.intent)).toEqual(keys.map((key) => index.intent(key)));
        expect(answer.rows.every((row) => (row.outcome === 'programmed') === (row.reason === ''))).toBe(true);
        expect([...answer.containedBy.values()].reduce((sum, each) => sum + each, 0)).toBe(answer.counts.contained);
      }),
      { seed: 5, numRuns: 40 },
    );
  });
});

describe('fields that nobody knows', () => {
  const unknown = [{ no: 5000, wireType: 2, data: Buffer.from([3, 1, 2, 3]).toString('base64') }];
  const isMarked = (message: object | undefined): boolean =>
    isDeepStrictEqual((message as { '@unknown'?: unknown } | undefined)?.['@unknown'], unknown);

  /** Unknown fields in every message of a request that an edit goes into. */
  function marked(name: string): Uint8Array {
    const request = requestJson(name);
    const mark = (message: object | undefined): void => void Object.assign(message ?? {}, { '@unknown': unknown });
    for (const cluster of request.clusters) {
      mark(cluster);
      mark(cluster.load_assignment);
      for (const locality of cluster.load_assignment?.endpoints ?? []) {
        mark(locality);
        for (const endpoint of locality.lb_endpoints) {
          mark(endpoint);
          mark(endpoint.endpoint);
          mark(endpoint.metadata);
        }
      }
    }
    for (const configuration of request.routes) {
      mark(configuration);
      for (const host of configuration.virtual_hosts ?? []) {
        mark(host);
        mark(host.metadata);
        for (const route of host.routes) {
          mark(route);
          mark(route.route);
          mark(route.route?.weighted_clusters);
          for (const entry of route.route?.weighted_clusters?.clusters ?? []) mark(entry);
        }
      }
    }
    return requestBytes(request);
  }

  it.each(['https-backend', 'weighted-without-traffic-distribution', 'merged-20-stamped'])(
    '%s, online: they stay in the cluster, its localities and endpoints',
    (name) => {
      const { json } = answered(marked(name), indexOf({ proxies: proxiesOf(name) }));
      for (const cluster of json.clusters ?? []) {
        const localities = cluster.load_assignment?.endpoints ?? [];
        const endpoints = localities.flatMap((locality) => locality.lb_endpoints);
        const held = endpoints.flatMap(({ metadata }) => (Object.keys(metadata ?? {}).length > 1 ? [metadata] : []));
        expect(endpoints.length).toBeGreaterThan(0);
        const all = [
          cluster,
          cluster.load_assignment,
          ...localities,
          ...endpoints,
          ...endpoints.map((each) => each.endpoint),
        ];
        expect(all.every(isMarked)).toBe(true);
        expect(held.every(isMarked)).toBe(true);
        expect(held).toHaveLength(name === 'https-backend' ? 1 : 0);
      }
    },
  );

  it.each(['merged-20-stamped', 'many-rules', 'weighted-two-backends'])(
    '%s, offline in part: they stay in virtual hosts, routes and entries',
    (name) => {
      const { json } = answered(marked(name), indexOf({ proxies: proxiesOf(name), online: ['laptop-7'] }));
      const hosts = hostsOf(json);
      const routes = hosts.flatMap((host) => host.routes);
      const actions = routes.flatMap(({ route }) =>
        route
          ? [route, ...(route.weighted_clusters ? [route.weighted_clusters, ...route.weighted_clusters.clusters] : [])]
          : [],
      );
      expect(
        [...(json.routes ?? []), ...hosts, ...hosts.map((host) => host.metadata), ...routes, ...actions].every(
          isMarked,
        ),
      ).toBe(true);
      expect(routes.some((route) => route.direct_response ?? route.route?.weighted_clusters)).toBe(true);
    },
  );
});
