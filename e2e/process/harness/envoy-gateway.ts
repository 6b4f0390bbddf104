/** Envoy Gateway as a process: certificates, configuration, and the objects that it looks for. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { edgeDefaults, type Kind, type KubeObject, Secret, unknownKind } from '@lifeline/core';
import type { Authority } from '@lifeline/k8s/testing';
import { adminClient } from './admin-client.ts';
import { extensionServer, fullName } from './deploy.ts';
import { type Inside, withMounts } from './inside.ts';
import { className, type Edge, envoyGatewayNamespace, file, hasNamespaces, kubeconfigOf, program } from './names.ts';
import type { ProcessTable } from './process-table.ts';

const { signal } = new AbortController();

/** Where it serves xDS: it cannot be set. */
export const xdsPort = 18000;
/** Where it looks for its certificates: that cannot be set either. */
const fixedFolder = '/certs';
/** In the certificate that it shows to the hook. */
export const hookClient = `envoy-gateway.${envoyGatewayNamespace}.svc`;

export interface EnvoyGatewayOptions {
  readonly edge: Edge;
  /** All Gateways on one Envoy, and names of xDS resources of the second form. */
  readonly merged: boolean;
  /** In front of the extension servers. */
  readonly hookPort: number;
  /** Who signed their certificates, and signs its own. */
  readonly authority: Authority;
  readonly inside: Inside;
  readonly isReady: () => Promise<boolean>;
}

export const envoyGatewayName = (edge: Edge): string => `envoy-gateway-${edge}`;

const GatewayClass: Kind = {
  ...unknownKind({ group: 'gateway.networking.k8s.io', version: 'v1', kind: 'GatewayClass', plural: 'gatewayclasses' }),
  scope: 'Cluster',
};

/** Before anything of it runs: its own certificates, those of the hook, and the class. */
export async function prepareEnvoyGateway(options: EnvoyGatewayOptions): Promise<void> {
  const { edge, authority } = options;
  const env = { ...process.env, KUBECONFIG: kubeconfigOf(edge) };
  await promisify(execFile)(program('envoy-gateway'), ['certgen', '--disable-topology-injector'], { env });
  const client = await adminClient(kubeconfigOf(edge));
  // Its own certificates are looked for at one path only.
  for (const [name, folder] of [
    ['envoy-gateway', 'certs'],
    ['envoy', 'envoy-certs'],
  ] as const) {
    const { data = {} } = (await client.get(Secret, { namespace: envoyGatewayNamespace, name }, { signal })) as {
      data?: Record<string, string>;
    };
    await mkdir(file(edge, folder), { recursive: true });
    for (const [entry, text] of Object.entries(data))
      await writeFile(file(edge, folder, entry), Buffer.from(text, 'base64'), { mode: 0o600 });
  }
  const { certificate, key } = authority.issue({
    commonName: 'envoy-gateway',
    dnsNames: [hookClient],
    usages: ['client'],
  });
  const secrets = {
    'extension-server-ca': { 'tls.crt': authority.certificate },
    'extension-server-client': { 'tls.crt': certificate, 'tls.key': key },
  };
  for (const [name, data] of Object.entries(secrets))
    await client.create(
      Secret,
      { metadata: { namespace: envoyGatewayNamespace, name }, stringData: data },
      {
        signal,
      },
    );
  await client.create(
    GatewayClass,
    {
      metadata: { name: className },
      spec: {
        controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
        parametersRef: {
          group: 'gateway.envoyproxy.io',
          kind: 'EnvoyProxy',
          namespace: envoyGatewayNamespace,
          name: fullName(extensionServer),
        },
      },
    } as unknown as KubeObject,
    { signal },
  );
}

/** The extension servers are there before it: its first translation waits for them. */
export async function startEnvoyGateway(table: ProcessTable, options: EnvoyGatewayOptions): Promise<void> {
  const { edge, inside, isReady } = options;
  const config = file(edge, 'envoy-gateway.json');
  await writeFile(config, JSON.stringify(configOf(options)));
  await mkdir(fixedFolder, { recursive: true });
  if (!hasNamespaces) await fillMachine(edge);
  await table.start(envoyGatewayName(edge), {
    command: program('envoy-gateway'),
    args: ['server', '--config-path', config],
    env: { KUBECONFIG: kubeconfigOf(edge) },
    inside: [...inside, ...withMounts({ [fixedFolder]: file(edge, 'certs') })],
    ready: isReady,
  });
}

const filled: string[] = [];

/** Where no process may have files of its own at that path. @throws Error when somebody has some there */
async function fillMachine(edge: Edge): Promise<void> {
  const [there] = await readdir(fixedFolder);
  if (there !== undefined)
    throw new Error(`${join(fixedFolder, there)} is in the way: move it elsewhere, or remove it`);
  for (const entry of await readdir(file(edge, 'certs'))) {
    filled.push(join(fixedFolder, entry));
    await copyFile(file(edge, 'certs', entry), join(fixedFolder, entry));
  }
}

/** Takes back what was put there, once no Envoy Gateway runs. */
export async function clearMachine(): Promise<void> {
  for (const path of filled) await rm(path, { force: true });
}

const configOf = ({ merged, hookPort }: EnvoyGatewayOptions): object => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyGateway',
  gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  provider: {
    type: 'Kubernetes',
    kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disabled: true } },
  },
  extensionApis: { enableBackend: true },
  admin: { address: { host: '127.0.0.1', port: 19010 } },
  logging: { level: { default: 'info' } },
  ...(merged && { runtimeFlags: { enabled: ['XDSNameSchemeV2'] } }),
  extensionManager: {
    failOpen: false,
    maxMessageSize: `${edgeDefaults.messageLimitBytes / 2 ** 20}Mi`,
    service: {
      ip: { address: '127.0.0.1', port: hookPort },
      tls: {
        certificateRef: { name: 'extension-server-ca' },
        clientCertificateRef: { name: 'extension-server-client' },
      },
    },
    hooks: {
      xdsTranslator: {
        post: ['Translation'],
        translation: {
          listener: { includeAll: true },
          route: { includeAll: true },
          cluster: { includeAll: true },
          secret: { includeAll: false },
        },
      },
    },
  },
});
