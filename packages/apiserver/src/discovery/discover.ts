/** What a server says of what it serves. */
import { createHash } from 'node:crypto';
import type { JsonObject, TransportRequest, TransportResponse } from '@lifeline/core';
import { methodNotAllowed, noSuchResource } from '../api-error.ts';
import { bytesBody } from '../http/body.ts';
import { encode } from '../http/encode.ts';
import { plainJson } from '../http/negotiate.ts';
import { outputForm } from '../http/output-form.ts';
import { respondJson } from '../http/respond.ts';
import { splitUrl } from '../http/split-url.ts';
import type { Server } from '../server-parts.ts';
import { aggregatedType, groupDiscoveryList, wantsAggregated } from './aggregated.ts';
import { type ApiGroup, groupsOf } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { openApi } from './openapi/open-api.ts';

export interface DiscoverOptions {
  /** Of the request, without what the plane lives under. */
  readonly path: string;
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
  { path, query, signal }: DiscoverOptions,
): TransportResponse | undefined {
  const [, root, ...rest] = path.replace(/\/$/, '').split('/');
  if (root === 'openapi' && rest[0] === 'v3') {
    return openApi(groupsOf(server.resources.all), {
      path: rest.slice(1).join('/'),
      hash: query.get('hash'),
      accept: request.headers['accept'],
      basePath: basePathOf(request, path),
      signal,
    });
  }
  if ((root !== 'api' && root !== 'apis') || rest.length > (root === 'api' ? 1 : 2)) return undefined;
  const groups = groupsOf(server.resources.all);
  if (rest.length === 0) {
    const named = groups.filter(({ name }) => (root === 'api') === (name === ''));
    if (wantsAggregated(request.headers['accept'])) return aggregated(request, named, signal);
    return legacy(request, {
      query,
      signal,
      value: root === 'api' ? apiVersions(hostOf(request)) : apiGroupList(named),
    });
  }
  const [groupName, versionName] = root === 'api' ? ['', ...rest] : rest;
  const group = groups.find(({ name }) => name === groupName);
  if (!group) return undefined;
  // What is built in is registered as routes there; CRDs are looked up, whatever the method.
  if (group.builtin && request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
  if (versionName === undefined) return legacy(request, { query, signal, value: apiGroup(group) });
  const version = group.versions.find(({ name }) => name === versionName);
  if (version) return legacy(request, { query, signal, value: apiResourceList(group, version) });
  if (group.builtin) throw noSuchResource();
  return undefined;
}

interface Legacy {
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly value: JsonObject;
}

const legacy = (request: TransportRequest, { query, signal, value }: Legacy): TransportResponse =>
  respondJson({ signal, output: outputForm(request, query, { decoding: 'typed' }) }, value);

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

const basePathOf = ({ url }: TransportRequest, path: string): string => {
  const { path: whole } = splitUrl(url);
  return whole.slice(0, whole.length - path.length);
};
