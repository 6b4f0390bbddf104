/** From a request to what is called. */
import type { EpochMs, TransportRequest } from '@lifeline/core';
import { badRequest, methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../api-error.ts';
import type { User } from '../auth/user.ts';
import { goQuote } from '../go-text.ts';
import { onlyNameIn } from '../read/field-selector.ts';
import type { Resource, Verb } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { pathSegmentProblems } from '../resources/builtin/path-segment.ts';
import type { Call } from './call.ts';
import { outputForm } from './output-form.ts';
import { queryFlag } from './query.ts';
import { parseResourcePath, type ResourcePath } from './resource-path.ts';

export interface Asked {
  readonly request: TransportRequest;
  /** Decoded, without the base path and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly receivedAt: EpochMs;
}

/** Undefined: the path is none of a resource that is served. @throws ApiError 400, 404, 405 or 406 */
export function resolveCall(server: Server, { path, ...asked }: Asked): Call | undefined {
  const target = parseResourcePath(path);
  if (!target) return undefined;
  const resource = server.resources.byPlural(target.group, target.plural);
  const version = resource?.versions.find(({ name }) => name === target.version);
  if (!resource || !version) {
    if (isBuiltinGroup(server, target.group)) throw noSuchResource();
    return undefined;
  }
  const method = methodOf(asked.request.method, asked.query, target);
  const route = resource.decoding === 'typed' ? typedRoute : structuralRoute;
  const routed = route(resource, target, method);
  if (!routed) return undefined;
  const goesOn = routed.verb === 'list' || routed.verb === 'watch';
  const output = outputForm(asked.request, asked.query, { decoding: resource.decoding, streams: goesOn });
  const name = nameOf(routed.verb, target, asked.query);
  return { ...asked, ...routed, resource, version, namespace: target.namespace || undefined, name, output };
}

/** @throws ApiError 400 */
function nameOf(verb: Verb, { name }: ResourcePath, query: URLSearchParams): string | undefined {
  if (verb === 'create') return undefined;
  if (name === '') throw badRequest('name must be provided');
  if (name === undefined) return verb === 'deletecollection' ? undefined : onlyNameIn(query.get('fieldSelector'));
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join('; ')}`);
  return name;
}

/** Groups of built-in kinds answer for whatever is below them. */
function isBuiltinGroup({ resources }: Server, group: string): boolean {
  if (group === '') return true;
  for (const resource of resources.all) if (resource.group === group) return resource.decoding === 'typed';
  return false;
}

/** What a method asks for, whether or not the resource has it. HEAD is `head`. */
type Method = Verb | 'head' | '';

function methodOf(method: string, query: URLSearchParams, { name, watch }: ResourcePath): Method {
  const many = name === undefined;
  if (watch) return method === 'GET' ? 'watch' : '';
  switch (method) {
    case 'GET':
      if (!many) return 'get';
      return queryFlag(query, 'watch') ? 'watch' : 'list';
    case 'HEAD':
      return 'head';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return many ? 'deletecollection' : 'delete';
    default:
      return '';
  }
}

type Route = Pick<Call, 'verb' | 'subresource'>;

/** Built-in kinds have one route for each path and method. @throws ApiError 404 or 405 */
function typedRoute(resource: Resource, target: ResourcePath, method: Method): Route {
  const { namespace, name, subresource, rest } = target;
  const misplaced = resource.namespaced ? namespace === undefined && name !== undefined : namespace !== undefined;
  if (misplaced || rest.length > 0) throw noSuchResource();
  if (subresource !== undefined && !isServed(resource, subresource)) throw noSuchResource();
  const needsName = method === 'update' || method === 'patch';
  const needsNone = method === 'create';
  const needsNamespace = resource.namespaced && (method === 'create' || method === 'deletecollection');
  const routed =
    has(resource, method) &&
    !(needsName && name === undefined) &&
    !(needsNone && name !== undefined) &&
    !(needsNamespace && namespace === undefined) &&
    allowsSubresource(method, subresource);
  if (!routed) throw methodNotAllowed();
  if (namespace === '' && method !== 'list' && method !== 'watch') throw badRequest('Namespace parameter required.');
  return { verb: method, subresource };
}

/**
 * All custom resources share one route, which looks at the method later.
 * Undefined: there is nothing at that path. @throws ApiError 400, 404 or 405
 */
function structuralRoute(resource: Resource, target: ResourcePath, asked: Method): Route | undefined {
  const { namespace, name, subresource, rest } = target;
  const reads = asked === 'head' || asked === 'get';
  const method = reads ? (name ? 'get' : 'list') : asked;
  if (!resource.namespaced && namespace) return undefined;
  if (resource.namespaced && !namespace && method !== 'list' && method !== 'watch') return undefined;
  if (subresource !== undefined && (rest.length > 0 || !isServed(resource, subresource))) {
    throw notFound({ resource, name });
  }
  if (!has(resource, method) || !allowsSubresource(method, subresource)) {
    throw methodNotSupported({ resource }, method);
  }
  if (!name && (method === 'update' || method === 'patch')) throw badRequest('name must be provided');
  return { verb: method, subresource };
}

const has = (resource: Resource, method: Method): method is Verb => resource.verbs.some((verb) => verb === method);

const isServed = (resource: Resource, subresource: string): subresource is 'status' | 'scale' | 'finalize' =>
  (subresource === 'status' && resource.statusSubresource) ||
  (subresource === 'scale' && resource.scaleSubresource !== false) ||
  (subresource === 'finalize' && resource.id === 'namespaces');

function allowsSubresource(verb: Verb, subresource: string | undefined): boolean {
  switch (subresource) {
    case undefined:
      return true;
    case 'finalize':
      return verb === 'update';
    default:
      return verb === 'get' || verb === 'update' || verb === 'patch';
  }
}
