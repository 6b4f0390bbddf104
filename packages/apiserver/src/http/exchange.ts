/** One exchange with a server in process. */
import type { Transport, TransportRequest, TransportResponse } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import { authorize } from '../auth/authorize.ts';
import { systemAdmin } from '../auth/user.ts';
import { discover } from '../discovery/discover.ts';
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
import { bytesBody } from './body.ts';
import type { Handler } from './call.ts';
import { plainJson } from './negotiate.ts';
import { resolveCall } from './resolve-call.ts';
import { respondJson } from './respond.ts';

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
  readonly rbac: boolean;
}

/** A transport into the server. Requests are handled in the turn in which they are made. */
export const exchangeWith =
  (server: Server, options: ExchangeOptions): Transport =>
  async (request, { signal, admit }) => {
    signal.throwIfAborted();
    admit?.();
    try {
      return handle(server, request, { ...options, signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, headers } = error.spec;
      return respondJson({ signal, output: plainJson }, error.status, { code, headers });
    }
  };

function handle(
  server: Server,
  request: TransportRequest,
  { basePath, rbac, signal }: ExchangeOptions & { readonly signal: AbortSignal },
): TransportResponse {
  const { pathname, searchParams: query } = new URL(request.url);
  if (!pathname.startsWith(basePath)) return pageNotFound(signal);
  const path = pathname.slice(basePath.length);
  const user = systemAdmin;
  const call = resolveCall(server, { request, path, query, user, signal, output: plainJson });
  if (call) {
    if (rbac) authorize(server, call);
    return handlers[call.verb](server, call);
  }
  return discover(server, request, path) ?? pageNotFound(signal);
}

const notFoundText = new TextEncoder().encode('404 page not found\n');

const pageNotFound = (signal: AbortSignal): TransportResponse => ({
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: bytesBody(notFoundText, signal),
});
