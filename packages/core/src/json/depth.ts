import { JsonError } from './error.ts';

/**
 * How deep a value may be nested to be written or merged. What recurses stops here, long before the stack does. Reading, comparing and
 * freezing have no limit, so one strange object spoils no list.
 */
export const maxDepth = 1000;

/** @throws JsonError `too-deep` */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new JsonError('too-deep', `nested deeper than ${maxDepth} levels`);
}
