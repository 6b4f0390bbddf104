import { ApiError } from '../api-error.ts';
import { goQuote } from '../go-text.ts';
import type { Server } from '../server-parts.ts';
import { decideAccess } from './access.ts';
import type { AccessAttributes } from './access-attributes.ts';
import type { User } from './user.ts';

/**
 * With RBAC on: whether a user's roles allow something. Asked before anybody knows whether there is such a thing.
 * @throws ApiError 403 in the words of a real server
 */
export function authorize(server: Pick<Server, 'rbac' | 'store'>, user: User, asked: AccessAttributes): void {
  const { allowed, reason } = decideAccess(server, user, asked);
  if (!allowed) throw refusal(user, asked, reason);
}

/** @see kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/errors.go */
function refusal(user: User, asked: AccessAttributes, reason: string): ApiError {
  const why = [withoutHtml(`User ${goQuote(user.name)} cannot ${describe(asked)}`), ...(reason === '' ? [] : [reason])];
  const [subject, details] = aboutWhat(asked);
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject}forbidden: ${why.join(': ')}`,
    details,
    headers: { 'x-content-type-options': 'nosniff' },
  });
}

function describe(asked: AccessAttributes): string {
  if ('path' in asked) return `${asked.verb} path ${goQuote(asked.path)}`;
  const { verb, resource, subresource, group, namespace } = asked;
  const what = goQuote(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${verb} resource ${what} in API group ${goQuote(group)} ${where}`;
}

function aboutWhat(asked: AccessAttributes): readonly [subject: string, details: Readonly<Record<string, string>>] {
  if ('path' in asked) return ['', {}];
  const { resource, group, name } = asked;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return [
    `${qualified}${name === '' ? '' : ` ${goQuote(name)}`} is `,
    { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource },
  ];
}

const withoutHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
