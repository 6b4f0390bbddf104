/** kube-apiserver's static tokens: CSV lines `token,user,uid,"group1,group2"`. @see kubernetes/apiserver@v0.36.3 pkg/authentication/token/tokenfile */
import { PlatformError } from '@lifeline/core';
import type { Token } from '../server.ts';

export class TokenFileError extends PlatformError<'token-file'> {
  constructor(line: number, why: string) {
    super('token-file', `line ${line}: ${why}`);
  }
}

/**
 * The tokens of a file. Of two lines with one token the later counts. Lines without anything but white space, and without a token, are
 * skipped.
 * @throws TokenFileError
 */
export function parseTokenFile(text: string): readonly Token[] {
  const tokens = new Map<string, Token>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [token = '', user, uid, groups = ''] = fieldsOf(line, index + 1);
    if (user === undefined || uid === undefined) {
      throw new TokenFileError(index + 1, 'needs a token, a user name and a user id');
    }
    if (token === '') continue;
    tokens.delete(token);
    tokens.set(token, {
      token,
      user,
      uid,
      groups: groups === '' ? [] : groups.split(',').map((group) => group.trim()),
    });
  }
  return [...tokens.values()];
}

/** RFC 4180 within one line; white space before a field is no part of it. */
function fieldsOf(line: string, number: number): readonly string[] {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const [whole, quoted, plain] = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/.exec(rest) ?? [];
    if (whole === undefined) throw new TokenFileError(number, 'a quote is out of place');
    fields.push(quoted?.replaceAll('""', '"') ?? (plain as string));
    if (whole.length === rest.length) return fields;
    rest = rest.slice(whole.length + 1);
  }
}
