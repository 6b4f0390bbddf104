/** The one hash that contract strings are made with. */
import { createHash } from 'node:crypto';

/** The first `digits` hex digits (lower case) of the SHA-256 of a text's UTF-8 bytes. */
export const sha256Hex = (text: string, digits: number): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, digits);
