/** Discovery of everything at once. */
import type { JsonObject } from '@lifeline/core';
import type { Resource } from '../resources/resource.ts';
import { type ApiGroup, type ApiVersion, subresourcesOf, toldVerbs } from './groups.ts';

export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Whether a client takes {@link aggregatedType}. The beta form of it is no longer served by v1.36. */
export const wantsAggregated = (accept: string | undefined): boolean =>
  accept?.split(',').some((clause) => {
    const [type, ...parameters] = clause.split(';').map((part) => part.trim());
    return (
      type === 'application/json' &&
      ['g=apidiscovery.k8s.io', 'v=v2', 'as=APIGroupDiscoveryList'].every((each) => parameters.includes(each))
    );
  }) ?? false;

/** `/api` with the core group alone, `/apis` with the others. */
export const groupDiscoveryList = (groups: readonly ApiGroup[]): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map((group) => ({
    metadata: group.name === '' ? {} : { name: group.name },
    versions: group.versions.map((version) => versionDiscovery(version)),
  })),
});

const versionDiscovery = (version: ApiVersion): JsonObject => ({
  version: version.name,
  resources: version.resources.map((resource) => resourceDiscovery(resource, version.name)),
  freshness: 'Current',
});

function resourceDiscovery(resource: Resource, version: string): JsonObject {
  const { plural, singular, namespaced, kind, shortNames, categories, decoding, group } = resource;
  // Built-in kinds are told without their group and version: clients know where they asked.
  const own = decoding === 'typed' ? { group: '', version: '' } : { group, version };
  const subresources = subresourcesOf(resource).map(({ name, kind: responseKind, from = own, verbs }) => ({
    subresource: name,
    responseKind: { ...from, kind: responseKind },
    verbs,
  }));
  return {
    resource: plural,
    responseKind: { ...own, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: toldVerbs(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
