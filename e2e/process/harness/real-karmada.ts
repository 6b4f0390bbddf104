/**
 * Karmada's own programs in place of the small one. They are in no registry: whoever has them names their folder, with Karmada's
 * CustomResourceDefinitions in `crds/` below it, in `LIFELINE_KARMADA_BIN`.
 *
 * Flags, order and objects are those with which karmada-io/karmada@f8fdd02 was seen to work as plain processes.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonValue, systemClock } from '@lifeline/core';
import type { Client } from '@lifeline/k8s';
import { adminClient } from './admin-client.ts';
import { createPolicy, joinMember } from './karmada-objects.ts';
import { edges, file, hub, karmadaFolder, kubeconfigOf, type PlaneName } from './names.ts';
import { createNamespaces, etcdUrl, type Plane } from './planes.ts';
import { freePort } from '../../free-port.ts';
import { answersHttp, answersHttps } from './probes.ts';
import type { ProcessTable } from './process-table.ts';

const { signal } = new AbortController();
const aggregated = 'karmada-aggregated-apiserver';
const system = 'karmada-system';
const clusters = 'karmada-cluster';
const kubeconfig = kubeconfigOf(hub);
const asAdmin = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
  (flag) => `--${flag}=${kubeconfig}`,
);

export async function startRealKarmada(table: ProcessTable, planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
  const { authority } = planes.get(hub) as Plane;
  const client = await adminClient(kubeconfig, 'e2e');
  await createNamespaces(hub, system, clusters);
  const folder = file('karmada');
  await mkdir(join(folder, 'webhook'), { recursive: true });
  for (const name of [aggregated, 'webhook']) {
    const dnsNames = ['localhost', `${name}.${system}.svc`];
    const { certificate, key } = authority.issue({ commonName: name, dnsNames, addresses: ['127.0.0.1'] });
    await writeFile(join(folder, `${name}.crt`), certificate);
    await writeFile(join(folder, `${name}.key`), key, { mode: 0o600 });
  }
  for (const entry of ['crt', 'key'])
    await copyFile(join(folder, `webhook.${entry}`), join(folder, 'webhook', `tls.${entry}`));
  await startAggregated(table, client, authority.certificate);
  await startWebhook(table, client, authority.certificate);
  await startManagers(table);
  await createPolicy(client);
  await Promise.all(edges.map((edge) => joinReal(client, planes.get(edge) as Plane)));
}

const post = (client: Client, path: string, body: object): Promise<JsonValue> =>
  client.raw({ method: 'POST', path, body: body as unknown as JsonValue }, { signal });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The only server of Cluster. Its Service leads to this machine, at the APIService's port. */
async function startAggregated(table: ProcessTable, client: Client, ca: string): Promise<void> {
  const port = await freePort();
  const certificate = file('karmada', aggregated);
  await table.start(aggregated, {
    command: join(karmadaFolder ?? '', aggregated),
    args: [
      ...asAdmin,
      `--etcd-servers=${await readFile(etcdUrl(hub), 'utf8')}`,
      ...['--bind-address=127.0.0.1', `--secure-port=${port}`],
      ...[`--tls-cert-file=${certificate}.crt`, `--tls-private-key-file=${certificate}.key`],
    ],
  });
  const service = { namespace: system, name: aggregated };
  await post(client, `/api/v1/namespaces/${system}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: service,
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const [group, version] = ['cluster.karmada.io', 'v1alpha1'];
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  await post(client, path, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      ...{ group, version, groupPriorityMinimum: 2000, versionPriority: 10 },
      service: { ...service, port },
      caBundle: base64(ca),
    },
  });
  for (;;) {
    const said = JSON.stringify(await client.raw({ method: 'GET', path: `${path}/${version}.${group}` }, { signal }));
    if (/"status":"True"[^}]*"type":"Available"|"type":"Available"[^}]*"status":"True"/.test(said)) return;
    await systemClock.sleep(200);
  }
}

/** Kinds that Karmada has to see before they are stored: without it the scheduler takes no binding. */
const hooks = {
  Mutating: {
    policy: ['propagationpolicies', 'clusterpropagationpolicies', 'overridepolicies'],
    work: ['resourcebindings', 'clusterresourcebindings', 'works'],
  },
  Validating: {
    policy: ['propagationpolicies', 'clusterpropagationpolicies'],
    config: ['resourceinterpretercustomizations'],
  },
} as const;

const singular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

async function startWebhook(table: ProcessTable, client: Client, ca: string): Promise<void> {
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  await table.start('karmada-webhook', {
    command: join(karmadaFolder ?? '', 'karmada-webhook'),
    args: [
      ...[`--kubeconfig=${kubeconfig}`, '--bind-address=127.0.0.1', `--secure-port=${port}`],
      ...[`--cert-dir=${file('karmada/webhook')}`, '--metrics-bind-address=0', '--health-probe-bind-address=0'],
    ],
    // Its health port answers 404 to every probe.
    ready: () => answersHttps(`${url}/readyz/`, ca),
  });
  for (const [verb, groups] of Object.entries(hooks)) {
    const webhooks = Object.entries(groups).flatMap(([group, resources]: [string, readonly string[]]) =>
      resources.map((resource) => ({
        name: `${singular(resource)}.${group}.hub.test`,
        ...{ sideEffects: 'None', timeoutSeconds: 5, failurePolicy: 'Fail', admissionReviewVersions: ['v1'] },
        clientConfig: {
          url: `${url}/${verb.toLowerCase().replace(/ing$/, 'e')}-${singular(resource)}`,
          caBundle: base64(ca),
        },
        rules: [
          {
            apiGroups: [`${group}.karmada.io`],
            ...{ apiVersions: ['*'], resources: [resource], scope: '*', operations: ['CREATE', 'UPDATE'] },
          },
        ],
      })),
    );
    const kind = `${verb}WebhookConfiguration`;
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const metadata = { name: `karmada-${verb.toLowerCase()}` };
    await post(client, `/apis/${apiVersion}/${kind.toLowerCase()}s`, { apiVersion, kind, metadata, webhooks });
  }
}

async function startManagers(table: ProcessTable): Promise<void> {
  const flags = {
    // Faster than the defaults: people wait.
    'karmada-controller-manager': [
      ...['--enable-cluster-resource-modeling=false', '--kube-api-qps=200', '--kube-api-burst=400'],
      ...['--concurrent-work-syncs=20', '--rate-limiter-max-delay=10s', '--cluster-status-update-frequency=2s'],
      ...['--cluster-failure-threshold=4s', '--cluster-success-threshold=2s'],
    ],
    'karmada-scheduler': [],
  };
  for (const [name, more] of Object.entries(flags)) {
    const health = `127.0.0.1:${await freePort()}`;
    const common = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--metrics-bind-address=0'];
    await table.start(name, {
      command: join(karmadaFolder ?? '', name),
      args: [...common, `--health-probe-bind-address=${health}`, ...more],
      ready: () => answersHttp(`http://${health}/healthz`),
    });
  }
}

/** By a token: Karmada takes no client certificates. */
async function joinReal(client: Client, { name, port, authority }: Plane): Promise<void> {
  const token = await readFile(file(name, 'admin.token'), 'utf8');
  await post(client, `/api/v1/namespaces/${clusters}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: clusters, name },
    stringData: { token, caBundle: authority.certificate },
  });
  const apiEndpoint = `https://127.0.0.1:${port}`;
  await joinMember(client, name, { syncMode: 'Push', apiEndpoint, secretRef: { namespace: clusters, name } });
}
