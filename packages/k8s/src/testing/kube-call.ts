/** A request to an API server, understood: paths and headers in, verb and kind out; and answers the other way. */
import {
  bodyOf,
  type KubeObject,
  parseJsonBytes,
  stringifyJson,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import type { ServedKind } from './discovery-documents.ts';
import { Refusal } from './refusal.ts';
import type { WriteCall } from './write-rules.ts';

/** `name` is undefined for what concerns many, and for creates. */
export interface ScriptedCall extends Omit<WriteCall, 'verb'> {
  readonly verb: 'get' | 'list' | 'watch' | WriteCall['verb'];
  /** The version in which the client speaks. */
  readonly apiVersion: string;
  /** Field manager, else the user agent up to its slash. */
  readonly who: string;
}

/** Group, version, namespace, plural, name, subresource. `namespaces/x/status` is about the Namespace x. */
const resourcePath =
  /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/(?!status$)))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;

/** Undefined when nothing is served at this path. @throws Refusal for what no kind takes */
export function callOf(
  { method, headers, body }: TransportRequest,
  { path, query }: { path: string; query: URLSearchParams },
  served: readonly ServedKind[],
): ScriptedCall | undefined {
  const [, group = '', version = '', namespace, plural, name, subresource] = resourcePath.exec(path) ?? [];
  const found = served.find(({ kind, versions }) => {
    return kind.group === group && kind.plural === plural && versions.includes(version);
  });
  if (!found || (subresource !== undefined && !(subresource === 'status' && found.kind.statusSubresource))) {
    return undefined;
  }
  return {
    verb: verbOf(method, headers['content-type'], { name, query }),
    kind: found.kind,
    apiVersion: group ? `${group}/${version}` : version,
    namespace,
    name,
    subresource,
    query,
    headers,
    body: body && parseJsonBytes(body),
    who: query.get('fieldManager') ?? (headers['user-agent'] ?? 'unknown').replace(/\/.*/, ''),
  };
}

function verbOf(
  method: string,
  contentType: string | undefined,
  { name, query }: { name: string | undefined; query: URLSearchParams },
): ScriptedCall['verb'] {
  switch (method) {
    case 'GET':
      return query.get('watch') === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'DELETE':
      return 'delete';
    case 'PATCH':
      if (contentType === 'application/apply-patch+yaml') return 'apply';
      if (contentType === 'application/merge-patch+json' || contentType === 'application/json-patch+json')
        return 'patch';
      throw new Refusal({ code: 415, reason: 'UnsupportedMediaType', message: `no patches of type ${contentType}` });
    default:
      throw new Refusal({ code: 405, reason: 'MethodNotAllowed', message: `${method} is not supported` });
  }
}

const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };

const isMetadataOnly = ({ headers }: ScriptedCall): boolean =>
  headers['accept']?.includes('as=PartialObjectMetadata') ?? false;

/** What the answer calls its objects. */
export const typeOf = (call: ScriptedCall): { readonly apiVersion: string; readonly kind: string } =>
  isMetadataOnly(call) ? partial : { apiVersion: call.apiVersion, kind: call.kind.kind };

/** Objects as the client wants them: in its version, or only their metadata. */
export const shapeOf =
  (call: ScriptedCall) =>
  (object: KubeObject): KubeObject =>
    isMetadataOnly(call) ? { ...partial, metadata: object.metadata } : { ...object, apiVersion: call.apiVersion };

const utf8 = new TextEncoder();

export const jsonAnswer = (status: number, value: object, headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: bodyOf(utf8.encode(stringifyJson(value))),
});

/** How an API server says that nothing is served at a path. */
export const noSuchPath = (): TransportResponse => ({
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: bodyOf(utf8.encode('404 page not found\n')),
});
