/** The planes: real kube-apiservers on one etcd, each with its own prefix, authority, tokens and audit log. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type Namespace as NamespaceObject, Namespace, systemRandom } from '@lifeline/core';
import { type Authority, createAuthority } from '@lifeline/k8s/testing';
import { adminClient } from './admin-client.ts';
import { installCrds } from './crds.ts';
import { file, hub, karmadaFolder, kubeconfigOf, type PlaneName, planes, program, spare } from './names.ts';
import { freePort } from '../../free-port.ts';
import { answersHttp, answersHttps } from './probes.ts';
import type { ProcessTable } from './process-table.ts';

export interface Plane {
  readonly name: PlaneName;
  readonly port: number;
  /** Signed its certificate, and is believed by it. */
  readonly authority: Authority;
}

/** Every request, by whom, for what, with which answer; no bodies. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** API servers that cannot stream a list, as older ones: who starts a watch there lists first. */
const listsAnew: readonly PlaneName[] = ['project-b', hub, 'edge-1', 'edge-2'];

const auditLog = (plane: PlaneName): string => file(plane, 'audit.log');

export type Role = 'hub' | 'project' | 'edge';

/** Brings up all of them, with the kinds of their roles. */
export async function startPlanes(table: ProcessTable): Promise<ReadonlyMap<PlaneName, Plane>> {
  await startEtcd(table, etcdOf(hub));
  const up = planes.filter((name) => name !== spare);
  return new Map(
    await Promise.all(up.map(async (name) => [name, await startPlane(table, name, roleOf(name))] as const)),
  );
}

/** Brings up the one for whoever asks much of an API server: on an etcd of its own, and with Kubernetes' own kinds only. */
export async function startSpare(table: ProcessTable): Promise<void> {
  await startEtcd(table, etcdOf(spare));
  await startPlane(table, spare);
  await startControllerManager(table, spare);
}

async function startPlane(table: ProcessTable, name: PlaneName, role?: Role): Promise<Plane> {
  const plane = { name, port: await freePort(), authority: createAuthority(name) };
  await startApiServer(table, plane);
  if (role) await installCrds(await adminClient(kubeconfigOf(name)), role);
  return plane;
}

const roleOf = (name: PlaneName): Role => (name === hub ? 'hub' : name.startsWith('edge') ? 'edge' : 'project');

const etcdOf = (plane: PlaneName): string => (plane === spare ? 'etcd-spare' : 'etcd');
/** A file that says where the etcd of a plane is. */
export const etcdUrl = (plane: PlaneName): string => file(`${etcdOf(plane)}.url`);

async function startEtcd(table: ProcessTable, name: string): Promise<void> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  await table.start(name, {
    command: program('etcd'),
    args: [
      `--data-dir=${file(name)}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // Nobody reads it again.
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
    ready: () => answersHttp(`${client}/health`),
  });
  await writeFile(file(`${name}.url`), client);
}

async function startApiServer(table: ProcessTable, plane: Plane): Promise<void> {
  const { name, port, authority } = plane;
  const here = (entry: string): string => file(name, entry);
  await mkdir(file(name), { recursive: true });
  const { certificate, key } = authority.issue({
    commonName: name,
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1'],
  });
  const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [admin, plain] = [systemRandom.hex(16), systemRandom.hex(16)];
  const files = {
    'ca.crt': authority.certificate,
    'tls.crt': certificate,
    'tls.key': key,
    'accounts.key': accounts.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'accounts.pub': accounts.publicKey.export({ type: 'spki', format: 'pem' }),
    'tokens.csv': `${admin},admin,admin-uid,"system:masters"\n${plain},plain,plain-uid,"plain-group"\n`,
    'plain.token': plain,
    'admin.token': admin,
    'audit-policy.yaml': JSON.stringify(auditPolicy),
  };
  for (const [entry, text] of Object.entries(files)) await writeFile(here(entry), text, { mode: 0o600 });
  const server = `https://127.0.0.1:${port}`;
  await writeFile(kubeconfigOf(name), kubeconfig({ name, server, authority: authority.certificate, token: admin }), {
    mode: 0o600,
  });
  await table.start(`kube-apiserver-${name}`, {
    command: program('kube-apiserver'),
    args: [
      `--etcd-servers=${await readFile(etcdUrl(name), 'utf8')}`,
      `--etcd-prefix=/${name}`,
      `--etcd-compaction-interval=${name === spare ? '5s' : '5m'}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      '--endpoint-reconciler-type=none',
      `--tls-cert-file=${here('tls.crt')}`,
      `--tls-private-key-file=${here('tls.key')}`,
      `--client-ca-file=${here('ca.crt')}`,
      `--token-auth-file=${here('tokens.csv')}`,
      '--authorization-mode=RBAC',
      `--service-cluster-ip-range=10.${100 + planes.indexOf(name)}.0.0/16`,
      `--service-account-issuer=https://${name}`,
      `--service-account-key-file=${here('accounts.pub')}`,
      `--service-account-signing-key-file=${here('accounts.key')}`,
      // Nothing gives pods a token, and there are no pods.
      '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection',
      `--audit-policy-file=${here('audit-policy.yaml')}`,
      `--audit-log-path=${auditLog(name)}`,
      '--audit-log-mode=batch',
      ...(name === hub && karmadaFolder !== undefined ? await aggregationFlags(authority) : []),
      ...(listsAnew.includes(name) ? ['--feature-gates=WatchList=false'] : []),
    ],
    ready: () => answersHttps(`${server}/readyz`, authority.certificate, admin),
  });
}

/** How the hub's API server says to Karmada's who asks. */
async function aggregationFlags(authority: Authority): Promise<readonly string[]> {
  const commonName = 'front-proxy-client';
  const { certificate, key } = authority.issue({ commonName, usages: ['client'] });
  const path = file(hub, commonName);
  await writeFile(`${path}.crt`, certificate);
  await writeFile(`${path}.key`, key, { mode: 0o600 });
  return [
    `--requestheader-client-ca-file=${file(hub, 'ca.crt')}`,
    `--requestheader-allowed-names=${commonName}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${path}.crt`,
    `--proxy-client-key-file=${path}.key`,
  ];
}

/** Ends namespaces, and what a deleted object owned, as in every cluster. Edges have none: there Karmada deletes. */
export async function startControllerManager(table: ProcessTable, plane: PlaneName): Promise<void> {
  const config = kubeconfigOf(plane);
  const port = await freePort();
  await table.start(`kube-controller-manager-${plane}`, {
    command: program('kube-controller-manager'),
    args: [
      `--kubeconfig=${config}`,
      `--authentication-kubeconfig=${config}`,
      `--authorization-kubeconfig=${config}`,
      '--controllers=namespace-controller,garbage-collector-controller',
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
    ],
  });
}

export interface KubeconfigOptions {
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

export const kubeconfig = ({ name, server, authority, token }: KubeconfigOptions): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') } }],
    users: [{ name, user: { token } }],
  });

/** Creates namespaces in a plane. */
export async function createNamespaces(plane: PlaneName, ...names: readonly string[]): Promise<void> {
  const client = await adminClient(kubeconfigOf(plane));
  const { signal } = new AbortController();
  for (const name of names) await client.create<NamespaceObject>(Namespace, { metadata: { name } }, { signal });
}
