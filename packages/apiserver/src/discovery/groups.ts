/** What is served, by group and version, in the order in which a real server tells it. */
import type { Resource, Verb } from '../resources/resource.ts';
import { compareVersions } from '../resources/crd/version-order.ts';

export interface ApiGroup {
  /** `''` for the core group. */
  readonly name: string;
  readonly builtin: boolean;
  /** Preferred first. */
  readonly versions: readonly ApiVersion[];
}

export interface ApiVersion {
  readonly name: string;
  /** By plural. */
  readonly resources: readonly Resource[];
}

/** Groups of Kubernetes by their priority. @see kubernetes/kubernetes@v1.36.3 pkg/controlplane/apiserver/aggregator.go */
const priority = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
];

/** Built-in groups by priority, then those of CRDs by name. */
export function groupsOf(resources: Iterable<Resource>): readonly ApiGroup[] {
  const byName = new Map<string, Resource[]>();
  for (const resource of resources) {
    const group = byName.get(resource.group);
    if (group) group.push(resource);
    else byName.set(resource.group, [resource]);
  }
  return [...byName].map(([name, members]) => groupOf(name, members)).sort(byRank);
}

const rankOf = ({ name, builtin }: ApiGroup): number => {
  const rank = builtin ? priority.indexOf(name) : -1;
  return rank < 0 ? priority.length : rank;
};

const byRank = (a: ApiGroup, b: ApiGroup): number => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1);

function groupOf(name: string, resources: readonly Resource[]): ApiGroup {
  const versions = [...new Set(resources.flatMap((resource) => resource.versions.map((version) => version.name)))];
  return {
    name,
    builtin: resources.some(({ decoding }) => decoding === 'typed'),
    versions: versions.sort(compareVersions).map((version) => ({
      name: version,
      resources: resources
        .filter((resource) => resource.versions.some((each) => each.name === version))
        .sort((a, b) => (a.plural < b.plural ? -1 : 1)),
    })),
  };
}

/** What clients are told to be possible: while a definition goes, nothing is made or changed any more. */
export const toldVerbs = ({ verbs, terminating }: Resource): readonly Verb[] =>
  terminating ? verbs.filter((verb) => verb !== 'create' && verb !== 'update' && verb !== 'patch') : verbs;

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Where the kind is from. Undefined: the resource's own group and version. */
  readonly from?: { readonly group: string; readonly version: string } | undefined;
  readonly verbs: readonly Verb[];
}

/** Built-in ones by name; of CRDs the status comes first. */
export function subresourcesOf(resource: Resource): readonly Subresource[] {
  const { kind, statusSubresource, scaleSubresource, decoding, id } = resource;
  const verbs = ['get', 'patch', 'update'] as const;
  const status = statusSubresource ? [{ name: 'status', kind, verbs }] : [];
  const scale = scaleSubresource
    ? [{ name: 'scale', kind: 'Scale', from: { group: 'autoscaling', version: 'v1' }, verbs }]
    : [];
  if (decoding === 'structural') return [...status, ...scale];
  const finalize = id === 'namespaces' ? [{ name: 'finalize', kind, verbs: ['update'] as const }] : [];
  return [...finalize, ...scale, ...status];
}
