/** What somebody asks to do. */
import type { TransportRequest } from '@lifeline/core';
import { parseResourcePath } from '../http/resource-path.ts';
import { queryFlag } from '../http/query.ts';
import { onlyNameIn } from '../read/field-selector.ts';

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Plural. */
  readonly resource: string;
  readonly subresource: string;
  /** `''`: of all namespaces, or cluster-scoped. */
  readonly namespace: string;
  /** `''`: not about one object. */
  readonly name: string;
}

/** Of what is no resource: discovery, health, metrics. The verb is the method in small letters. */
export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export type AccessAttributes = ResourceAttributes | PathAttributes;

/**
 * What a request asks for, whether or not there is such a thing.
 * @param path decoded, without the base path and the query
 * @see kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go
 */
export function attributesOf(
  { method }: Pick<TransportRequest, 'method'>,
  path: string,
  query: URLSearchParams,
): AccessAttributes {
  const target = parseResourcePath(path);
  if (!target) return { verb: method.toLowerCase(), path };
  const { group, version, plural, subresource = '', watch } = target;
  const name = target.name || undefined;
  const isNamespace = plural === 'namespaces' && group === '';
  const namespace = target.namespace ?? (isNamespace ? (name ?? '') : '');
  const about = { group, version, resource: plural, subresource, namespace };
  const verb = watch ? 'watch' : verbOf(method, query, name !== undefined);
  const asksForMany = name === undefined && (verb === 'list' || verb === 'watch' || verb === 'deletecollection');
  return { ...about, verb, name: name ?? (asksForMany ? (onlyNameIn(query.get('fieldSelector')) ?? '') : '') };
}

function verbOf(method: string, query: URLSearchParams, isNamed: boolean): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isNamed) return 'get';
      return queryFlag(query, 'watch') ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return isNamed ? 'delete' : 'deletecollection';
    default:
      return '';
  }
}
