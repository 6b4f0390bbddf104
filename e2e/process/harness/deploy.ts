/** How teams deploy our apps: a chart installed by helm, and processes with the tokens of its service account. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonValue } from '@lifeline/core';
import { adminClient } from './admin-client.ts';
import type { Inside } from './inside.ts';
import { file, kubeconfigOf, type PlaneName, program, root } from './names.ts';
import { kubeconfig, type Plane } from './planes.ts';
import type { ProcessTable } from './process-table.ts';

const { signal } = new AbortController();

/** Of every release. */
export const namespace = 'lifeline-system';

export interface Release {
  readonly name: string;
  /** Its folder below `charts/`. */
  readonly chart: string;
}

export const hubReplicator: Release = { name: 'lifeline', chart: 'hub-replicator' };
export const extensionServer: Release = { name: 'lifeline', chart: 'edge-extension-server' };
export const retranslator: Release = { name: 'stamps', chart: 'edge-retranslator' };

/** The service account of a release, and whatever else bears its full name. */
export const fullName = ({ name, chart }: Release): string => `${name}-${chart}`;

/** Installs a release in a plane, with all rights that whoever installs it has. */
export async function install(release: Release, plane: PlaneName, values: object): Promise<void> {
  const home = file('helm');
  await mkdir(home, { recursive: true });
  const valuesFile = join(home, `${release.chart}-${plane}.yaml`);
  await writeFile(valuesFile, JSON.stringify(values));
  const env = { HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const args = [
    ...['upgrade', '--install', release.name, join(root, 'charts', release.chart), '--create-namespace'],
    ...['--namespace', namespace, '--kubeconfig', kubeconfigOf(plane), '--values', valuesFile],
  ];
  await promisify(execFile)(program('helm'), args, { env });
}

const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;

/** Where the app is somebody from elsewhere, the chart gives rights to whoever is named, and makes nobody. */
export async function createAccount(plane: PlaneName, name: string): Promise<void> {
  const client = await adminClient(kubeconfigOf(plane));
  const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
  await client.raw({ method: 'POST', path: accounts, body: json(body) }, { signal });
}

/** A kubeconfig with the token of a service account, good for a day. */
export async function writeKubeconfig(path: string, plane: Plane, account: string): Promise<void> {
  const client = await adminClient(kubeconfigOf(plane.name));
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } };
  const answer = await client.raw(
    { method: 'POST', path: `${accounts}/${account}/token`, body: json(body) },
    { signal },
  );
  const { token } = (answer as unknown as { readonly status: { readonly token: string } }).status;
  const authority = await readFile(file(plane.name, 'ca.crt'), 'utf8');
  const server = `https://127.0.0.1:${plane.port}`;
  await writeFile(path, kubeconfig({ name: plane.name, server, authority, token }), { mode: 0o600 });
}

const json = (value: object): JsonValue => value as unknown as JsonValue;

export interface AppOptions {
  /** Of the process, and of its folder. */
  readonly name: string;
  readonly release: Release;
  readonly config: object;
  readonly inside?: Inside | undefined;
  readonly isReady: () => Promise<boolean>;
}

/** An app from its production bundle. */
export async function startApp(
  table: ProcessTable,
  { name, release, config, inside, isReady }: AppOptions,
): Promise<void> {
  const path = file(name, 'config.yaml');
  await mkdir(file(name), { recursive: true });
  await writeFile(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  await table.start(name, {
    command: process.execPath,
    args: [join(root, 'dist', release.chart, 'main.js'), '--config', path],
    inside,
    ready: isReady,
  });
}
