/** Rule 27: an object that outlives its Work stays on the member as if Karmada had never been there. */
import { annotationOf, type Manifest, withoutKeys } from '../manifest.ts';
import { annotations, labels } from '../words.ts';

const karmadaLabels = [
  labels.managed,
  labels.policyId,
  labels.clusterPolicyId,
  labels.bindingId,
  labels.clusterBindingId,
  labels.workId,
];

/** All but `work.karmada.io/conflict-resolution`, which stays behind. */
const karmadaAnnotations = [
  annotations.policyNamespace,
  annotations.policyName,
  annotations.clusterPolicyName,
  annotations.bindingNamespace,
  annotations.bindingName,
  annotations.clusterBindingName,
  annotations.workNamespace,
  annotations.workName,
  annotations.templateUid,
  annotations.templateGeneration,
  annotations.managedAnnotations,
  annotations.managedLabels,
];

export const withoutKarmada = (object: Manifest): Manifest =>
  withoutKeys(object, { labels: karmadaLabels, annotations: karmadaAnnotations });

/** Whether the hub wants an object taken over that it did not make. */
export const overwrites = (desired: Manifest): boolean =>
  annotationOf(desired, annotations.conflictResolution) === 'overwrite';
