/** Where a kind and its objects live on an API server. */
import type { Kind, ObjectName } from '@lifeline/core';
import { KubeError } from './kube-error.ts';

export interface ResourcePath {
  readonly kind: Kind;
  /** The version to speak, one of the kind's. */
  readonly version: string;
  readonly namespace?: string | undefined;
  readonly subresource?: 'status' | undefined;
}

/** The collection: in one namespace, or in all. @throws KubeError `invalid` */
export function collectionPath({ kind, version, namespace }: ResourcePath): string {
  const { group, plural, scope, id } = kind;
  if (namespace !== undefined && scope === 'Cluster') throw invalid(`${id} has no namespaces`);
  const within = namespace === undefined ? '' : `/namespaces/${segment(namespace, 'namespace')}`;
  return `${group ? `/apis/${group}` : '/api'}/${version}${within}/${plural}`;
}

/**
 * One object, or a subresource of it.
 *
 * Guarantees: never the path of a collection or of another object, whatever the name holds.
 * @throws KubeError `invalid`
 */
export function objectPath(where: ResourcePath, name: string): string {
  const { kind, namespace, subresource } = where;
  if (kind.scope === 'Namespaced' && namespace === undefined) throw invalid(`${kind.id} ${name} needs a namespace`);
  return `${collectionPath(where)}/${segment(name, 'name')}${subresource ? `/${subresource}` : ''}`;
}

export const apiVersionOf = ({ group }: Kind, version: string): string => (group ? `${group}/${version}` : version);

/** `gadgets.example.dev default/a`, for messages. */
export const describeObject = ({ plural, group }: Kind, { namespace, name }: ObjectName): string =>
  `${plural}${group && `.${group}`} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** `?a=1&b=2`; what is undefined is left out. */
export function queryText(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/**
 * What no server takes as a name, and what would lead to another path if it were sent.
 * @see kubernetes/kubernetes@v1.34.0 staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go
 */
function segment(name: string, what: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) {
    throw invalid(`${JSON.stringify(name)} cannot be a ${what}`);
  }
  return encodeURIComponent(name);
}

const invalid = (message: string): KubeError => new KubeError('invalid', message);
