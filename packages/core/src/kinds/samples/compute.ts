import type { KubeObject } from '../../meta/object.ts';
import type { Instance, InstanceTemplate, Workload, WorkloadDeployment } from '../index.ts';
import { condition, metadata } from './parts.ts';

const template: InstanceTemplate = {
  metadata: {
    labels: { app: 'web' },
    annotations: { 'compute.datumapis.com/restartedAt': '2026-01-01T00:00:00.000Z' },
  },
  spec: {
    runtime: {
      resources: { instanceType: 'datumcloud/d1-standard-2', requests: { cpu: '500m', memory: '1Gi' } },
      sandbox: {
        containers: [
          {
            name: 'web',
            image: 'registry.example/web:1',
            command: ['/web'],
            args: ['-v'],
            env: [{ name: 'A', value: 'b', valueFrom: {} }],
            envFrom: [{}],
            resources: { limits: { cpu: 1, memory: '2Gi' }, requests: { cpu: '1' } },
            volumeAttachments: [{ name: 'data', mountPath: '/data' }],
            ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
          },
        ],
        imagePullSecrets: [{ name: 'pull' }],
      },
    },
    networkInterfaces: [{ network: { name: 'default', namespace: 'default' }, networkPolicy: {} }],
    volumes: [
      {
        name: 'data',
        disk: {
          deviceName: 'd',
          template: {
            metadata: {},
            spec: { type: 'pd-standard', populator: {}, resources: { requests: { storage: '10Gi' } } },
          },
        },
      },
      { name: 'config', configMap: {} },
      { name: 'keys', secret: {} },
    ],
  },
};

const scaleSettings = {
  minReplicas: 1,
  maxReplicas: 3,
  metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 80, value: '1', averageValue: '500m' } } }],
  instanceManagementPolicy: 'OrderedReady',
};

const counts = { replicas: 2, currentReplicas: 2, updatedReplicas: 2, desiredReplicas: 2, readyReplicas: 1 };

const workload: Workload = {
  apiVersion: 'compute.datumapis.com/v1alpha',
  kind: 'Workload',
  metadata,
  spec: {
    template,
    placements: [{ name: 'us', cityCodes: ['LAX', 'SFO'], scaleSettings }],
    restarts: [{ cityCode: 'LAX', restartedAt: '2026-01-01T00:00:00.001Z' }],
  },
  status: {
    conditions: [condition('Available', 'AvailablePlacementFound')],
    deployments: 2,
    ...counts,
    observedGeneration: 3,
    placements: [{ name: 'us', conditions: [condition('Available')], ...counts }],
    gateway: {},
  },
};

const workloadDeployment: WorkloadDeployment = {
  apiVersion: 'compute.datumapis.com/v1alpha',
  kind: 'WorkloadDeployment',
  metadata,
  spec: {
    workloadRef: { name: 'web', uid: 'u' },
    placementName: 'us',
    cityCode: 'LAX',
    template,
    scaleSettings,
    replicas: 2,
  },
  status: {
    conditions: [condition('Available', 'StableInstanceFound')],
    ...counts,
    servedReplicas: 2,
    observedProjectGeneration: 3,
    observedGeneration: 1,
    cells: 1,
    clusters: [
      {
        name: 'lax-1',
        conditions: [condition('Available')],
        ...counts,
        servedReplicas: 2,
        observedProjectGeneration: 3,
      },
    ],
  },
};

const instance: Instance = {
  apiVersion: 'compute.datumapis.com/v1alpha',
  kind: 'Instance',
  metadata,
  spec: {
    ...template.spec,
    runtime: {
      resources: { instanceType: 'datumcloud/d1-standard-2' },
      virtualMachine: { volumeAttachments: [{ name: 'data' }], ports: [{ name: 'ssh', port: 22 }] },
    },
    location: { name: 'lax', namespace: 'default' },
    controller: { templateHash: 'v1-0123456789abcdef0123456789abcdef', schedulingGates: [{ name: 'Quota' }] },
  },
  status: {
    conditions: [condition('Ready', 'Available'), condition('QuotaGranted', 'QuotaAvailable')],
    networkInterfaces: [{ assignments: { networkIP: '10.0.0.2', externalIP: '192.0.2.2' } }],
    controller: { observedTemplateHash: 'v1-0123456789abcdef0123456789abcdef' },
  },
};

export const computeSamples: readonly KubeObject[] = [workload, workloadDeployment, instance];
