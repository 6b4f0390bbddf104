/** Fields that a request cannot change, whatever it says: nobody comes to own them by it. */
import { type FieldSet, setOf, emptySet } from './fields/field-set.ts';
import type { Resource } from '../resources/resource.ts';

const status = setOf(['status']);
const spec = setOf(['spec']);
const specAndMetadata = setOf(['metadata'], ['spec']);

/** Of built-in kinds whose status cannot be written together with more than the spec. */
const besideStatus: Readonly<Record<string, FieldSet>> = {
  'deployments.apps': setOf(['spec'], ['metadata', 'labels']),
  pods: setOf(['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']),
};

/** Trees that do not count in a request to this subresource. @see kubernetes/kubernetes@v1.36.3 pkg/registry, GetResetFields */
export function resetFields(
  { id, decoding, statusSubresource }: Pick<Resource, 'id' | 'decoding' | 'statusSubresource'>,
  subresource: string | undefined,
): FieldSet {
  if (!statusSubresource) return emptySet;
  if (subresource !== 'status') return status;
  return decoding === 'structural' ? specAndMetadata : (besideStatus[id] ?? spec);
}
