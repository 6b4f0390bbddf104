/** Whether Karmada has carried an object to every member that it goes to. */
import type { ObjectName, ResourceBinding } from '@lifeline/core';
import { sameValue } from '@lifeline/core';

/** Where a hub keeps the binding of a Secret. @see karmada-io/karmada pkg/util/names/names.go, GenerateBindingName */
export const secretBinding = ({ namespace, name }: ObjectName): ObjectName => ({
  namespace,
  name: `${name.replaceAll(':', '.')}-secret`.toLowerCase(),
});

/**
 * Whether a binding proves that the object with this uid has been applied on every member: it is this object's, the scheduler has seen
 * its newest state, it goes somewhere, and each member there reports it applied. A member that says nothing has not applied it.
 */
export function isSpread(binding: ResourceBinding | undefined, uid: string | undefined): boolean {
  if (!binding || uid === undefined || binding.spec.resource.uid !== uid) return false;
  const { generation } = binding.metadata;
  const seen = binding.status?.schedulerObservedGeneration;
  if (generation === undefined || seen == null || !sameValue(seen, generation)) return false;
  const clusters = binding.spec.clusters ?? [];
  const applied = new Set(
    (binding.status?.aggregatedStatus ?? []).flatMap((item) => (item.applied === true ? [item.clusterName] : [])),
  );
  return clusters.length > 0 && clusters.every(({ name }) => applied.has(name));
}
