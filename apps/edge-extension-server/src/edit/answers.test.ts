/** What holds for every answer, over random indexes and requests that fit each other more or less. */
import { parseKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import type { LiveIndex } from '@lifeline/edge';
import { decodeResponse } from '@lifeline/envoy-api';
import { recording } from '@lifeline/envoy-api/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSafe, expectWhole, textOf } from './answer-rules.fixture.ts';
import { createEditor } from './create-editor.ts';
import {
  acme,
  type AnswerJson,
  type ClusterJson,
  indexOf,
  mergedProxies,
  recordedProxies,
  requestBytes,
  type RequestJson,
  requestJson,
  resourceOf,
  type RouteJson,
  type RuleText,
  setOnline,
  setProxy,
  tunnelsOf,
} from './edit.fixture.ts';
import { type Answer, type Editor } from './editor.ts';
import { defaultEditorSettings } from './settings.ts';

const names = [
  'one-gateway-http',
  'one-gateway-http-backend-cr',
  'http-and-https-listeners',
  'https-backend',
  'https-backend-weighted',
  'https-backend-cr-v2-names-with-secret',
  'many-rules',
  'many-rules-v2-names',
  'per-backend-filters',
  'weighted-two-backends',
  'weighted-mixed-address',
  'weighted-without-traffic-distribution',
  'plain-service-eds',
  'merged-20-stamped',
] as const;
type Name = (typeof names)[number];

/** One change of the world, chosen by numbers: which of what there is they mean depends on how much there is. */
interface Change {
  readonly kind: 'flip' | 'endpoint' | 'forget' | 'drop rule' | 'connector gone' | 'domain' | 'weight' | 'younger';
  readonly a: number;
  readonly b: number;
}
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    'flip',
    'flip',
    'endpoint',
    'forget',
    'drop rule',
    'connector gone',
    'domain',
    'weight',
    'younger',
  ),
  a: fc.nat(1000),
  b: fc.nat(1000),
});

const endpoints = [
  'http://localhost:8080',
  'http://[fd00::1]:8080',
  'http://localhost:9999',
  'https://vault.internal.test:8443',
  'https://localhost:8080',
  'http://LOCALHOST:8082',
  'ftp:/nothing',
  'http://localhost:99999',
];

interface World {
  readonly index: LiveIndex;
  readonly request: RequestJson;
  readonly proxies: Record<string, readonly RuleText[]>;
}

const at = <T>(items: readonly T[], i: number): T | undefined => items[i % Math.max(items.length, 1)];

/** Decoding takes longer than all else here. */
const decoded = Object.fromEntries(names.map((name) => [name, requestJson(name)])) as Record<Name, RequestJson>;

function worldOf(name: Name, changes: readonly Change[]): World {
  const request = structuredClone(decoded[name]);
  const proxies: Record<string, readonly RuleText[]> = name.startsWith('merged')
    ? mergedProxies(request)
    : { ...recordedProxies };
  const world = { index: indexOf({ proxies }), request, proxies };
  // The Gateways of the request, so that most changes mean something.
  const keys = Object.keys(proxies).filter((key) => request.clusters.some(({ metadata }) => keyOf(metadata) === key));
  for (const each of changes) apply(world, keys, each);
  return world;
}

const keyOf = (metadata: ClusterJson['metadata']): string => {
  const { namespace, name } = resourceOf(metadata);
  return `${namespace}/${name}`;
};

function apply({ index, request, proxies }: World, keys: readonly string[], { kind, a, b }: Change): void {
  const key = at(keys, a);
  const rules = key === undefined ? undefined : proxies[key];
  const hosts = request.routes.flatMap(({ virtual_hosts: each = [] }) => each);
  const [one, other] = [at(hosts, a), at(hosts, b)];
  switch (kind) {
    case 'flip': {
      const connector = at(rules?.flatMap(({ backends }) => backends.flatMap(([, held]) => held ?? [])) ?? [], b);
      if (key !== undefined && connector !== undefined)
        setOnline(index, `${parseKey(key).namespace ?? ''}/${connector}`, b % 3 === 0);
      return;
    }
    case 'connector gone':
      index.setConnector(`${acme}/laptop-7`, undefined);
      return;
    case 'endpoint':
    case 'drop rule': {
      if (key === undefined || !rules) return;
      const changed =
        kind === 'drop rule'
          ? rules.toSpliced(b % Math.max(rules.length, 1), 1)
          : rules.map((rule) => ({
              ...rule,
              backends: rule.backends.map(
                ([held, ...rest], i) => [i === b % 2 ? (at(endpoints, b) ?? held) : held, ...rest] as const,
              ),
            }));
      proxies[key] = changed;
      setProxy(index, key, changed);
      return;
    }
    case 'forget':
      if (key !== undefined) index.setHTTPProxy(key, undefined);
      return;
    case 'domain':
      if (one && other)
        one.domains = [...one.domains, ...other.domains.map((domain) => (b % 2 ? domain.toUpperCase() : domain))];
      return;
    case 'weight': {
      const clusters = one?.routes.flatMap(({ route }) => route?.weighted_clusters?.clusters ?? []) ?? [];
      const entry = at(clusters, b);
      // Not all: that would be refused without us.
      if (entry && clusters.length > 1) entry.weight = b % 2 ? 4_294_967_295 : 1;
      return;
    }
    case 'younger':
      if (key !== undefined)
        index.setGateway(key, { metadata: { creationTimestamp: `20${10 + (b % 20)}-01-01T00:00:00Z` } });
  }
}

