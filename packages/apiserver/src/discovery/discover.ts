/** What a server says of what it serves. */
import { createHash } from 'node:crypto';
import type { JsonObject, TransportRequest, TransportResponse } from '@lifeline/core';
import { methodNotAllowed, noSuchResource } from '../api-error.ts';
import { bytesBody } from '../http/body.ts';
import { encode } from '../http/encode.ts';
import { plainJson } from '../http/negotiate.ts';
import { outputForm } from '../http/output-form.ts';
import { withoutEnd } from '../http/resource-path.ts';
import { respondJson } from '../http/respond.ts';
import type { Server } from '../server-parts.ts';
import { aggregatedType, groupDiscoveryList, wantsAggregated } from './aggregated.ts';
import { type ApiGroup, groupsOf } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { openApi } from './openapi/open-api.ts';

export interface DiscoverOptions {
  /** Of the request: decoded, without what the plane lives under. */
  readonly path: string;
  readonly basePath: string;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

/**
 * `/api`, `/apis`, `/api/v1`, `/apis/GROUP[/VERSION]`, `/openapi/v3[/…]`. Undefined for every other path.
 * @throws ApiError 404, 405, 406
 */
export function discover(
  server: Server,
  request: TransportRequest,
  { path, basePath, query, signal }: DiscoverOptions,
): TransportResponse | undefined {
  const openApiPath = /^\/openapi\/v3(?:\/(.*))?$/.exec(path);
  if (openApiPath) {
    return openApi(groupsOf(server.resources.all), {
      path: openApiPath[1],
      hash: query.get('hash'),
      accept: request.headers['accept'],
      basePath,
      signal,
    });
  }
  const [before, root, ...rest] = withoutEnd(path).split('/');
  if (before !== '' || path.startsWith('/apis//')) return undefined;
  if ((root !== 'api' && root !== 'apis') || rest.length > (root === 'api' ? 1 : 2)) return undefined;
  const groups = groupsOf(server.resources.all);
  // What is built in is registered as routes there, which take GET alone; the rest is looked up, whatever the method.
  const isRoute = root === 'api' || (rest.length > 1 && isBuiltin(groups, rest[0]));
  if (rest.length === 0) {
    if (isRoute) takesGet(request);
    const named = groups.filter(({ name }) => (root === 'api') === (name === ''));
    if (wantsAggregated(request.headers['accept'])) return aggregated(request, named, signal);
    return legacy(request, {
      query,
      signal,
      isRoute,
      value: root === 'api' ? apiVersions(hostOf(request)) : apiGroupList(named),
    });
  }
  const [groupName, versionName] = root === 'api' ? ['', ...rest] : rest;
  const group = groups.find(({ name }) => name === groupName);
  if (!group) return undefined;
  if (versionName === undefined) return legacy(request, { query, signal, isRoute, value: apiGroup(group) });
  const version = group.versions.find(({ name }) => name === versionName);
  if (!version && group.builtin) throw noSuchResource();
  if (!version) return undefined;
  if (isRoute) takesGet(request);
  return legacy(request, { query, signal, isRoute, value: apiResourceList(group, version) });
}

const isBuiltin = (groups: readonly ApiGroup[], wanted: string | undefined): boolean =>
  groups.some(({ name, builtin }) => name === wanted && builtin);

/** HEAD is not among the methods of a route. @throws ApiError 405 */
function takesGet({ method }: TransportRequest): void {
  if (method !== 'GET') throw methodNotAllowed();
}

interface Legacy {
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly isRoute: boolean;
  readonly value: JsonObject;
}

const legacy = (request: TransportRequest, { query, signal, isRoute, value }: Legacy): TransportResponse =>
  respondJson({ signal, output: outputForm(request, query, { decoding: isRoute ? 'typed' : 'structural' }) }, value);

/** Clients keep it, and ask again with its tag. */
function aggregated(request: TransportRequest, groups: readonly ApiGroup[], signal: AbortSignal): TransportResponse {
  const bytes = encode(groupDiscoveryList(groups), plainJson);
  const etag = `"${createHash('sha256').update(bytes).digest('hex').toUpperCase()}"`;
  const headers = { 'cache-control': 'public', etag, vary: 'Accept' };
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag);
  if (known) return { status: 304, headers, body: bytesBody(new Uint8Array(), signal) };
  return {
    status: 200,
    headers: { ...headers, 'content-type': aggregatedType, 'content-length': String(bytes.length) },
    body: bytesBody(bytes, signal),
  };
}

const hostOf = ({ url }: TransportRequest): string => /^[^:]+:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
