/** Values of the charts of the edge's apps that work, by what they are for, and some that cannot. */
import { merged, type Values } from './helm.fixture.ts';

export interface EdgeChart {
  readonly chart: string;
  readonly cases: Readonly<Record<string, Values>>;
  readonly wrong: readonly (readonly [what: string, values: Values, says: string])[];
}

const everywhere: Values = {
  fullnameOverride: 'mine',
  image: { digest: `sha256:${'a'.repeat(64)}` },
  replicas: 3,
  serviceAccount: { name: 'given', annotations: { a: 'b' } },
  heapPercent: 40,
  podAnnotations: { 'example.com/a': 'true' },
  podLabels: { team: 'edge' },
  podDisruptionBudget: { maxUnavailable: '40%' },
  monitor: { kind: 'Service', labels: { prometheus: 'platform' } },
  prometheusRule: { enabled: true, selector: 'job="edge"' },
};

const server: Values = {
  image: { repository: 'registry.example/lifeline/edge-extension-server' },
  config: { gatewayClasses: ['edge'], tls: { hookClients: ['envoy-gateway.envoy-gateway-system.svc'] } },
  certificates: { server: { secret: 'extension-server' } },
};
const tunnel = { create: true, tunnelGateway: { host: 'tunnel.edge.svc', port: 2777 } };

export const extensionServer: EdgeChart = {
  chart: 'edge-extension-server',
  cases: {
    plain: server,
    'without-the-retranslator': merged(server, { config: { withRetranslator: false } }),
    'another-edge': merged(server, {
      config: { kubeconfig: '/mine/edge', reports: { addresses: ['10.0.0.1:5006'] } },
      extraVolumes: [{ name: 'mine', secret: { secretName: 'edge' } }],
      extraVolumeMounts: [{ name: 'mine', mountPath: '/mine', readOnly: true }],
    }),
    'certificates-of-my-own': merged(server, {
      config: { tls: { certificate: '/mine/crt', key: '/mine/key', ca: '/mine/ca' } },
      certificates: { server: { secret: '' } },
      extraVolumes: [{ name: 'mine', csi: { driver: 'certificates.example', readOnly: true } }],
      extraVolumeMounts: [{ name: 'mine', mountPath: '/mine', readOnly: true }],
    }),
    everything: merged(merged(server, everywhere), {
      config: {
        shutdownMs: 45_500,
        stampAnnotation: 'gateway.envoyproxy.io/mine',
        edit: { internalListener: 'my-tunnel' },
        hook: { listen: ['unix:/run/hook.sock', '[::]:7005'], messageLimitBytes: 268_435_456 },
        report: { listen: ['0.0.0.0:7006'] },
        reports: {
          port: 7006,
          serverName: 'servers.test',
          envoyGatewayMetrics: ['http://envoy-gateway:19001/metrics'],
        },
        tls: { reportClients: ['retranslator.test'] },
        traces: { endpoint: 'http://collector:4318' },
      },
      certificates: { server: { certificate: 'crt', key: 'key', authority: 'ca' }, clients: { secret: 'clients' } },
      resources: { limits: { memory: '2Gi' } },
      services: { annotations: { c: 'd' }, labels: { e: 'f' } },
      networkPolicy: {
        enabled: true,
        hookFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'envoy-gateway-system' } } }],
        reportFrom: [{ podSelector: { matchLabels: { app: 'retranslator' } } }],
      },
      envoyProxy: { ...tunnel, name: 'tunnels', namespace: 'envoy-gateway-system', mergeGateways: true },
    }),
    bare: merged(server, {
      rights: { create: false, stampPolicy: false },
      serviceAccount: { create: false, name: 'given' },
      podDisruptionBudget: { enabled: false },
      topologySpreadConstraints: [],
      resources: { limits: { memory: null }, requests: null },
      envoyProxy: { ...tunnel, tunnelGateway: { host: 'fd00::1', port: 2777 } },
    }),
  },
  wrong: [
    [
      'no image',
      merged(server, { image: { repository: '' } }),
      'image.repository: say where your build pushes the image',
    ],
    ['no class', merged(server, { config: { gatewayClasses: [] } }), 'config.gatewayClasses: name the GatewayClasses'],
    ['nobody who calls', { ...server, config: { gatewayClasses: ['edge'] } }, 'config.tls.hookClients: say which'],
    [
      'a wildcard',
      merged(server, { config: { tls: { reportClients: ['*.svc'] } } }),
      'config.tls: "*.svc" is a wildcard',
    ],
    [
      'no certificate',
      merged(server, { certificates: { server: { secret: '' } } }),
      'certificates.server.secret: name',
    ],
    [
      'two certificates',
      merged(server, { config: { tls: { certificate: '/mine' } } }),
      'certificates.server.secret and config.tls: both say where the certificate is',
    ],
    [
      'two authorities of clients',
      merged(server, { config: { tls: { ca: '/mine' } }, certificates: { clients: { secret: 'a' } } }),
      'certificates.clients.secret and config.tls.ca: both say',
    ],
    [
      'a hook that nobody can reach',
      merged(server, { config: { hook: { listen: ['127.0.0.1:5005', ':0'] } } }),
      'config.hook.listen: others come to a pod by its address',
    ],
    [
      'one port for two',
      merged(server, { config: { metricsPort: 5005 } }),
      'config.healthPort, config.hook.listen, config.metricsPort, config.report.listen: each needs a port of its own',
    ],
    [
      'reports on another port',
      merged(server, { config: { report: { listen: [':7006'] } } }),
      'config.reports.port: the replicas report on port 7006',
    ],
    [
      'reports in another cluster',
      merged(server, { config: { kubeconfig: '/mine' } }),
      'config.reports: with config.kubeconfig the replicas are in another cluster',
    ],
    [
      'too little memory',
      merged(server, { resources: { limits: { memory: '511Mi' } } }),
      'resources.limits.memory: 511Mi is less than eight times config.hook.messageLimitBytes: want 512Mi at least',
    ],
    [
      'larger messages than fit',
      merged(server, { config: { hook: { messageLimitBytes: 268_435_456 } } }),
      'resources.limits.memory: 1Gi is less than eight times config.hook.messageLimitBytes: want 2048Mi at least',
    ],
    [
      'a policy that lets nobody call',
      merged(server, { networkPolicy: { enabled: true } }),
      'networkPolicy.hookFrom: name who calls the hook',
    ],
    [
      'a tunnel to nowhere',
      merged(server, { envoyProxy: { create: true } }),
      'envoyProxy.tunnelGateway: say host and port',
    ],
    [
      'an account that nobody names',
      merged(server, { serviceAccount: { create: false } }),
      'serviceAccount.name: name',
    ],
    ['one replica', merged(server, { replicas: 1 }), "at '/replicas'"],
    ['a setting that is not there', merged(server, { config: { hok: 1 } }), "additional properties 'hok' not allowed"],
  ],
};

