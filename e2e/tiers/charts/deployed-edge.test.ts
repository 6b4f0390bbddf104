/** The extension server's chart at work: installed by helm on an edge with RBAC, and its app with nothing but the rights of the release. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  annotations,
  Connector,
  Gateway,
  HTTPProxy,
  type Kind,
  labels,
  Namespace,
  truthNamespace,
  unknownKind,
} from '@lifeline/core';
import { createAuthority } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { Deployed, GuardedPlane } from './deployed.fixture.ts';
import { retranslator } from './edge-cases.fixture.ts';
import { charts, merged, release, runHelm, template, type Values } from './helm.fixture.ts';

const chart = 'edge-extension-server';
const fullname = `${release.name}-${chart}`;
const policies: Kind = {
  ...unknownKind({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
  }),
  scope: 'Cluster',
};
const authority = createAuthority('edge');
const { certificate, key } = authority.issue({
  commonName: 'replica',
  dnsNames: [`${fullname}.${release.namespace}.svc`],
});
const namespace = 'ns-1';

it(
  'stamps, and reads the reports of replicas, with nothing but what the release gives',
  { timeout: 180_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const edge = await GuardedPlane.start('edge', `system:serviceaccount:${release.namespace}:${fullname}`, stack);
    const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'lifeline-edge-')));
    const admin = join(folder.path, 'admin.kubeconfig');
    await writeFile(admin, edge.kubeconfig('admin'));
    const helm =
      (...args: readonly string[]) =>
      (values?: Values) =>
        runHelm([...args, '--namespace', release.namespace, '--kubeconfig', admin], values);
    const [hook, report, healthPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    // Test planes serve no PodDisruptionBudgets.
    const values: Values = {
      image: { repository: 'registry.example/edge-extension-server' },
      config: {
        gatewayClasses: ['edge'],
        tls: { hookClients: ['envoy-gateway.test'] },
        hook: { listen: [`:${hook}`] },
        report: { listen: [`:${report}`] },
        reports: { port: report },
        healthPort,
        metricsPort,
      },
      certificates: { server: { secret: 'extension-server' } },
      podDisruptionBudget: { enabled: false },
    };
    const upgrade = helm('upgrade', '--install', release.name, join(charts, chart), '--create-namespace');

    const refused = await upgrade(values);
    expect(refused.stderr).toContain(`make it first: kubectl create namespace ${truthNamespace}`);
    await edge.create(Namespace, { metadata: { name: truthNamespace } });
    const installed = await upgrade(values);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toContain(`hostname: ${fullname}.${release.namespace}.svc, port: ${hook}`);
    expect(edge.api.objects(policies)).toHaveLength(1);

    // A pod of the release has a token in place of this kubeconfig, and no slice may name a loopback address.
    const objects = await template(
      chart,
      merged(values, {
        config: {
          kubeconfig: '/etc/lifeline/edge/kubeconfig',
          reports: {
            service: `${release.namespace}/${fullname}-reports`,
            addresses: [`127.0.0.1:${report}`],
          },
        },
        extraVolumes: [{ name: 'edge', secret: { secretName: 'edge' } }],
        extraVolumeMounts: [{ name: 'edge', mountPath: '/etc/lifeline/edge', readOnly: true }],
      }),
    );
    const running = stack.use(
      await Deployed.start(chart, objects, {
        edge: { kubeconfig: edge.kubeconfig('app') },
        tls: { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate },
      }),
    );
    await running.ready();

    await edge.create(Namespace, { metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } } });
    const metadata = { namespace, name: 'shop' };
    const backends = [{ endpoint: 'http://localhost:8080', connector: { name: 'laptop' } }];
    await edge.create(Connector, { metadata: { namespace, name: 'laptop' }, spec: { connectorClassName: 'tunnels' } });
    await edge.create(HTTPProxy, { metadata, spec: { hostnames: ['shop.test'], rules: [{ backends }] } });
    await edge.create(Gateway, {
      metadata,
      spec: { gatewayClassName: 'edge', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    });
    await until(
      () => edge.api.get(Gateway, metadata)?.metadata.annotations?.[annotations.intent] ?? running.output,
      (stamp) => /^[0-9a-f]{16}(?:\.\d+)?$/.test(stamp),
    );
    // Its own reports, and once more as another replica reads them: over TLS, by the name of the Service.
    await until(
      () => running.ask('metrics', '/metrics'),
      (text) => text.includes('lifeline_report_streams{state="synced"} 1'),
    );
    const metrics = await running.ask('metrics', '/metrics');
    expect(metrics).toMatch(/rest_client_requests_total\{code="200",method="PATCH"/);
    expect(metrics.match(/rest_client_requests_total\{code="40[13]".*/g)).toBeNull();
    expect(metrics).toMatch(/lifeline_certificate_expiry_seconds\{use="server"\} \d+/);

    const { ended, ms } = await running.stop();
    expect(ended).toEqual([0, null]);
    expect(ms).toBeLessThan((running.pod.terminationGracePeriodSeconds ?? 0) * 1_000);
    expect(running.output).not.toMatch(/"level":"(?:error|warn)"/);

    expect(await upgrade(merged(values, { config: { withRetranslator: false } }))).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(edge.api.objects(policies)).toEqual([]);
    // The retranslator of its own takes the right over.
    const stamps = helm('upgrade', '--install', 'stamps', join(charts, retranslator.chart));
    const alone = merged(retranslator.cases['plain'] ?? {}, {
      config: { reports: { service: `${release.namespace}/${fullname}-reports` } },
      podDisruptionBudget: { enabled: false },
    });
    expect(await stamps(alone)).toMatchObject({ code: 0, stderr: '' });
    expect(edge.api.objects(policies).map(({ metadata }) => metadata.name)).toEqual([
      `stamps-${retranslator.chart}-stamp.${release.namespace}`,
    ]);
    expect(await helm('uninstall', 'stamps')()).toMatchObject({ code: 0 });
    expect(await helm('uninstall', release.name)()).toMatchObject({ code: 0 });
    expect(edge.api.objects(Gateway)).toHaveLength(1);
  },
);
