/** What is taken out of a template before it leaves the hub: what belongs to the hub's API server, and what members decide themselves. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import {
  at,
  type KindName,
  kindName,
  labelOf,
  type Manifest,
  specOf,
  textAt,
  withMetadata,
  withoutKeys,
} from '../manifest.ts';

/** Of every object. Overrides cannot bring them back: they come before. */
const serverMetadata = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
] as const;

/** The object as far as it is carried: without what every object loses, and without what its kind loses. */
export function prune(object: Manifest): Manifest {
  const bare = pruneCommon(object);
  return byKind[kindName(bare)]?.(bare) ?? bare;
}

/** The object without the status and without metadata that is its API server's or its own controllers'. */
export function pruneCommon(object: Manifest): Manifest {
  const { status: _, ...rest } = object;
  return withMetadata(rest as Manifest, Object.fromEntries(serverMetadata.map((key) => [key, undefined])));
}

const deploymentRevisions = [
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
];

const jobLabels = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'];

const byKind: Readonly<Record<KindName, (object: Manifest) => Manifest>> = {
  'apps/v1 Deployment': (object) => withoutKeys(object, { annotations: deploymentRevisions }),
  'batch/v1 Job': (object) => {
    if (labelOf(object, 'controller-uid') !== undefined) return pruneJob(withoutKeys(object, { labels: jobLabels }));
    return pruneJob(object);
  },
  'v1 Service': (object) => {
    const { clusterIP, clusterIPs: _, ...spec } = specOf(object);
    return clusterIP === 'None' ? object : { ...object, spec };
  },
  'v1 ServiceAccount': (object) => {
    const secrets = at(object, 'secrets');
    if (!isJsonArray(secrets)) return object;
    const generated = `${object.metadata.name}-token-`;
    const left = secrets.filter((secret) => !textAt(secret, 'name').startsWith(generated));
    const { secrets: _, ...rest } = object;
    return left.length > 0 ? { ...object, secrets: left } : rest;
  },
  'v1 Secret': (object) => {
    if (object['type'] !== 'kubernetes.io/service-account-token') return object;
    const { data: _, ...rest } = object;
    return withoutKeys(rest, { annotations: ['kubernetes.io/service-account.uid'] });
  },
  'v1 PersistentVolumeClaim': (object) =>
    withoutKeys(object, { annotations: ['volume.kubernetes.io/selected-node', 'pv.kubernetes.io/bind-completed'] }),
};

/** A Job's selector is made from its uid, and its life after the end is the hub's affair. */
function pruneJob(object: Manifest): Manifest {
  const { ttlSecondsAfterFinished: _, ...spec } = specOf(object);
  const without = (path: readonly string[]): JsonObject | undefined => {
    const labels = at(spec, ...path);
    if (!isJsonObject(labels)) return undefined;
    return Object.fromEntries(Object.entries(labels).filter(([key]) => !jobLabels.includes(key)));
  };
  const selector = without(['selector', 'matchLabels']);
  const podLabels = without(['template', 'metadata', 'labels']);
  let pruned: JsonObject = spec;
  if (selector) pruned = put(pruned, ['selector', 'matchLabels'], selector);
  if (podLabels) pruned = put(pruned, ['template', 'metadata', 'labels'], podLabels);
  return { ...object, spec: pruned };
}

function put(object: JsonObject, [key = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  const child = object[key];
  return { ...object, [key]: rest.length === 0 ? value : put(isJsonObject(child) ? child : {}, rest, value) };
}
