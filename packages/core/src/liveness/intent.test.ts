import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Liveness } from './classify.ts';
import { intentExamples } from './intent-examples.ts';
import { connectorBackends, gatewayIntent, type HTTPProxyLike, type IntentBackend, intentText } from './intent.ts';

const nodeId = 'A'.repeat(64);
const online: Liveness = { state: 'online', nodeId, nodeIdKey: nodeId.toLowerCase() };
const offline = (reason: 'NotReady' | 'NodeIdTaken' | 'NoStatus'): Liveness => ({ state: 'offline', reason });
const unknown: Liveness = { state: 'unknown', reason: 'ConnectorNotFound' };

const proxy: HTTPProxyLike = {
  spec: {
    rules: [
      {
        name: 'api',
        backends: [
          {
            endpoint: 'https://API.internal:8443',
            connector: { name: 'conn-a' },
            tls: { hostname: 'api.example.com' },
          },
        ],
      },
      {
        backends: [{ endpoint: 'http://plain.example' }, { endpoint: 'https://[::1]', connector: { name: 'conn-b' } }],
      },
    ],
  },
};
const intents = (from: HTTPProxyLike, liveness: Liveness = online) =>
  connectorBackends(from, () => liveness).map(({ intent }) => intent);
const backendOf = (backend: object, liveness: Liveness = online) =>
  connectorBackends({ spec: { rules: [{ backends: [backend] }] } }, () => liveness)[0];

describe('connectorBackends', () => {
  it('lists connector backends in order, by their place among all backends', () => {
    expect(intents(proxy)).toEqual([
      {
        rule: 0,
        ruleName: 'api',
        backend: 0,
        connector: 'conn-a',
        state: 'online',
        nodeId,
        target: 'api.internal:8443',
        tls: true,
        sni: 'api.example.com',
      },
      {
        rule: 1,
        ruleName: '',
        backend: 1,
        connector: 'conn-b',
        state: 'online',
        nodeId,
        target: '[::1]:443',
        tls: true,
        sni: '::1',
      },
    ]);
  });

  it.each([
    { name: 'https without tls.hostname: the host', backend: { endpoint: 'https://Web.example' }, sni: 'web.example' },
    {
      name: 'https with tls.hostname',
      backend: { endpoint: 'https://10.0.0.7', tls: { hostname: 'web.example' } },
      sni: 'web.example',
    },
    {
      name: 'an empty tls.hostname is none',
      backend: { endpoint: 'https://web.example', tls: { hostname: '' } },
      sni: 'web.example',
    },
    { name: 'http: none', backend: { endpoint: 'http://web.example', tls: { hostname: 'other.example' } }, sni: '' },
  ])('sni, $name', ({ backend, sni }) => {
    expect(backendOf({ ...backend, connector: { name: 'a' } })?.intent.sni).toBe(sni);
  });

  it('an endpoint that names nothing is offline, whatever the connector', () => {
    const backend = backendOf({ endpoint: 'http://a/b', connector: { name: 'a' } });
    expect(backend?.reason).toBe('InvalidEndpoint');
    expect(backend?.intent).toMatchObject({ state: 'offline', nodeId: '', target: '', tls: false, sni: '' });
  });

  it.each([offline('NotReady'), offline('NodeIdTaken'), unknown])(
    '%j is programmed offline, with its reason beside it',
    (liveness) => {
      const backend = backendOf({ endpoint: 'http://a', connector: { name: 'a' } }, liveness);
      expect(backend?.intent).toMatchObject({ state: 'offline', nodeId: '', target: 'a:80' });
      expect(backend?.reason).toBe(liveness.state === 'online' ? undefined : liveness.reason);
    },
  );

  it.each([
    {},
    { spec: null },
    { spec: { rules: null } },
    { spec: { rules: [{ backends: null }, { backends: [{ connector: null }, { connector: { name: '' } }] }] } },
  ])('%j has none', (from) => {
    expect(intents(from)).toEqual([]);
  });
});

describe('gatewayIntent', () => {
  it.each(intentExamples)('worked example: $name', ({ backends, text, intent }) => {
    expect(intentText(backends)).toBe(text);
    expect(gatewayIntent(backends)).toBe(intent);
  });

  it('the digests of the worked examples are these for ever', () => {
    expect(intentExamples.map(({ intent }) => intent)).toEqual(['e96d23d92dbd5ff6', 'b91ae0b2ee2351a8']);
  });

  it('no connector backend: none', () => {
    expect(gatewayIntent([])).toBe('none');
  });

  it('the reason is not in it: every way of being offline is one program', () => {
    const digests = [offline('NotReady'), offline('NodeIdTaken'), offline('NoStatus'), unknown].map((liveness) =>
      gatewayIntent(intents(proxy, liveness)),
    );
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).not.toBe(gatewayIntent(intents(proxy)));
  });

  it('a node id counts as it is written', () => {
    const lower: Liveness = { ...online, nodeId: nodeId.toLowerCase() };
    expect(gatewayIntent(intents(proxy, lower))).not.toBe(gatewayIntent(intents(proxy)));
  });

  const [example] = intentExamples[0]?.backends as [IntentBackend];
  it.each(Object.keys(example) as (keyof IntentBackend)[])('%s counts', (field) => {
    const value = example[field];
    const other = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`;
    expect(gatewayIntent([{ ...example, [field]: other }])).not.toBe(gatewayIntent([example]));
  });

  it('equal backends give equal digests, different ones different digests; foreign fields count for nothing', () => {
    const backend: fc.Arbitrary<IntentBackend> = fc.record({
      rule: fc.nat(2),
      ruleName: fc.constantFrom('', 'api'),
      backend: fc.nat(2),
      connector: fc.constantFrom('a', 'b'),
      state: fc.constantFrom('online' as const, 'offline' as const),
      nodeId: fc.constantFrom('', nodeId),
      target: fc.constantFrom('a:80', 'b:80'),
      tls: fc.boolean(),
      sni: fc.constantFrom('', 'a'),
    });
    const list = fc.array(backend, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(gatewayIntent(a) === gatewayIntent(b)).toBe(same);
        expect(gatewayIntent(a.map((one) => ({ reason: 'x', ...one })))).toBe(gatewayIntent(a));
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});
