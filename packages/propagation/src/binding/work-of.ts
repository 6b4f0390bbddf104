/** Rule 9: the Work that brings an object to one cluster. */
import type { Draft } from '@lifeline/k8s';
import { isJsonObject, type KarmadaCluster, type KubeObject, type OwnerReference, type Work } from '@lifeline/core';
import { annotationOf, type Manifest, type StringMap, withKeys } from '../manifest.ts';
import { executionNamespace, namedBy, workName } from '../names.ts';
import { annotations, finalizers, labels } from '../words.ts';
import { recordManagedKeys } from './managed-keys.ts';
import { override, type Overrides } from './overrides.ts';
import { prune } from './prune.ts';

/** On whose behalf a Work is made: keys for the Work and for the object alike. */
export interface Origin {
  readonly labels: StringMap;
  readonly annotations: StringMap;
  /** What becomes of an object that is on the member already. Undefined: the template alone says. */
  readonly conflictResolution: string | null | undefined;
  /** Whose end is the Work's end. */
  readonly owner?: OwnerReference | undefined;
}

export interface Dispatch {
  readonly suspended: boolean;
  readonly preserve: boolean;
}

export interface WorkInputs {
  /** As it is on the hub. */
  readonly template: Manifest;
  /** The template with this cluster's replicas. Default: the template. */
  readonly revised?: Manifest | undefined;
  readonly cluster: KarmadaCluster;
  readonly origin: Origin;
  readonly overrides: Overrides;
  readonly dispatch: Dispatch;
  /** The Work's permanent id: the one that it has, or a new one. */
  readonly workId: string;
}

/**
 * Guarantees: pure. The steps are Karmada's, in its order: overrides have the last word on content, then keys are added, then the object is
 * pruned, then the keys that are managed are noted down on it.
 */
export function workOf({ template, revised = template, cluster, origin, ...inputs }: WorkInputs): Draft<Work> {
  const { overrides, dispatch, workId } = inputs;
  const { object, applied } = override(revised, cluster, overrides);
  const name = { namespace: executionNamespace(cluster.metadata.name), name: workName(namedBy(template)) };
  const resolution = conflictResolutionOf(object, origin.conflictResolution);
  const carried = recordManagedKeys(
    prune(
      withKeys(object, {
        labels: { ...origin.labels, [labels.managed]: 'true', [labels.workId]: workId },
        annotations: {
          ...origin.annotations,
          ...resolution,
          ...generationOf(template),
          [annotations.workNamespace]: name.namespace,
          [annotations.workName]: name.name,
          [annotations.templateUid]: template.metadata.uid ?? '',
        },
      }),
    ),
  );
  return {
    metadata: {
      ...name,
      finalizers: [finalizers.work],
      labels: { ...origin.labels, [labels.workId]: workId },
      annotations: { ...origin.annotations, ...resolution, ...applied },
      ...(origin.owner ? { ownerReferences: [origin.owner] } : {}),
    },
    spec: {
      workload: { manifests: [carried] },
      suspendDispatching: dispatch.suspended,
      preserveResourcesOnDeletion: dispatch.preserve,
    },
  };
}

/** Only where the API server counts generations. */
const generationOf = ({ metadata: { generation } }: KubeObject): StringMap =>
  generation !== undefined && Number(generation) > 0 ? { [annotations.templateGeneration]: String(generation) } : {};

/** The template's own word counts before its policy's. */
function conflictResolutionOf(object: Manifest, policy: string | null | undefined): StringMap {
  const own = annotationOf(object, annotations.conflictResolution);
  if (own === 'abort' || own === 'overwrite') return { [annotations.conflictResolution]: own };
  if (policy == null) return {};
  return { [annotations.conflictResolution]: policy === 'Overwrite' ? 'overwrite' : 'abort' };
}

/** The one object of a Work. Undefined when it holds none. */
export function manifestIn({ spec }: Work): Manifest | undefined {
  const manifest = spec.workload?.manifests?.[0];
  return isJsonObject(manifest) ? (manifest as unknown as Manifest) : undefined;
}
