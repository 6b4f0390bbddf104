/** Why bytes are no protobuf message. */
import { PlatformError } from '@lifeline/core';

export type WireErrorCode =
  /** A field ends after its message. */
  | 'truncated'
  /** A varint of more than 64 bits. */
  | 'overlong-varint'
  /** Field number 0, or one above 2^29−1. */
  | 'bad-field-number'
  /** 6 or 7. */
  | 'bad-wire-type'
  /** A group that ends as another, ends without a beginning, or does not end. */
  | 'unbalanced-group'
  /** Groups within groups, more than anyone needs. */
  | 'too-deep';

export class WireError extends PlatformError<WireErrorCode> {
  constructor(code: WireErrorCode, offset: number) {
    super(code, `at byte ${offset}`);
  }
}