const editorOf = (index: LiveIndex): Editor =>
  createEditor({ index, settings: defaultEditorSettings, clock: new VirtualClock() });

const jsonOf = (answer: Answer): AnswerJson => decodeResponse(answer.bytes);

/** The clusters that a route leads to, those without a weight left out. */
const targetsOf = ({ route }: RouteJson): string[] => [
  ...(route?.cluster === undefined ? [] : [route.cluster]),
  ...(route?.weighted_clusters?.clusters ?? []).flatMap(({ name, weight }) => (weight > 0 ? [name] : [])),
];

/** Whatever does not fit, nobody is ever sent to a placeholder. */
function expectNoPlaceholder({ clusters = [], routes = [] }: AnswerJson): void {
  const placeholders = new Set(
    clusters
      .filter((each) => tunnelsOf(each).some((tunnel) => tunnel.startsWith('connector.local:')))
      .map(({ name }) => name),
  );
  const targets = routes.flatMap(({ virtual_hosts: hosts = [] }) =>
    hosts.flatMap((host) => host.routes.flatMap(targetsOf)),
  );
  expect(targets.filter((name) => placeholders.has(name))).toEqual([]);
}

/** A tunnel to a port that https has in the index speaks TLS, with a name that is verified. */
function expectVerified({ clusters = [] }: AnswerJson, { index }: World): void {
  for (const cluster of clusters) {
    const backends = index.proxy(keyOf(cluster.metadata))?.rules.flatMap((rule) => rule.backends) ?? [];
    for (const tunnel of tunnelsOf(cluster)) {
      const [target, , inner] = tunnel.split(' ');
      const secure = backends
        .filter((backend) => backend?.endpoint?.target === target)
        .map((backend) => backend?.endpoint?.tls);
      if (inner !== undefined && secure.length > 0 && secure.every(Boolean)) expect(inner).not.toBe('raw_buffer');
    }
  }
}

it('is whole, safe, the same from every replica, and leads nobody astray', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(change, { maxLength: 12 }), (name, changes) => {
      const world = worldOf(name, changes);
      const request = requestBytes(world.request);
      const editor = editorOf(world.index);
      const answer = editor.open(request).answer();
      const bytes = textOf(answer.bytes);
      expectWhole(request, answer);
      expectSafe(request, answer);
      expectNoPlaceholder(jsonOf(answer));
      expectVerified(jsonOf(answer), world);
      // Another replica, one that has answered much already, and this one again.
      const used = editorOf(world.index);
      for (const other of ['merged-20', 'many-rules']) used.open(recording(other)).answer();
      expect(textOf(used.open(request).answer().bytes)).toBe(bytes);
      expect(textOf(editor.open(request).answer().bytes)).toBe(bytes);
      // Each Gateway is reported once.
      const { gateways } = editor.open(request);
      expect(answer.rows.map((row) => `${row.namespace}/${row.name}`)).toEqual(gateways.map(({ key }) => key));
      expect(new Set(gateways.map(({ key }) => key)).size).toBe(gateways.length);
    }),
    { seed: 20261128, numRuns: 120 },
  );
});

it('what went away and came back is answered as before', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.array(change, { maxLength: 6 }),
      fc.nat(1000),
      (name, changes, chosen) => {
        const { index, request, proxies } = worldOf(name, changes);
        const bytes = requestBytes(request);
        const editor = editorOf(index);
        const before = textOf(editor.open(bytes).answer().bytes);
        const connectors = Object.entries(proxies).flatMap(([key, rules]) =>
          rules.flatMap(({ backends }) =>
            backends.flatMap(([, held]) => (held === undefined ? [] : [`${parseKey(key).namespace ?? ''}/${held}`])),
          ),
        );
        const online = connectors.filter((key) => isOnline(index, key));
        const connector = at(online, chosen);
        if (connector === undefined) return;
        setOnline(index, connector, false);
        editor.open(bytes).answer();
        setOnline(index, connector, true);
        expect(textOf(editor.open(bytes).answer().bytes)).toBe(before);
      },
    ),
    { seed: 20261129, numRuns: 100 },
  );
});

const isOnline = (index: LiveIndex, connector: string): boolean => {
  const { namespace, name } = parseKey(connector);
  return [...index.proxies()].some(
    ({ key, rules }) =>
      parseKey(key).namespace === namespace &&
      rules.some(({ backends }) => backends.some((each) => each?.connector === name && each.state === 'online')),
  );
};
