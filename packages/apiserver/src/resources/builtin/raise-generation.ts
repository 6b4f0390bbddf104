import { deepEqual, type JsonValue, type ObjectMeta } from '@lifeline/core';
import { type StoredObject, withMetadata } from '../resource.ts';

/** The object with a generation of its own where a part of its metadata changed that counts: labels, or annotations. */
export function raiseGeneration(
  next: StoredObject,
  old: StoredObject | undefined,
  part: 'labels' | 'annotations',
): StoredObject {
  const of = ({ metadata }: { readonly metadata: ObjectMeta }): JsonValue => metadata[part] ?? {};
  if (!old || deepEqual(of(next), of(old))) return next;
  return withMetadata(next, { generation: Number(old.metadata.generation ?? 0) + 1 });
}
