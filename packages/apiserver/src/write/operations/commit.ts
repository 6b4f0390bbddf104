/** The last step of a write. */
import { type StoredObject, storedUnder, withoutMetadata } from '../../resources/resource.ts';
import { asStored, type Spoken } from '../../resources/spoken.ts';
import type { Server } from '../../server-parts.ts';
import type { Writer } from '../writer.ts';
import { isTooLarge, keepBound, tooLarge } from './size-limit.ts';

/** Stores an object, or says what would be stored. @throws ApiError 500 of one that is too large */
export function commit(
  { store }: Server,
  spoken: Spoken,
  { next, previous, writer }: { next: StoredObject; previous: StoredObject | undefined; writer: Writer },
): StoredObject {
  if (writer.dryRun) return asStored(spoken, next);
  const object = fitting(asStored(spoken, next), previous, writer);
  const stored = store.put(storedUnder(spoken.resource), object, previous);
  keepBound(object, stored);
  return stored;
}

/** One that is too large loses its managed fields before it is refused. */
function fitting(object: StoredObject, previous: StoredObject | undefined, { sent }: Writer): StoredObject {
  if (!isTooLarge(object, previous, sent)) return object;
  const smaller = withoutMetadata(object, 'managedFields');
  if (isTooLarge(smaller, undefined, Infinity)) throw tooLarge();
  return smaller;
}
