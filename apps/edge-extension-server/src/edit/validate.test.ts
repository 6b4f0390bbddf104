/** Answers whose edit would have broken a rule, because the index or the settings say what they never should. */
import { edgeDefaults, edgeReasons } from '@lifeline/core';
import type { EdgeIndex, ProxyProgram } from '@lifeline/edge';
import { encodeMessage, equalMessages, hookTypes } from '@lifeline/envoy-api';
import { recording } from '@lifeline/envoy-api/testing';
import { describe, expect, it } from 'vitest';
import { message } from '../wire/writer.ts';
import { noCorrections } from './corrections.ts';
import { draftOf, echoOf, withFirst } from './draft.fixture.ts';
import type { Draft } from './draft.ts';
import {
  answered,
  globex,
  indexOf,
  leadsOf,
  mergedProxies,
  requestBytes,
  requestJson,
  tunnelsOf,
} from './edit.fixture.ts';
import { routeConfiguration, virtualHost } from './envoy-fields.ts';
import { validate } from './validate.ts';

type Backend = NonNullable<ProxyProgram['rules'][number]['backends'][number]>;

/** The index, with some backends of its connectors changed. */
function indexWith(index: EdgeIndex, change: (backend: Backend) => Backend): EdgeIndex {
  return {
    ...({} as EdgeIndex),
    revision: 1,
    synced: true,
    intent: (key) => index.intent(key),
    gateway: (key) => index.gateway(key),
    proxy(key) {
      const program = index.proxy(key);
      if (!program) return undefined;
      const rules = program.rules.map((rule) => ({
        ...rule,
        backends: rule.backends.map((each) => each && change(each)),
      }));
      return { ...program, rules };
    },
  };
}

describe('a connector that the index has wrong', () => {
  it('is offline everywhere, and alone', () => {
    // site-a is behind two rules. One of them would be told no node.
    const faulty = indexWith(indexOf(), (backend) => (backend.rule === 0 ? { ...backend, nodeId: '' } : backend));
    const { answer, json } = answered('many-rules', faulty);
    expect(leadsOf(json).filter((lead) => lead === '503')).toHaveLength(4);
    expect(json.clusters?.map(tunnelsOf).flat().toSorted()).toEqual([
      expect.stringMatching(/^10\.1\.2\.3:9000 \S+ raw_buffer$/),
      'connector.local:8080',
      'connector.local:8083',
    ]);
    expect(answer.containedBy).toEqual(new Map([[edgeReasons.brokenTunnel, 2]]));
    expect(answer.rows).toMatchObject([
      { namespace: globex, name: 'many-rules', outcome: 'contained', reason: edgeReasons.brokenTunnel },
    ]);
  });

  it.each([
    { name: 'no node id', change: { nodeId: '' } },
    { name: 'port 0', change: { endpoint: { host: 'localhost', port: 8080, tls: false, target: 'localhost:0' } } },
    { name: 'no port', change: { endpoint: { host: 'localhost', port: 8080, tls: false, target: 'localhost' } } },
    {
      name: 'a port that is none',
      change: { endpoint: { host: 'localhost', port: 8080, tls: false, target: 'localhost:65536' } },
    },
  ])('$name', ({ change }) => {
    const request = requestJson('merged-20');
    const good = indexOf({ proxies: mergedProxies(request) });
    const wrong = indexWith(good, (backend) =>
      backend.connector === 'edge-007' ? { ...backend, ...change } : backend,
    );
    const { answer, json } = answered('merged-20', wrong);
    expect(leadsOf(json).filter((lead) => lead === '503')).toHaveLength(1);
    expect(answer.counts).toMatchObject({ clustersReplaced: 19, clustersOffline: 1, contained: 1, rolledBack: 0 });
    // All else is what it would have been.
    const { bytes } = answered(
      'merged-20',
      indexOf({ proxies: mergedProxies(request), online: onlineBut('edge-007') }),
    );
    expect(equalMessages(hookTypes.response, answer.bytes, bytes)).toBe(true);
  });
});

const onlineBut = (name: string): string[] =>
  Array.from({ length: 20 }, (_, i) => `edge-${String(i).padStart(3, '0')}`).filter((each) => each !== name);

