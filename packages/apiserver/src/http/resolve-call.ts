/** From a request to what is called. */
import type { TransportRequest } from '@lifeline/core';
import { methodNotAllowed, noSuchResource } from '../api-error.ts';
import type { User } from '../auth/user.ts';
import type { Resource, Verb } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import type { Call } from './call.ts';
import type { OutputForm } from './negotiate.ts';
import { parseResourcePath, type ResourcePath } from './resource-path.ts';

export interface Asked {
  readonly request: TransportRequest;
  /** Without the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly output: OutputForm;
}

/** Undefined: the path is none of a resource that is served. @throws ApiError 404 or 405 */
export function resolveCall(server: Server, { path, ...asked }: Asked): Call | undefined {
  const target = parseResourcePath(path);
  if (!target) return undefined;
  const resource = server.resources.byPlural(target.group, target.plural);
  const version = resource?.versions.find(({ name }) => name === target.version);
  if (!resource || !version) {
    if (target.group === '') throw noSuchResource();
    return undefined;
  }
  const { namespace, name } = target;
  if (resource.namespaced ? namespace === undefined && name !== undefined : namespace !== undefined) {
    throw noSuchResource();
  }
  const subresource = subresourceOf(resource, target);
  const verb = verbOf(asked.request.method, target, asked.query);
  if (!verb || !resource.verbs.includes(verb)) throw methodNotAllowed();
  if (verb === 'create' && resource.namespaced && namespace === undefined) throw methodNotAllowed();
  return { ...asked, verb, resource, version, namespace, name, subresource };
}

function subresourceOf(resource: Resource, { subresource, rest }: ResourcePath): Call['subresource'] {
  if (subresource === undefined) return undefined;
  if (rest.length > 0) throw noSuchResource();
  const served =
    (subresource === 'status' && resource.statusSubresource) ||
    (subresource === 'scale' && resource.scaleSubresource !== false) ||
    (subresource === 'finalize' && resource.id === 'namespaces');
  if (!served) throw noSuchResource();
  return subresource as Call['subresource'];
}

function verbOf(method: string, { name, subresource }: ResourcePath, query: URLSearchParams): Verb | undefined {
  const one = name !== undefined;
  switch (method) {
    case 'GET':
      if (isTrue(query.get('watch')) && subresource === undefined) return 'watch';
      return one ? 'get' : 'list';
    case 'POST':
      return one ? undefined : 'create';
    case 'PUT':
      return one ? 'update' : undefined;
    case 'PATCH':
      return one ? 'patch' : undefined;
    case 'DELETE':
      if (subresource !== undefined) return undefined;
      return one ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

const isTrue = (text: string | null): boolean => text === 'true' || text === '1';
