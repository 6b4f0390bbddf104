import { unescape } from 'node:querystring';

/**
 * A URL path with its escapes undone: once, before it is taken apart, so that a slash that is escaped separates, too. Bytes that are no
 * UTF-8 become U+FFFD. Undefined where something is no escape: a Go server does not take such a request at all.
 */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  return hasBadEscape(path) ? undefined : unescape(path);
}

/** Whether a percent sign has not two hexadecimal digits behind it. */
export const hasBadEscape = (text: string): boolean => /%(?![0-9a-f]{2})/i.test(text);
