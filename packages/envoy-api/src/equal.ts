import { equals, fromBinary, type Message } from '@bufbuild/protobuf';
import { describeError } from '@lifeline/core';
import { envoyRegistry, messageType } from './descriptors.ts';
import { EnvoyApiError } from './error.ts';

/**
 * Whether two encodings say the same: the order of fields and map entries, inside of `Any`s too, does not count; unknown fields do.
 * @throws EnvoyApiError `unknown-type`, `unreadable`
 */
export function equalMessages(typeName: string, a: Uint8Array, b: Uint8Array): boolean {
  const desc = messageType(typeName);
  const [one, other] = [a, b].map((bytes): Message => {
    try {
      return fromBinary(desc, bytes);
    } catch (error) {
      throw new EnvoyApiError('unreadable', `${typeName}: ${describeError(error)}`, { cause: error });
    }
  }) as [Message, Message];
  return equals(desc, one, other, { registry: envoyRegistry(), unpackAny: true, unknown: true });
}
