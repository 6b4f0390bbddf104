import { PlatformError } from '../errors.ts';

/**
 * - `invalid`: a text that is not JSON; `offset` says where it stops being JSON.
 * - `not-utf8`: bytes that are no UTF-8.
 * - `unsupported`: a value that JSON cannot hold (NaN, a function, a Date, a cycle).
 * - `too-deep`: nested deeper than what is written or merged may be (depth.ts).
 */
export type JsonErrorCode = 'invalid' | 'not-utf8' | 'unsupported' | 'too-deep';

/** Text or a value that is not JSON. Its message never quotes more than one character: the text may be a Secret. */
export class JsonError extends PlatformError<JsonErrorCode> {
  /** Where the first bad token starts, in UTF-16 code units; the length of the text where it ends too early. Only with `invalid`. */
  readonly offset: number | undefined;

  constructor(code: JsonErrorCode, message: string, offset?: number) {
    super(code, message);
    this.offset = offset;
  }
}
