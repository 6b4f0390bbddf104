import { Cursor } from '../wire/cursor.ts';
import { WireError } from '../wire/wire-error.ts';

/**
 * The answer that leaves the object of a request as it is: of the hooks that carry one object, which is field 1 of request and answer.
 * Undefined when the request cannot be read.
 */
export function unchanged(request: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  try {
    const cursor = new Cursor(request);
    while (cursor.next()) if (cursor.isBytes(1)) parts.push(request.subarray(cursor.start, cursor.after));
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
  return Buffer.concat(parts);
}
