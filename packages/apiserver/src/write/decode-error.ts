import { PlatformError } from '@lifeline/core';

/** A body that Go would not decode. What is answered depends on where it came from: a 400 of a body, a 422 of what a patch made. */
export class DecodeError extends PlatformError<'undecodable'> {
  /** In Go's words, and nothing else. */
  readonly complaint: string;
  /** Whether it was known by then what the body says it is. */
  readonly as: { readonly kind: string; readonly version: string } | undefined;

  constructor(complaint: string, as?: DecodeError['as']) {
    super('undecodable', complaint);
    this.complaint = complaint;
    this.as = as;
  }
}