describe('settings that nobody checked', () => {
  it('a listener without a name: every connector is offline', () => {
    const { answer, json } = answered('one-gateway-http', indexOf(), { internalListener: '' });
    expect(leadsOf(json)).toEqual(['503']);
    expect(answer.containedBy).toEqual(new Map([[edgeReasons.brokenTunnel, 1]]));
  });

  it('a body that is too long: routes stay as they were received', () => {
    const settings = { offlineBody: 'x'.repeat(edgeDefaults.offlineBodyLimitBytes + 1) };
    const { answer, json } = answered('many-rules', indexOf({ online: ['site-b'] }), settings);
    expect(leadsOf(json)).toEqual(leadsOf(requestJson('many-rules')));
    expect(answer.counts).toMatchObject({ connectorOfflineRoutes: 0, rolledBack: 2 });
    expect(answer.rows).toMatchObject([{ outcome: 'rolledBack', reason: edgeReasons.brokenResponse }]);
    // The stamp goes all the same, so that a nudge alone changes nothing.
    expect(JSON.stringify(requestJson('many-rules').routes)).toContain('lifeline-intent');
    expect(JSON.stringify(json.routes)).not.toContain('lifeline-intent');
  });

  it('a body that is too long, where a domain came in twice: the younger Gateway still loses it', () => {
    const request = requestJson('many-rules');
    const [one, other] = request.routes.flatMap(({ virtual_hosts: hosts = [] }) => hosts);
    if (!one || !other) throw new Error('no virtual hosts');
    other.domains = [...other.domains, ...one.domains];
    const settings = { offlineBody: 'x'.repeat(edgeDefaults.offlineBodyLimitBytes + 1) };
    const { json } = answered(requestBytes(request), indexOf({ online: ['site-b'] }), settings);
    const domains = (json.routes ?? []).flatMap(({ virtual_hosts: hosts = [] }) =>
      hosts.flatMap((host) => host.domains),
    );
    expect(domains).toHaveLength(new Set(domains).size);
  });
});

/** Drafts that no writer of ours writes. */
describe('a draft in which', () => {
  const index = indexOf();
  const draft = draftOf(echoOf(recording('many-rules')));

  /** The draft with another virtual host, said to be edited, in place of the first. */
  function withFirstHost(bytes: Uint8Array): Draft {
    const field = message((out) => out.bytes(routeConfiguration.virtualHosts, bytes));
    const whole = Uint8Array.from([...draft.bytes, ...field]);
    const written = { start: draft.bytes.length, to: whole.length };
    const virtualHosts = withFirst(draft.virtualHosts, (host) => ({ ...host, edited: true }), written);
    return { ...draft, bytes: whole, virtualHosts };
  }
  const nameless = message((out) => out.text(virtualHost.domains, 'many.example.org')).slice();

  it('nothing is wrong has no corrections', () => {
    expect(validate(draft, { corrections: noCorrections, index })).toBe(noCorrections);
  });

  it('a virtual host is broken gets its offline form, then its original, then none', () => {
    const broken = withFirstHost(nameless);
    const once = validate(broken, { corrections: noCorrections, index });
    expect([...once.virtualHosts]).toEqual([[0, { form: 'offline', reason: edgeReasons.renamed }]]);
    const twice = validate(broken, { corrections: once, index });
    expect([...twice.virtualHosts]).toEqual([[0, { form: 'original', reason: edgeReasons.renamed }]]);
    expect(validate(broken, { corrections: twice, index })).toBe(twice);
  });

  it('a cluster is broken too waits with its virtual hosts', () => {
    const broken = withFirstHost(nameless);
    const connectors = [`${globex}/site-a`];
    const both = { ...broken, clusters: withFirst(broken.clusters, (cluster) => ({ ...cluster, connectors })) };
    const once = validate(both, { corrections: noCorrections, index });
    expect([...once.connectors]).toEqual([[`${globex}/site-a`, edgeReasons.brokenTunnel]]);
    expect(once.virtualHosts.size).toBe(0);
    expect(validate(both, { corrections: once, index }).virtualHosts.size).toBe(1);
  });

  it('a route leads to a cluster that is not there', () => {
    const [host] = requestJson('many-rules').routes.flatMap(({ virtual_hosts: hosts = [] }) => hosts);
    const routes = [...(host?.routes ?? []), { name: 'lost', route: { cluster: 'nowhere' } }];
    const lost = withFirstHost(encodeMessage('envoy.config.route.v3.VirtualHost', { ...host, routes } as never));
    expect([...validate(lost, { corrections: noCorrections, index }).virtualHosts]).toEqual([
      [0, { form: 'offline', reason: edgeReasons.missingCluster }],
    ]);
  });
});
