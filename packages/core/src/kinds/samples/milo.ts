import type { KubeObject } from '../../meta/object.ts';
import type { Project, ProjectControlPlane, ResourceClaim } from '../index.ts';
import { clusterMeta, condition, metadata, time } from './parts.ts';

const projectRef = { apiGroup: 'resourcemanager.miloapis.com', kind: 'Project', name: 'p', namespace: '' };

const resourceClaim: ResourceClaim = {
  apiVersion: 'quota.miloapis.com/v1alpha1',
  kind: 'ResourceClaim',
  metadata,
  spec: {
    consumerRef: projectRef,
    resourceRef: projectRef,
    requests: [
      { resourceType: 'compute.datumapis.com/instances', amount: 1 },
      { resourceType: 'compute.datumapis.com/memory', amount: 2048 },
    ],
  },
  status: {
    observedGeneration: 3,
    allocations: [
      {
        resourceType: 'compute.datumapis.com/instances',
        status: 'Granted',
        reason: 'QuotaAvailable',
        message: 'm',
        allocatedAmount: 1,
        allocatingBucket: 'b',
        lastTransitionTime: time,
      },
    ],
    conditions: [condition('Granted', 'QuotaAvailable')],
  },
};

const project: Project = {
  apiVersion: 'resourcemanager.miloapis.com/v1alpha1',
  kind: 'Project',
  metadata: clusterMeta,
  spec: { ownerRef: { kind: 'Organization', name: 'acme' } },
  status: { conditions: [condition('Ready')] },
};

const projectControlPlane: ProjectControlPlane = {
  apiVersion: 'infrastructure.miloapis.com/v1alpha1',
  kind: 'ProjectControlPlane',
  metadata: clusterMeta,
  spec: {},
  status: { conditions: [condition('ControlPlaneReady')] },
};

export const miloSamples: readonly KubeObject[] = [resourceClaim, project, projectControlPlane];
