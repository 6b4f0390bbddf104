/** One exchange with a server in process. */
import type { Transport, TransportOptions, TransportRequest, TransportResponse } from '@lifeline/core';
import { ApiError, bodyTooLarge, unauthorized } from '../api-error.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { attributesOf } from '../auth/access-attributes.ts';
import { authorize } from '../auth/authorize.ts';
import { anonymous, systemAdmin } from '../auth/user.ts';
import { discover } from '../discovery/discover.ts';
import { rootPaths } from '../discovery/root-paths.ts';
import { getObject } from '../read/get.ts';
import { listObjects } from '../read/list.ts';
import { watchObjects } from '../read/watch.ts';
import type { Verb } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { createObject } from '../write/create.ts';
import { deleteCollection } from '../write/delete-collection.ts';
import { deleteObject } from '../write/delete.ts';
import { patchObject } from '../write/patch.ts';
import { updateObject } from '../write/update.ts';
import { Warnings, withWarnings } from '../write/warnings.ts';
import { type Answer, answer, notUnderstood, pageNotFound } from './answer.ts';
import { bodyLimit } from './body-limit.ts';
import type { Call, Handler } from './call.ts';
import { decodePath } from './decode-path.ts';
import { errorForm } from './output-form.ts';
import { parseQuery } from './query.ts';
import { resolveCall } from './resolve-call.ts';
import { respondJson } from './respond.ts';
import { splitUrl } from './split-url.ts';
import { isPublicPath, wellKnown } from './well-known.ts';

const handlers: Readonly<Record<Verb, Handler>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

export interface ExchangeOptions {
  readonly basePath: string;
  readonly authenticate: Authenticate;
  /** Who shows no credentials: the administrator in process, nobody over a network. */
  readonly withoutCredentials: 'admin' | 'refused';
  /** A new id for each request. */
  readonly auditId: () => string;
}

/** A transport into the server. Requests are handled in the turn in which they are made. */
export const exchangeWith =
  (server: Server, options: ExchangeOptions): Transport =>
  async (request, { signal, admit }: TransportOptions) => {
    signal.throwIfAborted();
    admit?.();
    const response = handled(server, request, { ...options, signal });
    const headers = {
      'audit-id': request.headers['audit-id'] ?? options.auditId(),
      'cache-control': 'no-cache, private',
      ...response.headers,
    };
    if (request.method !== 'HEAD') return { ...response, headers };
    return { status: response.status, headers, body: answer({ code: 200, type: '', body: '' }, signal).body };
  };

type Exchange = ExchangeOptions & { readonly signal: AbortSignal };

function handled(server: Server, request: TransportRequest, exchange: Exchange): TransportResponse {
  try {
    return handle(server, request, exchange);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, headers, details } = error.spec;
    const retryAfter = details?.retryAfterSeconds;
    const spoken = { signal: exchange.signal, output: errorForm(request) };
    return respondJson(spoken, error.status, {
      code,
      headers: { ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}), ...headers },
    });
  }
}

function handle(
  server: Server,
  request: TransportRequest,
  { basePath, authenticate, withoutCredentials, signal }: Exchange,
): TransportResponse {
  const url = splitUrl(request.url);
  const path = decodePath(url.path.startsWith(basePath) ? url.path.slice(basePath.length) : '');
  if (path === undefined) return answer(notUnderstood, signal);
  const query = parseQuery(url.query);
  const user = authenticate(request) ?? (withoutCredentials === 'admin' ? systemAdmin : anonymous);
  if (server.rbac) authorize(server, user, attributesOf(request, path, query));
  else if (user === anonymous && !isPublicPath(path)) throw unauthorized();
  const call = resolveCall(server, { request, path, query, user, signal, receivedAt: server.clock.now() });
  if (call) {
    if (request.body && request.body.length > bodyLimit) throw bodyTooLarge(bodyLimit);
    return carryOut(server, call);
  }
  const known = path === '/' ? rootPage(server) : wellKnown(request, path, query);
  if (known) return answer(known, signal);
  return discover(server, request, { path, basePath, query, signal }) ?? answer(pageNotFound, signal);
}

/** Versions that are going away say so, whatever is done with them. */
function carryOut(server: Server, call: Call): TransportResponse {
  const handler = handlers[call.verb];
  const { deprecationWarning } = call.version;
  if (deprecationWarning === undefined) return handler(server, call);
  const warnings = new Warnings();
  warnings.add(deprecationWarning);
  const response = withWarnings(warnings, () => handler(server, call));
  return { ...response, headers: warnings.before(response.headers) };
}

function rootPage({ resources }: Server): Answer {
  return { code: 200, type: 'application/json', body: JSON.stringify({ paths: rootPaths(resources.all) }, null, 2) };
}
