/** Values of the hub replicator's chart that work, by what they are for. */
import { merged, type Values } from './helm.fixture.ts';

const image = { repository: 'registry.example/lifeline/hub-replicator' };
const always = { image };
const kinds = [
  { group: 'networking.datumapis.com', kind: 'Subnet', enabled: false },
  { group: 'gateway.networking.k8s.io', kind: 'Gateway', gatewayClassMap: { tenants: 'edge' } },
  { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
  { group: 'networking.datumapis.com', kind: 'HTTPProxy', statusTransform: 'identity' },
  { group: 'example.com', version: 'v1beta1', kind: 'Widget', labelSelector: 'share=yes' },
  { group: 'example.com', kind: 'Chassis', plural: 'chassis', skipUpstreamStatusSync: false },
  { kind: 'LimitRange', mirrorStatusToAnnotation: true },
  { group: 'example.com', kind: 'Gone', enabled: false },
  { group: 'gateway.envoyproxy.io', kind: 'ClientTrafficPolicy' },
  { group: 'gateway.envoyproxy.io', kind: 'Backend', skipUpstreamStatusSync: true },
];

/** Projects come from objects on the cluster of the release, which is the hub too. */
const projects = always;
const folder = {
  ...always,
  config: { projects: { mode: 'folder' } },
  kubeconfigs: { hub: { secret: 'hub' }, projects: { secret: 'projects' } },
};
const secrets = {
  ...always,
  config: { projects: { mode: 'secrets', secretNamespace: 'planes', secretSelector: 'lifeline.dev/plane=project' } },
};

export const cases: Readonly<Record<string, Values>> = {
  projects,
  'projects-internal': {
    ...always,
    config: { projects: { internal: true }, logLevel: 'debug' },
    kubeconfigs: { hub: { secret: 'hub', key: 'config' }, controlPlane: { secret: 'management' } },
  },
  folder,
  'folder-of-my-own': {
    ...always,
    config: { hub: { kubeconfig: '/mine/hub' }, projects: { mode: 'folder', kubeconfigs: '/mine/projects' } },
    extraVolumes: [{ name: 'mine', csi: { driver: 'secrets.example', readOnly: true } }],
    extraVolumeMounts: [{ name: 'mine', mountPath: '/mine', readOnly: true }],
  },
  secrets,
  single: { ...always, config: { projects: { mode: 'single', name: 'all' } }, replicas: 1 },
  kinds: merged(folder, { config: { kinds }, kubeconfigs: { hub: { secret: '' } } }),
  'kinds-of-projects': { ...projects, config: { kinds } },
  everything: merged(secrets, {
    nameOverride: 'replicator',
    fullnameOverride: 'my-replicator',
    image: { digest: `sha256:${'a'.repeat(64)}`, pullSecrets: [{ name: 'registry' }] },
    replicas: 5,
    // Large numbers stay whole ones.
    config: {
      installation: 'my-fleet',
      shutdownMs: 45_500,
      healthPort: 9081,
      metricsPort: 9080,
      shards: { count: 256, durationMs: 20_500, namespace: 'shards' },
      sweep: { everyMs: 3_600_000, minAgeMs: 100_000_000, believeEmpty: ['gone'] },
    },
    serviceAccount: { name: 'replicator', annotations: { a: 'b' } },
    resources: { limits: { memory: '4Gi' } },
    heapPercent: 60,
    podAnnotations: { 'example.com/a': 'true' },
    podLabels: { team: 'edge' },
    priorityClassName: 'important',
    nodeSelector: { pool: 'control' },
    tolerations: [{ key: 'control', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }],
    extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example' }],
    podDisruptionBudget: { maxUnavailable: '40%' },
    service: { annotations: { c: 'd' }, labels: { e: 'f' } },
    monitor: { kind: 'Service', labels: { prometheus: 'platform' } },
    prometheusRule: { enabled: true, labels: { prometheus: 'platform' }, selector: 'job="replicator"' },
    dashboard: { enabled: true, annotations: { folder: 'Lifeline' } },
    networkPolicy: {
      enabled: true,
      metricsFrom: [{ namespaceSelector: {} }],
      egressTo: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    },
  }),
  bare: merged(folder, {
    monitor: { kind: 'Pod' },
    rights: { create: false },
    serviceAccount: { create: false, name: 'given' },
    service: { enabled: false },
    podDisruptionBudget: { enabled: false },
    topologySpreadConstraints: [],
    resources: {},
  }),
};

/** Values that cannot work, and what is then said. */
export const wrongCases: readonly (readonly [what: string, values: Values, says: string])[] = [
  ['no image', {}, 'image.repository: say where your build pushes the image'],
  [
    'mode folder without a folder',
    { ...always, config: { projects: { mode: 'folder' } } },
    'kubeconfigs.projects.secret: mode folder has no other source of projects',
  ],
  [
    'two folders',
    merged(folder, { config: { projects: { kubeconfigs: '/mine' } } }),
    'kubeconfigs.projects.secret and config.projects.kubeconfigs: both say where the folder is',
  ],
  [
    'a folder that nobody reads',
    { ...always, kubeconfigs: { projects: { secret: 'projects' } } },
    'config.projects.mode is projects: only mode folder reads them',
  ],
  [
    'mode secrets without a namespace and a selector',
    { ...always, config: { projects: { mode: 'secrets' } } },
    'config.projects.secretNamespace: mode secrets needs it\n  - config.projects.secretSelector: mode secrets needs it',
  ],
  [
    'two hubs',
    merged(folder, { config: { hub: { kubeconfig: '/mine' } } }),
    'kubeconfigs.hub.secret and config.hub.kubeconfig: both say how to reach the hub',
  ],
  [
    'two control planes',
    { ...always, config: { projects: { kubeconfig: '/mine' } }, kubeconfigs: { controlPlane: { secret: 'a' } } },
    'kubeconfigs.controlPlane.secret and config.projects.kubeconfig: both say how to reach the control plane',
  ],
  [
    'a control plane where there is none',
    merged(folder, { kubeconfigs: { controlPlane: { secret: 'a' } } }),
    'a kubeconfig of a control plane is given, but mode folder has none',
  ],
  [
    'internal projects of a folder',
    merged(folder, { config: { projects: { internal: true } } }),
    'config.projects.internal: only mode projects knows it, and config.projects.mode is folder',
  ],
  [
    'an installation that is no label',
    { ...always, config: { installation: 'Mine_' } },
    'config.installation: want 1 to 40 of a-z, 0-9 and "-", beginning and ending with a letter or digit, not "Mine_"',
  ],
  [
    'more replicas than shards',
    { ...always, replicas: 5, config: { shards: { count: 4 } } },
    'replicas: 5 replicas share 4 shards',
  ],
  [
    'one port for two',
    { ...always, config: { healthPort: 8080 } },
    'config.healthPort and config.metricsPort: one port cannot serve both',
  ],
  [
    'a ServiceMonitor without a Service',
    { ...always, monitor: { kind: 'Service' }, service: { enabled: false } },
    'monitor.kind: a ServiceMonitor needs service.enabled; without a Service take Pod',
  ],
  [
    'an account that nobody names',
    { ...always, serviceAccount: { create: false } },
    'serviceAccount.name: name the account that is to be used',
  ],
  [
    'subjects of the app itself',
    { ...always, rights: { subjects: [{ kind: 'User', name: 'a' }] } },
    'rights.subjects: only with rights.only',
  ],
  ['rights for nobody', { rights: { only: 'hub' } }, 'rights.subjects: say who the replicator is on that plane'],
  [
    'no rights, and only them',
    { rights: { only: 'hub', create: false, subjects: [{}] } },
    'rights.create: rights.only asks for rights, and this says none',
  ],
  [
    'rights on a control plane that is not there',
    { config: { projects: { mode: 'folder' } }, rights: { only: 'controlPlane', subjects: [{}] } },
    'rights.only: mode folder has no control plane',
  ],
  [
    'rights on projects that are the hub',
    { config: { projects: { mode: 'single' } }, rights: { only: 'project', subjects: [{}] } },
    'rights.only: in mode single project and hub are one plane: take hub',
  ],
  // What the schema says.
  [
    'a setting that is not there',
    { ...always, config: { logLevl: 'debug' } },
    "additional properties 'logLevl' not allowed",
  ],
  ['a value that is not there', { ...always, replica: 3 }, "additional properties 'replica' not allowed"],
  ['another mode', { ...always, config: { projects: { mode: 'guess' } } }, "at '/config/projects/mode'"],
  ['too few shards', { ...always, config: { shards: { count: 0 } } }, "at '/config/shards/count'"],
  ['a kind without a kind', { ...always, config: { kinds: [{ group: 'a.b' }] } }, "at '/config/kinds/0'"],
  ['a digest that is none', { ...always, image: { digest: 'sha256:1' } }, "at '/image/digest'"],
  ['half a replica', { ...always, replicas: 1.5 }, "at '/replicas'"],
];
