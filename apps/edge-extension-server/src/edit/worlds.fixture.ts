/** Worlds for tests of answers: a recorded request and an index that fit each other more or less, and what may change in either. */
import { parseKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import type { EdgeIndex, LiveIndex } from '@lifeline/edge';
import fc from 'fast-check';
import { createEditor } from './create-editor.ts';
import {
  acme,
  type ClusterJson,
  indexOf,
  mergedProxies,
  recordedProxies,
  type RequestJson,
  requestJson,
  resourceOf,
  type RuleText,
  setOnline,
  setProxy,
} from './edit.fixture.ts';
import type { Editor } from './editor.ts';
import { defaultEditorSettings } from './settings.ts';

export const names = [
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
export interface Change {
  readonly kind: 'flip' | 'endpoint' | 'forget' | 'drop rule' | 'connector gone' | 'domain' | 'weight' | 'younger';
  readonly a: number;
  readonly b: number;
}
export const change: fc.Arbitrary<Change> = fc.record({
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

export interface World {
  readonly index: LiveIndex;
  readonly request: RequestJson;
  readonly proxies: Record<string, readonly RuleText[]>;
}

export const at = <T>(items: readonly T[], i: number): T | undefined => items[i % Math.max(items.length, 1)];

/** Decoding takes longer than all else here. */
const decoded = Object.fromEntries(names.map((name) => [name, requestJson(name)])) as Record<Name, RequestJson>;

export function worldOf(name: Name, changes: readonly Change[]): World {
  const request = structuredClone(decoded[name]);
  const proxies: Record<string, readonly RuleText[]> = name.startsWith('merged')
    ? mergedProxies(request)
    : { ...recordedProxies };
  const world = { index: indexOf({ proxies }), request, proxies };
  for (const each of changes) apply(world, each);
  return world;
}

export const keyOf = (metadata: ClusterJson['metadata']): string => {
  const { namespace, name } = resourceOf(metadata);
  return `${namespace}/${name}`;
};

export function apply({ index, request, proxies }: World, { kind, a, b }: Change): void {
  // The Gateways of the request, so that most changes mean something.
  const keys = Object.keys(proxies).filter((key) => request.clusters.some(({ metadata }) => keyOf(metadata) === key));
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

export const editorOf = (index: EdgeIndex): Editor =>
  createEditor({ index, settings: defaultEditorSettings, clock: new VirtualClock() });
