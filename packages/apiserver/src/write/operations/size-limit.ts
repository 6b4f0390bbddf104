/** How large an object may be. */
import { ApiError } from '../../api-error.ts';
import { stringifyJson, utf8Bytes } from '@lifeline/core';
import type { StoredObject } from '../../resources/resource.ts';

/** What etcd takes in one request, in bytes. */
const limit = 1_572_864;

/** A stored object is no larger than this. Only a guess is needed while all are far below the limit. */
const bounds = new WeakMap<StoredObject, number>();

/** What a write may add beside what was sent: managed fields, defaults. */
const overhead = 4096;

/**
 * Whether an object is too large to be stored. Objects are measured only when what was written to them so far might be too much.
 * @param sent what the writer sent, in bytes
 */
export function isTooLarge(next: StoredObject, previous: StoredObject | undefined, sent: number): boolean {
  let bound = (previous ? (bounds.get(previous) ?? 0) : 0) + 2 * sent + overhead;
  if (bound > limit) bound = utf8Bytes(stringifyJson(next));
  bounds.set(next, bound);
  return bound > limit;
}

/** After it was stored, it is another object. */
export function keepBound(next: StoredObject, stored: StoredObject): void {
  const bound = bounds.get(next);
  if (bound !== undefined) bounds.set(stored, bound);
}

export const tooLarge = (): ApiError =>
  new ApiError({ code: 500, reason: '', message: 'etcdserver: request is too large' });
