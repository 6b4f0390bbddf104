/**
 * Finalizer edits as JSON patches. Several controllers edit this list at once, so a patch never carries the list: it adds or removes
 * our own entry and tests what it relies on.
 */
import type { JsonPatch, JsonPatchOperation } from '../patch/json-patch.ts';
import { type ReadObject, testResourceVersion, testUid } from './precondition.ts';

/** Whether the object carries this finalizer. */
export const hasFinalizer = ({ metadata }: ReadObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) === true;

/**
 * Adds our finalizer; undefined when it is there, or when the object is being deleted: then it is too late, and the API server
 * refuses additions.
 *
 * Guarantees: passes only on this object and only on the list that was read, so a foreign change in between makes it fail, not vanish.
 */
export function addFinalizer(object: ReadObject, finalizer: string): JsonPatch | undefined {
  if (hasFinalizer(object, finalizer) || typeof object.metadata.deletionTimestamp === 'string') return undefined;
  const finalizers = object.metadata.finalizers ?? [];
  return finalizers.length === 0
    ? [testUid(object), testResourceVersion(object), { op: 'add', path: '/metadata/finalizers', value: [finalizer] }]
    : [
        testUid(object),
        { op: 'test', path: '/metadata/finalizers', value: finalizers },
        { op: 'add', path: '/metadata/finalizers/-', value: finalizer },
      ];
}

/**
 * Removes our finalizer (every copy of it); undefined when it is not there.
 *
 * Guarantees: passes only on this object and only while our entry stands where it was read; no other entry is touched.
 */
export function removeFinalizer(object: ReadObject, finalizer: string): JsonPatch | undefined {
  const own = (object.metadata.finalizers ?? []).flatMap((entry, index) => (entry === finalizer ? [index] : []));
  if (own.length === 0) return undefined;
  const path = (index: number): string => `/metadata/finalizers/${index}`;
  return [
    testUid(object),
    ...own.map((index): JsonPatchOperation => ({ op: 'test', path: path(index), value: finalizer })),
    // From the end, so that no removal shifts the next index.
    ...own.toReversed().map((index): JsonPatchOperation => ({ op: 'remove', path: path(index) })),
  ];
}
