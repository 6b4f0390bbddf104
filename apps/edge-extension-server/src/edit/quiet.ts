/** Equal resources leave as equal bytes, whatever order their maps came in. */
import type { Draft } from './draft.ts';

/** One for each editor; it may remember what it answered. */
export interface Quiet {
  /** The bytes to answer: the draft's own, changed in place or not, or others. */
  quiet(draft: Draft): Uint8Array;
}

export const createQuiet = (): Quiet => ({ quiet: ({ bytes }) => bytes });
