import { formatSelector, type JsonObject, type LabelSelector, requirementsOf } from '@lifeline/core';
import { type Resource, type StoredObject, withFields, withMetadata } from '../../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from '../builtin-resource.ts';
import { raiseGeneration } from '../raise-generation.ts';
import { appsTypes } from '../types/apps.ts';
import { deploymentFlaws } from './flaws.ts';
import { type PodTemplate, withPodDefaults } from './pod-template.ts';

export interface DeploymentSpec extends JsonObject {
  readonly replicas?: number;
  readonly selector: (LabelSelector & JsonObject) | null;
  readonly template: PodTemplate;
  readonly strategy: JsonObject & { readonly type?: string; readonly rollingUpdate?: JsonObject };
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStatus extends JsonObject {
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}

interface Deployment {
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}

const partsOf = (object: StoredObject): Deployment => object as StoredObject & Deployment;

export const deployments: Resource = builtinResource({
  group: 'apps',
  kind: 'Deployment',
  plural: 'deployments',
  types: appsTypes,
  namespaced: true,
  shortNames: ['deploy'],
  categories: ['all'],
  hasGeneration: true,
  statusSubresource: true,
  scaleSubresource: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  columns: [
    column('Ready', 'How many of its pods are ready, and how many there should be.'),
    column('Up-to-date', 'How many pods are made from the template as it is.'),
    column('Available', 'How many pods have been ready for long enough.'),
    ageColumn,
    column('Containers', 'The names of its containers.', 1),
    column('Images', 'The images of its containers.', 1),
    column('Selector', 'The labels of its pods.', 1),
  ],
  cells: (object, now) => {
    const { spec, status } = partsOf(object);
    const containers = spec.template.spec.containers ?? [];
    return [
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      ageCell(object, now),
      containers.map(({ name }) => name).join(','),
      containers.map(({ image }) => image ?? '').join(','),
      formatSelector(requirementsOf(spec.selector ?? {})),
    ];
  },
  strategy: {
    applyDefaults: (object) => withFields(object, { spec: withDefaults(partsOf(object).spec) }),
    prepare: (next, old, { subresource }) => {
      if (old && subresource === 'status') {
        return withMetadata(withFields(next, { spec: partsOf(old).spec }), { labels: old.metadata.labels });
      }
      return raiseGeneration(withFields(next, { status: old ? partsOf(old).status : {} }), old, 'annotations');
    },
    validate: (next, old, { subresource }) =>
      deploymentFlaws(partsOf(next), old && partsOf(old), subresource === 'status' ? 'status' : 'spec'),
  },
});

function withDefaults(spec: DeploymentSpec): DeploymentSpec {
  const { type = 'RollingUpdate', rollingUpdate } = spec.strategy;
  const strategy = {
    type,
    ...(type === 'RollingUpdate'
      ? { rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', ...rollingUpdate } }
      : rollingUpdate && { rollingUpdate }),
  };
  return { ...spec, template: withPodDefaults(spec.template), strategy };
}
