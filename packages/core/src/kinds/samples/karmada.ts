import type { KubeObject } from '../../meta/object.ts';
import type {
  ClusterOverridePolicy,
  ClusterPropagationPolicy,
  ClusterResourceBinding,
  KarmadaCluster,
  OverridePolicy,
  PropagationPolicy,
  ResourceBinding,
  ResourceInterpreterCustomization,
  Work,
} from '../index.ts';
import { clusterMeta, condition, labelSelector, metadata, time } from './parts.ts';

const affinity = { labelSelector, fieldSelector: {}, clusterNames: ['lax-1'], exclude: ['sfo-1'] };

const placement = {
  clusterAffinity: affinity,
  clusterAffinities: [{ affinityName: 'x', ...affinity }],
  clusterTolerations: [{ key: 'k', operator: 'Exists', value: 'v', effect: 'NoSchedule' }],
  spreadConstraints: [{}],
  replicaScheduling: {
    replicaSchedulingType: 'Duplicated',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {},
  },
};

const resourceSelectors = [
  { apiVersion: 'compute.datumapis.com/v1alpha', kind: 'WorkloadDeployment', namespace: 'n', name: 'x', labelSelector },
];

const propagationPolicy: PropagationPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata,
  spec: {
    resourceSelectors,
    placement,
    priority: 1,
    preemption: 'Never',
    conflictResolution: 'Overwrite',
    propagateDeps: false,
    schedulerName: 'default-scheduler',
    preserveResourcesOnDeletion: false,
    suspension: { dispatching: false, dispatchingOnClusters: { clusterNames: ['lax-1'] } },
    failover: {},
  },
};

const clusterPropagationPolicy: ClusterPropagationPolicy = {
  ...propagationPolicy,
  kind: 'ClusterPropagationPolicy',
  metadata: clusterMeta,
};

const overridePolicy: OverridePolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata,
  spec: {
    resourceSelectors,
    overrideRules: [
      {
        targetCluster: affinity,
        overriders: {
          plaintext: [{ path: '/spec/x', operator: 'replace', value: 1 }],
          labelsOverrider: [{}],
          annotationsOverrider: [{}],
        },
      },
    ],
  },
};

const clusterOverridePolicy: ClusterOverridePolicy = {
  ...overridePolicy,
  kind: 'ClusterOverridePolicy',
  metadata: clusterMeta,
};

const resourceBinding: ResourceBinding = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata,
  spec: {
    resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'x', uid: 'u', resourceVersion: '7' },
    clusters: [{ name: 'lax-1', replicas: 0 }],
    placement,
    replicas: 0,
    replicaRequirements: {},
    conflictResolution: 'Abort',
    propagateDeps: false,
    preserveResourcesOnDeletion: false,
    schedulerName: 'default-scheduler',
    suspension: {},
  },
  status: {
    conditions: [condition('Scheduled')],
    schedulerObservedGeneration: 3,
    lastScheduledTime: time,
    aggregatedStatus: [
      { clusterName: 'lax-1', status: { replicas: 1 }, applied: true, appliedMessage: '', health: 'Healthy' },
    ],
  },
};

const clusterResourceBinding: ClusterResourceBinding = {
  ...resourceBinding,
  kind: 'ClusterResourceBinding',
  metadata: clusterMeta,
};

const work: Work = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata,
  spec: {
    workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }] },
    suspendDispatching: false,
    preserveResourcesOnDeletion: false,
  },
  status: {
    conditions: [condition('Applied')],
    manifestStatuses: [
      {
        identifier: {
          ordinal: 0,
          group: '',
          version: 'v1',
          kind: 'ConfigMap',
          resource: 'configmaps',
          namespace: 'n',
          name: 'x',
        },
        status: {},
        health: 'Healthy',
      },
    ],
  },
};

const karmadaCluster: KarmadaCluster = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: clusterMeta,
  spec: {
    id: 'u',
    syncMode: 'Push',
    apiEndpoint: 'https://192.0.2.1:6443',
    secretRef: { namespace: 'karmada-cluster', name: 'lax-1' },
    impersonatorSecretRef: { namespace: 'karmada-cluster', name: 'lax-1-impersonator' },
    insecureSkipTLSVerification: false,
    proxyURL: '',
    provider: 'p',
    region: 'r',
    zones: ['z'],
    taints: [{ key: 'cluster.karmada.io/not-ready', value: '', effect: 'NoSchedule', timeAdded: time }],
  },
  status: {
    kubernetesVersion: 'v1.36.3',
    apiEnablements: [{ groupVersion: 'v1', resources: [{ name: 'configmaps', kind: 'ConfigMap' }] }],
    conditions: [condition('Ready')],
    nodeSummary: {},
    resourceSummary: {},
  },
};

const script = { luaScript: 'function Retain(desired, observed) return desired end' };

const resourceInterpreterCustomization: ResourceInterpreterCustomization = {
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  metadata: clusterMeta,
  spec: {
    target: { apiVersion: 'compute.datumapis.com/v1alpha', kind: 'WorkloadDeployment' },
    customizations: {
      retention: script,
      replicaResource: script,
      replicaRevision: script,
      statusReflection: script,
      statusAggregation: script,
      healthInterpretation: script,
      dependencyInterpretation: script,
    },
  },
};

export const karmadaSamples: readonly KubeObject[] = [
  propagationPolicy,
  clusterPropagationPolicy,
  overridePolicy,
  clusterOverridePolicy,
  resourceBinding,
  clusterResourceBinding,
  work,
  karmadaCluster,
  resourceInterpreterCustomization,
];
