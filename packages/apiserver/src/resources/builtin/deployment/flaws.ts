/** What is wrong with a Deployment. @see kubernetes/kubernetes@v1.36.3 pkg/apis/apps/validation/validation.go */
import { matchesSelector, requirementsOf, SelectorError, type Requirements } from '@lifeline/core';
import type { Cause } from '../../../api-error.ts';
import { forbidden, invalidValue, negativeFlaws, required } from '../../../field-error.ts';
import { goJson, goQuote } from '../../../go-text.ts';
import { unchanged } from '../immutable.ts';
import type { DeploymentSpec, DeploymentStatus } from './deployment.ts';
import { podTemplateFlaws } from './pod-template.ts';

interface Parts {
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}

/** @param written which half of it the client may have changed */
export function deploymentFlaws(next: Parts, old: Parts | undefined, written: 'spec' | 'status'): readonly Cause[] {
  if (written === 'status') return statusFlaws(next.status);
  const moved = old ? unchanged('spec.selector', next.spec.selector, old.spec.selector) : [];
  return [...specFlaws(next.spec), ...moved];
}

function specFlaws(spec: DeploymentSpec): readonly Cause[] {
  const { replicas, minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  const tooSoon = deadline !== undefined && deadline <= minReadySeconds;
  return [
    ...negativeFlaws('spec.replicas', replicas),
    ...selectorFlaws(spec),
    ...podTemplateFlaws(spec.template, 'spec.template'),
    ...strategyFlaws(spec),
    ...negativeFlaws('spec.minReadySeconds', minReadySeconds),
    ...negativeFlaws('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...negativeFlaws('spec.progressDeadlineSeconds', deadline),
    ...(tooSoon
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function selectorFlaws({ selector, template }: DeploymentSpec): readonly Cause[] {
  const { labels } = template.metadata;
  const mismatch = invalidValue(
    'spec.template.metadata.labels',
    labels ?? null,
    '`selector` does not match template `labels`',
  );
  if (selector === null) return [required('spec.selector'), mismatch];
  const requirements = readSelector(selector);
  if (!requirements) return [invalidValue('spec.selector', selector, 'invalid label selector')];
  if (requirements.length === 0)
    return [invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')];
  return matchesSelector(requirements, labels) ? [] : [mismatch];
}

function readSelector(selector: NonNullable<DeploymentSpec['selector']>): Requirements | undefined {
  try {
    return requirementsOf(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function strategyFlaws({ strategy: { type = '', rollingUpdate } }: DeploymentSpec): readonly Cause[] {
  switch (type) {
    case 'Recreate': {
      const detail = "may not be specified when strategy `type` is 'Recreate'";
      return rollingUpdate ? [forbidden('spec.strategy.rollingUpdate', detail)] : [];
    }
    case 'RollingUpdate': {
      const { maxUnavailable = null, maxSurge = null } = rollingUpdate ?? {};
      const isNone = (amount: unknown): boolean => amount === 0 || amount === '0%';
      if (!isNone(maxUnavailable) || !isNone(maxSurge)) return [];
      const field = 'spec.strategy.rollingUpdate.maxUnavailable';
      return [invalidValue(field, maxUnavailable, 'may not be 0 when `maxSurge` is 0')];
    }
    default: {
      // The struct as Go prints it.
      const text = `{"Type":${goQuote(type)},"RollingUpdate":${goJson(rollingUpdate)}}`;
      const message = `Unsupported value: ${text}: supported values: "Recreate", "RollingUpdate"`;
      return [{ reason: 'FieldValueNotSupported', field: 'spec.strategy', message }];
    }
  }
}

function statusFlaws(status: DeploymentStatus): readonly Cause[] {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const above = (field: string, value: number): readonly Cause[] =>
    value > replicas ? [invalidValue(`status.${field}`, value, 'cannot be greater than status.replicas')] : [];
  const counts = {
    observedGeneration: status['observedGeneration'],
    replicas,
    updatedReplicas,
    readyReplicas,
    availableReplicas,
  };
  return [
    ...Object.entries(counts).flatMap(([field, count]) =>
      typeof count === 'number' ? negativeFlaws(`status.${field}`, count) : [],
    ),
    ...above('updatedReplicas', updatedReplicas),
    ...above('readyReplicas', readyReplicas),
    ...above('availableReplicas', availableReplicas),
    ...(availableReplicas > readyReplicas
      ? [invalidValue('status.availableReplicas', availableReplicas, 'cannot be greater than readyReplicas')]
      : []),
  ];
}
