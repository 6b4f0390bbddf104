import { equals, fromBinary, type Message } from '@bufbuild/protobuf';
import { describeError } from '@lifeline/core';
import { envoyRegistry, messageType } from './descriptors.ts';
import { EnvoyApiError } from './error.ts';

/**
 * Whether two encodings say the same: the order of fields and map entries, inside of `Any`s too, does not count; unknown fields do.
 * @throws EnvoyApiError `unknown-type`, `unreadable`
 */
export const equalMessages = (typeName: string, a: Uint8Array, b: Uint8Array): boolean =>
  compare(typeName, [a, b], { unpackAny: true });

/**
 * Whether who reads both and writes them anew writes the same: as {@link equalMessages}, but what is in an `Any` counts by its bytes.
 * @throws EnvoyApiError `unknown-type`, `unreadable`
 */
export const equalAnyBytes = (typeName: string, a: Uint8Array, b: Uint8Array): boolean =>
  compare(typeName, [a, b], { unpackAny: false });

function compare(
  typeName: string,
  pair: readonly [Uint8Array, Uint8Array],
  how: { readonly unpackAny: boolean },
): boolean {
  const desc = messageType(typeName);
  const [one, other] = pair.map((bytes): Message => {
    try {
      return fromBinary(desc, bytes);
    } catch (error) {
      throw new EnvoyApiError('unreadable', `${typeName}: ${describeError(error)}`, { cause: error });
    }
  }) as [Message, Message];
  return equals(desc, one, other, { registry: envoyRegistry(), unknown: true, ...how });
}
