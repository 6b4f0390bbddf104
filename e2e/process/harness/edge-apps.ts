/** Two extension servers of an edge over mTLS, with the retranslator inside them or as an app of its own, and their rights. */
import { mkdir, writeFile } from 'node:fs/promises';
import type { Authority } from '@lifeline/k8s/testing';
import { extensionServer, fullName, install, namespace, retranslator, startApp, writeKubeconfig } from './deploy.ts';
import { hookClient } from './envoy-gateway.ts';
import type { AppPorts } from './hub-apps.ts';
import type { Inside } from './inside.ts';
import { className, type Edge, envoyGatewayNamespace, file, serverName, type servers } from './names.ts';
import type { Plane } from './planes.ts';
import type { ProcessTable } from './process-table.ts';

export type Server = (typeof servers)[number];

export interface ServerPorts extends AppPorts {
  readonly hook: number;
  readonly report: number;
}

export interface EdgeApps {
  readonly edge: Edge;
  readonly merged: boolean;
  /** The retranslator runs inside the extension servers, and not as an app of its own. */
  readonly withRetranslator: boolean;
  readonly tunnelPort: number;
  readonly ports: Readonly<Record<Server, ServerPorts>>;
  readonly retranslatorPorts: AppPorts;
  /** Signs everybody's certificate. */
  readonly authority: Authority;
  readonly inside: Inside;
  /** Whether the app with this health port says that it is ready. */
  readonly isReady: (healthPort: number) => Promise<boolean>;
}

/** In the certificates of an edge's extension servers. */
export const serverDnsName = `${fullName(extensionServer)}.${namespace}.svc`;
const retranslatorDnsName = `${fullName(retranslator)}.${namespace}.svc`;

const reportsOf = ({ ports }: EdgeApps): object => ({
  // No EndpointSlice may name a loopback address: the Service is followed, and says nothing.
  service: `${namespace}/${fullName(extensionServer)}-reports`,
  addresses: Object.values(ports).map(({ report }) => `127.0.0.1:${report}`),
  serverName: serverDnsName,
});

const serverConfig = (apps: EdgeApps): { readonly tls: object; readonly reports: object } => ({
  ...{ gatewayClasses: [className], withRetranslator: apps.withRetranslator },
  tls: { hookClients: [hookClient], reportClients: [serverDnsName, retranslatorDnsName] },
  reports: reportsOf(apps),
});

const retranslatorConfig = (apps: EdgeApps): { readonly reports: object } => ({
  ...{ edge: { gatewayClasses: [className] } },
  reports: reportsOf(apps),
});

/** Rights, the policy that narrows them, and the EnvoyProxy, by the charts. */
export async function installEdge(apps: EdgeApps, plane: Plane): Promise<void> {
  const { edge, merged, tunnelPort, withRetranslator } = apps;
  const image = { repository: 'registry.example/app' };
  await install(extensionServer, edge, {
    image,
    config: serverConfig(apps),
    certificates: { server: { secret: 'extension-server' } },
    envoyProxy: {
      create: true,
      namespace: envoyGatewayNamespace,
      mergeGateways: merged,
      tunnelGateway: { host: '127.0.0.1', port: tunnelPort },
    },
  });
  await writeKubeconfig(file(edge, `${extensionServer.chart}.kubeconfig`), plane, fullName(extensionServer));
  if (withRetranslator) return;
  await install(retranslator, edge, {
    image,
    config: retranslatorConfig(apps),
    certificates: { client: { secret: 'retranslator' } },
  });
  await writeKubeconfig(file(edge, `${retranslator.chart}.kubeconfig`), plane, fullName(retranslator));
}

export async function startExtensionServer(table: ProcessTable, apps: EdgeApps, server: Server): Promise<void> {
  const { edge, ports, inside, isReady } = apps;
  const name = serverName(edge, server);
  const { certificate, key, authority } = await writeCertificates(apps, name, serverDnsName);
  const { health, metrics, hook, report } = ports[server];
  const config = serverConfig(apps);
  await startApp(table, {
    name,
    release: extensionServer,
    config: {
      ...config,
      kubeconfig: file(edge, `${extensionServer.chart}.kubeconfig`),
      tls: { ...config.tls, certificate, key, ca: authority },
      hook: { listen: [`127.0.0.1:${hook}`] },
      report: { listen: [`127.0.0.1:${report}`] },
      reports: { ...config.reports, certificate, key, authority },
      healthPort: health,
      metricsPort: metrics,
    },
    inside,
    isReady: () => isReady(health),
  });
}

export const retranslatorName = (edge: Edge): string => `${retranslator.chart}-${edge}`;

export async function startRetranslator(table: ProcessTable, apps: EdgeApps): Promise<void> {
  const { edge, inside, isReady, retranslatorPorts } = apps;
  const name = retranslatorName(edge);
  const files = await writeCertificates(apps, name, retranslatorDnsName);
  const { edge: settings, reports } = retranslatorConfig(apps) as { readonly edge: object; readonly reports: object };
  await startApp(table, {
    name,
    release: retranslator,
    config: {
      edge: { ...settings, kubeconfig: file(edge, `${retranslator.chart}.kubeconfig`) },
      reports: { ...reports, ...files },
      healthPort: retranslatorPorts.health,
      metricsPort: retranslatorPorts.metrics,
    },
    inside,
    isReady: () => isReady(retranslatorPorts.health),
  });
}

/** In an app's folder, for a name of it. Gives the paths. */
async function writeCertificates({ authority }: EdgeApps, name: string, dnsName: string) {
  const pair = authority.issue({ commonName: name, dnsNames: [dnsName], addresses: ['127.0.0.1'] });
  await mkdir(file(name), { recursive: true });
  const texts = { certificate: pair.certificate, key: pair.key, authority: authority.certificate };
  const write = async ([entry, text]: [string, string]): Promise<[string, string]> => {
    const path = file(name, `${entry}.pem`);
    await writeFile(path, text, { mode: 0o600 });
    return [entry, path];
  };
  return Object.fromEntries(await Promise.all(Object.entries(texts).map(write))) as typeof texts;
}