const edge = { gatewayClasses: ['edge'] };
const stamping: Values = {
  image: { repository: 'registry.example/lifeline/edge-retranslator' },
  config: {
    edge,
    reports: { service: 'servers/reports', serverName: 'servers.servers.svc' },
  },
  certificates: { client: { secret: 'retranslator' } },
};

export const retranslator: EdgeChart = {
  chart: 'edge-retranslator',
  cases: {
    plain: stamping,
    addresses: { ...stamping, config: { edge, reports: { addresses: ['10.0.0.1:5006'] } } },
    'another-edge': merged(stamping, {
      config: { edge: { kubeconfig: '/mine/edge' } },
      extraVolumes: [{ name: 'mine', secret: { secretName: 'edge' } }],
      extraVolumeMounts: [{ name: 'mine', mountPath: '/mine', readOnly: true }],
    }),
    everything: merged(merged(stamping, everywhere), {
      config: {
        edge: { stampAnnotation: 'gateway.envoyproxy.io/mine' },
        reports: { envoyGatewayMetrics: ['http://envoy-gateway:19001/metrics'] },
      },
      networkPolicy: { enabled: true },
    }),
    bare: merged(stamping, {
      monitor: { kind: 'Pod' },
      service: { enabled: false },
      rights: { create: false, stampPolicy: false },
      serviceAccount: { create: false, name: 'given' },
      podDisruptionBudget: { enabled: false },
    }),
  },
  wrong: [
    ['no image', merged(stamping, { image: { repository: '' } }), 'image.repository: say where'],
    ['no class', merged(stamping, { config: { edge: { gatewayClasses: [] } } }), 'config.edge.gatewayClasses: name'],
    ['nobody who reports', { ...stamping, config: { edge } }, 'config.reports.service: name'],
    [
      'no name',
      { ...stamping, config: { edge, reports: { service: 'servers/reports' } } },
      'config.reports.serverName: say',
    ],
    [
      'no certificate',
      merged(stamping, { certificates: { client: { secret: '' } } }),
      'certificates.client.secret: name',
    ],
    [
      'two certificates',
      merged(stamping, { config: { reports: { key: '/mine' } } }),
      'certificates.client.secret and config.reports: both say where the certificate is',
    ],
    ['one port for two', merged(stamping, { config: { healthPort: 8080 } }), 'one port cannot serve both'],
    [
      'a ServiceMonitor without a Service',
      merged(stamping, { monitor: { kind: 'Service' }, service: { enabled: false } }),
      'monitor.kind: a ServiceMonitor needs service.enabled',
    ],
    [
      'an account that nobody names',
      merged(stamping, { serviceAccount: { create: false } }),
      'serviceAccount.name: name',
    ],
    [
      'a setting that is not there',
      merged(stamping, { config: { edg: 1 } }),
      "additional properties 'edg' not allowed",
    ],
  ],
};
