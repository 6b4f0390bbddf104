/** What an API server says about the kinds that it serves. */
import type { Kind } from '@lifeline/core';

export interface ServedKind {
  readonly kind: Kind;
  /** Preferred first. */
  readonly versions: readonly string[];
}

/** The document at a path: `/api`, `/apis`, `/apis/<group>`, and the resource lists below. Undefined where there is none. */
export function discover(path: string, served: readonly ServedKind[]): object | undefined {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  const groups = [...new Set(served.map(({ kind }) => kind.group))].filter((group) => group !== '');
  if (path === '/apis') {
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => groupDocument(group, served)) };
  }
  const match = /^\/(?:api|apis\/([^/]+))(?:\/([^/]+))?$/.exec(path);
  if (!match) return undefined;
  const [, group = '', version] = match;
  if (version !== undefined) return resourceList(group, version, served);
  return groups.includes(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group, served) } : undefined;
}

function groupDocument(group: string, served: readonly ServedKind[]): object {
  const versions = new Set(served.flatMap(({ kind, versions }) => (kind.group === group ? versions : [])));
  const documents = [...versions].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: documents, preferredVersion: documents[0] };
}

function resourceList(group: string, version: string, served: readonly ServedKind[]): object | undefined {
  const here = served.filter(({ kind, versions }) => kind.group === group && versions.includes(version));
  if (here.length === 0 && (group !== '' || version !== 'v1')) return undefined;
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  const resources = here.flatMap(({ kind: { plural, kind, scope, shortNames, statusSubresource } }) => {
    const resource = { name: plural, singularName: '', kind, namespaced: scope === 'Namespaced', verbs, shortNames };
    const status = { ...resource, name: `${plural}/status`, verbs: ['get', 'patch', 'update'] };
    return statusSubresource ? [resource, status] : [resource];
  });
  const groupVersion = group ? `${group}/${version}` : version;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}
