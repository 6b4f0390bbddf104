/** `/openapi/v3` and below. */
import { stringifyJson, type TransportResponse } from '@lifeline/core';
import { answer } from '../../http/answer.ts';
import { bytesBody } from '../../http/body.ts';
import type { ApiGroup } from '../groups.ts';
import { type OpenApiDocument, openApiDocument } from './documents.ts';

export interface OpenApiRequest {
  /** Below `/openapi/v3/`; undefined for the index. */
  readonly path: string | undefined;
  /** Of a document that the client knows. */
  readonly hash: string | null;
  readonly accept: string | undefined;
  /** What the plane lives under: kubectl takes the paths of the index as they are. */
  readonly basePath: string;
  readonly signal: AbortSignal;
}

/**
 * Documents are JSON only: kubectl asks for nothing else. There is no `/openapi/v2`: kubectl turns to it where a version 3 document lacks
 * what it looks for, takes it in protobuf only, and fails; a document without these gaps is the better answer.
 */
export function openApi(groups: readonly ApiGroup[], request: OpenApiRequest): TransportResponse {
  const { path, hash, accept, basePath, signal } = request;
  const documents = groups.flatMap((group) => group.versions.map((version) => openApiDocument(group, version)));
  const urlOf = (document: OpenApiDocument): string => `${basePath}/openapi/v3/${document.path}?hash=${document.hash}`;
  if (path === undefined) {
    const paths = Object.fromEntries(
      documents.map((document) => [document.path, { serverRelativeURL: urlOf(document) }]),
    );
    return answer({ code: 200, type: 'text/plain; charset=utf-8', body: stringifyJson({ paths }) }, signal);
  }
  const document = documents.find((each) => each.path === path);
  if (!document) return { status: 404, headers: {}, body: bytesBody(empty, signal) };
  const headers = { etag: `"${document.hash}"`, vary: 'Accept' };
  if (!takesJson(accept)) return { status: 406, headers: { vary: 'Accept' }, body: bytesBody(empty, signal) };
  if (hash !== null && hash !== document.hash) {
    return { status: 301, headers: { ...headers, location: urlOf(document) }, body: bytesBody(empty, signal) };
  }
  const bytes = document.bytes();
  return {
    status: 200,
    headers: {
      ...headers,
      ...(hash === null ? {} : { 'cache-control': 'public, immutable' }),
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    },
    body: bytesBody(bytes, signal),
  };
}

const empty = new Uint8Array();

const takesJson = (accept: string | undefined): boolean =>
  !accept ||
  accept.split(',').some((clause) => /^\s*(?:application\/json|application\/\*|\*\/\*)\s*(?:;|$)/.test(clause));
