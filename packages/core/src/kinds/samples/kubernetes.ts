import type { KubeObject } from '../../meta/object.ts';
import type {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  EndpointSlice,
  KubeEvent,
  Lease,
  Namespace,
  Role,
  RoleBinding,
  Secret,
  SelfSubjectAccessReview,
  Service,
  ServiceAccount,
} from '../index.ts';
import { clusterMeta, condition, labelSelector, metadata, time } from './parts.ts';

const configMap: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data: { a: 'b' },
  binaryData: { c: 'AA==' },
  immutable: false,
};

const secret: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata,
  type: 'Opaque',
  data: { a: 'AA==' },
  stringData: { b: 'c' },
  immutable: false,
};

const namespace: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: clusterMeta,
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active', conditions: [condition('NamespaceContentRemaining')] },
};

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {
    type: 'ClusterIP',
    clusterIP: 'None',
    externalName: '',
    selector: { a: 'b' },
    ports: [
      { name: 'http', protocol: 'TCP', appProtocol: 'http', port: 80, targetPort: 'http' },
      { port: 81, targetPort: 8081 },
    ],
    internalTrafficPolicy: 'Cluster',
    trafficDistribution: 'PreferClose',
    publishNotReadyAddresses: true,
  },
  status: { loadBalancer: {}, conditions: [condition('LoadBalancerPortsError')] },
};

const serviceAccount: ServiceAccount = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata,
  secrets: [{ name: 's' }],
  imagePullSecrets: [{ name: 'p' }],
  automountServiceAccountToken: false,
};

const endpointSlice: EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata,
  addressType: 'FQDN',
  endpoints: [
    {
      addresses: ['connector.local'],
      conditions: { ready: true, serving: true, terminating: false },
      hostname: 'h',
      nodeName: 'n',
      zone: 'z',
      targetRef: {},
      deprecatedTopology: { a: 'b' },
    },
  ],
  ports: [{ name: 'http', protocol: 'TCP', port: 80, appProtocol: 'http' }],
};

const lease: Lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec: {
    holderIdentity: 'agent',
    leaseDurationSeconds: 30,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:10.000000Z',
    leaseTransitions: 1,
  },
};

const reference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'n',
  name: 'x',
  uid: 'u',
  resourceVersion: '7',
  fieldPath: 'data',
};

const event: KubeEvent = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata,
  eventTime: '2026-01-01T00:00:00.000000Z',
  series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
  reportingController: 'lifeline',
  reportingInstance: 'lifeline-0',
  action: 'Mirror',
  reason: 'Truncated',
  regarding: reference,
  related: reference,
  note: 'n',
  type: 'Warning',
  deprecatedCount: 1,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
};

const rules = [
  { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['x'] },
  { verbs: ['get'], nonResourceURLs: ['/readyz'] },
];

const subjects = [{ kind: 'ServiceAccount', apiGroup: '', name: 'sa', namespace: 'n' }];

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };

const role: Role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules };

const clusterRole: ClusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: clusterMeta,
  rules,
  aggregationRule: { clusterRoleSelectors: [labelSelector] },
};

const roleBinding: RoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata,
  roleRef,
  subjects,
};

const clusterRoleBinding: ClusterRoleBinding = { ...roleBinding, kind: 'ClusterRoleBinding', metadata: clusterMeta };

const selfSubjectAccessReview: SelfSubjectAccessReview = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  metadata: clusterMeta,
  spec: {
    resourceAttributes: {
      namespace: 'n',
      verb: 'list',
      group: 'coordination.k8s.io',
      version: 'v1',
      resource: 'leases',
      subresource: '',
      name: '',
    },
    nonResourceAttributes: { path: '/readyz', verb: 'get' },
  },
  status: { allowed: true, denied: false, reason: '', evaluationError: '' },
};

const customResourceDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: clusterMeta,
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'xs', singular: 'x', kind: 'X', listKind: 'XList', shortNames: ['x'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        deprecated: false,
        schema: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {}, scale: {} },
        additionalPrinterColumns: [
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'd', priority: 0 },
        ],
        selectableFields: [{ jsonPath: '.spec.x' }],
      },
    ],
    preserveUnknownFields: false,
  },
  status: { conditions: [condition('Established')], acceptedNames: {}, storedVersions: ['v1'] },
};

export const kubernetesSamples: readonly KubeObject[] = [
  configMap,
  secret,
  namespace,
  service,
  serviceAccount,
  endpointSlice,
  lease,
  event,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  selfSubjectAccessReview,
  customResourceDefinition,
];
