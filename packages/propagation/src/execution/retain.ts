/** Rule 15: what is sent to replace a member's object. */
import { deepEqual } from '@lifeline/core';
import { managedKeys } from '../binding/managed-keys.ts';
import { pruneCommon } from '../binding/prune.ts';
import { type Manifest, nonEmpty, type StringMap, withMetadata } from '../manifest.ts';

/** Lets an object keep parts of what the member has. */
export type Retain = (desired: Manifest, observed: Manifest) => Manifest;

/**
 * The whole object to send: content as the hub wants it; resourceVersion, finalizers and owner references as the member has them; of labels
 * and annotations the hub's, and those of the member that the hub has not brought. The retain hook has the last word.
 *
 * Guarantees: pure. Never a status: with the status subresource a PUT leaves the member's as it is, without it the PUT takes it away.
 */
export function replacement(desired: Manifest, observed: Manifest, retain?: Retain): Manifest {
  const { resourceVersion, finalizers, ownerReferences } = observed.metadata;
  const merged = withMetadata(desired, {
    resourceVersion,
    finalizers: finalizers ?? undefined,
    ownerReferences: ownerReferences ?? undefined,
    labels: merge(desired, observed, 'labels'),
    annotations: merge(desired, observed, 'annotations'),
  });
  return retain ? retain(merged, observed) : merged;
}

/** Whether sending it would change anything that is carried. */
export const differs = (body: Manifest, observed: Manifest): boolean =>
  !deepEqual(comparable(body), comparable(observed));

/** The object as far as Karmada compares it. Absent and empty maps are the same. */
export function comparable(object: Manifest): Manifest {
  const bare = pruneCommon(object);
  return withMetadata(bare, {
    labels: nonEmpty(bare.metadata.labels),
    annotations: nonEmpty(bare.metadata.annotations),
  });
}

/** A key of the member stays unless the hub wants it otherwise, or has brought it and wants it no more. */
function merge(desired: Manifest, observed: Manifest, of: 'labels' | 'annotations'): StringMap | undefined {
  const wanted: StringMap = desired.metadata[of] ?? {};
  const brought = managedKeys(observed, of);
  const kept = Object.entries(observed.metadata[of] ?? {}).filter(
    ([key]) => !Object.hasOwn(wanted, key) && !brought.has(key),
  );
  return nonEmpty({ ...Object.fromEntries(kept), ...wanted });
}
