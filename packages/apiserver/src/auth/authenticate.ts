/** Who asks. */
import type { TransportRequest } from '@lifeline/core';
import { unauthorized } from '../api-error.ts';
import type { Token } from '../server.ts';
import { anonymous, systemAdmin, type User } from './user.ts';

/**
 * Undefined where a request has no header about it. A header that holds no token is as good as none on a real server.
 * @throws ApiError 401
 */
export type Authenticate = (request: TransportRequest) => User | undefined;

/** Without tokens everybody is the administrator, whatever they carry. */
export function authenticateWith(tokens: readonly Token[]): Authenticate {
  if (tokens.length === 0) return () => systemAdmin;
  const users = new Map(tokens.map(({ token, user, uid, groups }) => [token, userOf({ user, uid, groups })]));
  return ({ headers: { authorization } }) => {
    if (authorization === undefined) return undefined;
    // What follows the token does not count.
    const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
    if (scheme.toLowerCase() !== 'bearer' || token === '') return anonymous;
    const user = users.get(token);
    if (!user) throw unauthorized();
    return user;
  };
}

const userOf = ({ user, uid, groups }: Omit<Token, 'token'>): User => ({
  name: user,
  ...(uid === '' ? {} : { uid }),
  groups: [...groups, ...serviceAccountGroups(user), 'system:authenticated'],
});

/** Those that a service account is in without anybody saying so. */
function serviceAccountGroups(user: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user) ?? [];
  return namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
