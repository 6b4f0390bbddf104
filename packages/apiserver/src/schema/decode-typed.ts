/** Bodies of built-in kinds, taken the way Go takes them: by type. */
import { type JsonObject, PlatformError } from '@lifeline/core';
import type { MessageType } from './message-type.ts';

/** A value that is not of its type, in the words of Go. Who knows what was asked for puts them into an answer: 400, or 422 of a patch. */
export class MistypedError extends PlatformError<'mistyped'> {
  constructor(message: string) {
    super('mistyped', message);
  }
}

export interface Decoded {
  /** The body as Go would write it: empty fields gone or spelled out, times in UTC, quantities canonical, unknown fields gone. */
  readonly object: JsonObject;
  /** Paths of the unknown fields, in the order of the body: `metadata.ownerReferences[0].foo`. */
  readonly unknownFields: readonly string[];
}

/** The body of a type. The same object when nothing differs. @throws MistypedError */
export const decodeTyped = (_type: MessageType, body: JsonObject): Decoded => ({ object: body, unknownFields: [] });
