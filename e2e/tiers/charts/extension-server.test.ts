/** What the extension server's chart has beside what both charts of the edge have: Services, ports, memory, and Envoy's bootstrap. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { V1NetworkPolicy, V1Service } from '@kubernetes/client-node';
import { defaultPorts, edgeDefaults } from '@lifeline/core';
import { app as extensionServerApp } from '@lifeline/edge-extension-server';
import { encodeMessage } from '@lifeline/envoy-api';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { extensionServer } from './edge-cases.fixture.ts';
import { type Manifest, merged, release, template, type Values } from './helm.fixture.ts';
import { configOf, only } from './rendered.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

describe("the extension server's chart has", () => {
  const { chart, cases } = extensionServer;
  const render = (name: string): Promise<readonly Manifest[]> => template(chart, cases[name] ?? {});
  const service = (objects: readonly Manifest[], suffix = ''): V1Service['spec'] =>
    (
      objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === `lifeline-${chart}${suffix}`) as
        V1Service | undefined
    )?.spec;

  it('a Service of the hook, and one of all replicas, ready or not, where each is asked for reports', async () => {
    const objects = await render('plain');
    const { reports, tls } = await configOf(extensionServerApp, objects);
    const { selects } = workloadOf(only(objects, 'Deployment'));
    const [hook, all] = [service(objects), service(objects, '-reports')];
    expect(hook?.ports).toEqual([{ name: 'hook', port: defaultPorts.hook, targetPort: 'hook', protocol: 'TCP' }]);
    expect(all).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(all?.ports?.map(({ name, port }) => [name, port])).toEqual([
      ['report', reports.port],
      ['metrics', defaultPorts.metrics],
    ]);
    for (const { selector } of [hook ?? {}, all ?? {}]) expect(selects(selector)).toBe(true);
    expect(reports.service).toBe(`${release.namespace}/lifeline-${chart}-reports`);
    expect(tls?.reportClients).toEqual([reports.serverName]);
    expect(reports.serverName).toBe(`lifeline-${chart}.${release.namespace}.svc`);
  });

  it('memory for eight messages of the largest size, as it comes', async () => {
    const { container } = workloadOf(only(await render('plain'), 'Deployment'));
    const [, gibibytes] = /^(\d+)Gi$/.exec(container.resources?.limits?.['memory'] ?? '') ?? [];
    expect(Number(gibibytes) * 2 ** 30).toBeGreaterThanOrEqual(8 * edgeDefaults.messageLimitBytes);
  });

  it('a heap of half of that, whose young generation stays small', async () => {
    const { container } = workloadOf(only(await render('plain'), 'Deployment'));
    const value = '--max-old-space-size-percentage=50 --max-semi-space-size=16';
    expect(container.env).toContainEqual({ name: 'NODE_OPTIONS', value });
    const env = { ...process.env, NODE_OPTIONS: value };
    const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'process.env.NODE_OPTIONS'], { env });
    expect(stdout.trim()).toBe(value);
  });

  it('a policy that lets in callers and readers by name, and out to the other replicas', async () => {
    const policy = only(await render('everything'), 'NetworkPolicy') as unknown as V1NetworkPolicy;
    const from = Object.fromEntries(
      (policy.spec?.ingress ?? []).map((rule) => [String(rule.ports?.[0]?.port), (rule as Values)['from']]),
    );
    const own = { podSelector: { matchLabels: policy.spec?.podSelector?.matchLabels } };
    expect(from['hook']).toEqual((cases['everything']?.['networkPolicy'] as Values)['hookFrom']);
    expect(from['report']).toEqual([own, { podSelector: { matchLabels: { app: 'retranslator' } } }]);
    expect(policy.spec?.egress?.at(-1)).toEqual({ ports: [{ port: 7006, protocol: 'TCP' }], to: [own] });
  });

  it.each([
    ['everything', 'my-tunnel', 'STRICT_DNS', 'tunnel.edge.svc'],
    ['bare', edgeDefaults.internalListener, 'STATIC', 'fd00::1'],
  ])('a bootstrap that Envoy knows every field of: %s', async (name, ...wanted) => {
    const [listener, type, address] = wanted;
    const { spec } = only(await render(name), 'EnvoyProxy');
    const bootstrap = parse((spec?.['bootstrap'] as { value: string }).value) as Values;
    expect(encodeMessage('envoy.config.bootstrap.v3.Bootstrap', bootstrap as never).length).toBeGreaterThan(100);
    const [cluster] = (bootstrap['static_resources'] as { clusters: Values[] }).clusters;
    expect(bootstrap).toMatchObject({ static_resources: { listeners: [{ name: listener }], clusters: [{ type }] } });
    expect(JSON.stringify(cluster)).toContain(`"socket_address":{"address":"${address}","port_value":2777}`);
  });

  it('no alert of the retranslator where it does not run', async () => {
    const alerts = async (name: string): Promise<string> =>
      JSON.stringify(
        only(await template(chart, merged(cases[name] ?? {}, { prometheusRule: { enabled: true } })), 'PrometheusRule'),
      );
    expect(await alerts('plain')).toContain('lifeline_unconverged_gateways');
    expect(await alerts('without-the-retranslator')).not.toContain('lifeline_unconverged_gateways');
  });
});
