/** Where the next page of a list begins. @see kubernetes/apiserver@v0.36.3 pkg/storage/continue.go */
import { isJsonObject, JsonError, type ObjectKey, parseJson, stringifyJson } from '@lifeline/core';
import { badRequest } from '../api-error.ts';

export interface ContinueToken {
  /** That all pages are of. Undefined: whatever there is now. */
  readonly revision: number | undefined;
  /** Behind this key, relative to what is listed: `namespace/name`, or `name` within one namespace. */
  readonly after: ObjectKey;
}

/** Tokens name the first key of the next page, which is the last one's successor. */
const successor = '\0';

export const writeContinueToken = ({ revision, after }: ContinueToken): string =>
  Buffer.from(stringifyJson({ v: 'meta.k8s.io/v1', rv: revision ?? -1, start: `/${after}${successor}` })).toString(
    'base64url',
  );

/** @throws ApiError 400 */
export function readContinueToken(text: string): ContinueToken {
  const { v: version, rv, start } = tokenFields(text);
  if (version !== 'meta.k8s.io/v1') {
    throw bad(`server does not recognize this encoded version ${typeof version === 'string' ? version : ''}`);
  }
  if (typeof rv !== 'number' || rv === 0) throw bad('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') throw bad('encoded start key empty (version meta.k8s.io/v1)');
  const key = start.replace(/^\//, '');
  if (key.split('/').some((part) => part === '' || part === '.' || part === '..')) throw bad(start);
  return { revision: rv < 0 ? undefined : rv, after: key.endsWith(successor) ? key.slice(0, -1) : key };
}

function tokenFields(text: string): Record<string, unknown> {
  try {
    const fields = parseJson(Buffer.from(text, 'base64url').toString());
    if (isJsonObject(fields)) return fields;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw bad('not a token');
}

const bad = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`);
