/** Pod templates: what a server fills in beyond the defaults of the type table, and what it refuses. */
import type { JsonObject } from '@lifeline/core';
import type { Cause } from '../../../api-error.ts';
import { label1123Problems } from '../../../dns-syntax.ts';
import { choiceFlaws, duplicate, forbidden, required, syntaxFlaws } from '../../../field-error.ts';
import { portNumberFlaws } from '../port.ts';

interface Container extends JsonObject {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string }[];
}

interface Volume extends JsonObject {
  readonly name: string;
}

export interface PodTemplate extends JsonObject {
  readonly metadata: JsonObject & { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: JsonObject & {
    readonly containers: readonly Container[] | null;
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly volumes?: readonly Volume[];
    readonly restartPolicy?: string;
    readonly serviceAccountName?: string;
    readonly serviceAccount?: string;
    readonly activeDeadlineSeconds?: number;
  };
}

export function withPodDefaults(template: PodTemplate): PodTemplate {
  const { containers, initContainers, volumes, serviceAccountName, serviceAccount, ...spec } = template.spec;
  // Two names of one field.
  const account = serviceAccountName ?? serviceAccount;
  return {
    ...template,
    spec: {
      ...spec,
      containers: containers && containers.map(withPullPolicy),
      ...(initContainers ? { initContainers: initContainers.map(withPullPolicy) } : {}),
      ...(volumes ? { volumes: volumes.map(withSource) } : {}),
      ...(account === undefined ? {} : { serviceAccountName: account, serviceAccount: account }),
    },
  };
}

/** Always for `latest`, and for an image without a tag, which means it. */
function withPullPolicy(container: Container): Container {
  if (container.imagePullPolicy !== undefined) return container;
  const { image = '' } = container;
  const tag = image.includes('@') ? 'digest' : (/:([^:/]+)$/.exec(image)?.[1] ?? 'latest');
  return { ...container, imagePullPolicy: tag === 'latest' ? 'Always' : 'IfNotPresent' };
}

const withSource = (volume: Volume): Volume => (Object.keys(volume).length > 1 ? volume : { ...volume, emptyDir: {} });

/** @param path of the template: `spec.template` */
export function podTemplateFlaws({ spec }: PodTemplate, path: string): readonly Cause[] {
  const { containers, initContainers = [], volumes = [], ephemeralContainers, restartPolicy = '' } = spec;
  return [
    ...nameFlaws(volumes, `${path}.spec.volumes`),
    ...(containers ? containerFlaws(containers, `${path}.spec.containers`) : [required(`${path}.spec.containers`)]),
    ...containerFlaws(initContainers, `${path}.spec.initContainers`),
    ...(ephemeralContainers
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
    ...choiceFlaws(`${path}.spec.restartPolicy`, restartPolicy, ['Always']),
    ...(spec.activeDeadlineSeconds === undefined
      ? []
      : [forbidden(`${path}.spec.activeDeadlineSeconds`, 'activeDeadlineSeconds in ReplicaSet is not Supported')]),
  ];
}

/** Labels that no other of the list has. */
function nameFlaws(named: readonly { readonly name: string }[], path: string): readonly Cause[] {
  return named.flatMap(({ name }, index) => {
    const field = `${path}[${index}].name`;
    if (name === '') return [required(field)];
    return [
      ...syntaxFlaws(field, name, label1123Problems),
      ...(named.findIndex((other) => other.name === name) < index ? [duplicate(field, name)] : []),
    ];
  });
}

function containerFlaws(containers: readonly Container[], path: string): readonly Cause[] {
  const named = nameFlaws(containers, path);
  const isDuplicate = ({ reason }: Cause): boolean => reason === 'FieldValueDuplicate';
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { image = '', imagePullPolicy = '', ports = [], env = [] } = container;
    const names = named.filter(({ field }) => field === `${at}.name`);
    return [
      ...names.filter((cause) => !isDuplicate(cause)),
      ...(image === '' ? [required(`${at}.image`)] : []),
      ...ports.flatMap(({ containerPort }, port) => portFlaws(containerPort, `${at}.ports[${port}].containerPort`)),
      ...env.flatMap(({ name }, variable) => (name === '' ? [required(`${at}.env[${variable}].name`)] : [])),
      ...choiceFlaws(`${at}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
      ...names.filter(isDuplicate),
    ];
  });
}

const portFlaws = (port: number, field: string): readonly Cause[] =>
  port === 0 ? [required(field)] : portNumberFlaws(field, port);
