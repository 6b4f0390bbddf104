/** Discovery one group and version at a time. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@lifeline/core';
import { apiVersionOf, type Resource } from '../resources/resource.ts';
import { type ApiGroup, type ApiVersion, subresourcesOf, toldVerbs } from './groups.ts';

/** `/api` @param host of the server, as the client called it */
export const apiVersions = (host: string): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
});

/** `/apis` */
export const apiGroupList = (groups: readonly ApiGroup[]): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [
    ...groups.filter(({ name, builtin }) => builtin && name !== ''),
    ...groups.filter(({ builtin }) => !builtin).sort((a, b) => (firstService(a) < firstService(b) ? -1 : 1)),
  ].map(groupFields),
});

/** A real server orders the groups of CRDs by the names of what serves their versions: `v1.example.com`. */
const firstService = ({ name, versions }: ApiGroup): string =>
  versions.map((version) => `${version.name}.${name}`).sort()[0] ?? '';

/** `/apis/GROUP` */
export const apiGroup = (group: ApiGroup): JsonObject => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...groupFields(group),
});

function groupFields({ name, versions }: ApiGroup): JsonObject {
  const told = versions.map(({ name: version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: told, preferredVersion: told[0] };
}

/** `/apis/GROUP/VERSION`, `/api/v1` */
export const apiResourceList = (group: ApiGroup, version: ApiVersion): JsonObject => ({
  kind: 'APIResourceList',
  ...(group.name === '' ? {} : { apiVersion: 'v1' }),
  groupVersion: apiVersionOf({ group: group.name }, version.name),
  resources: version.resources.flatMap((resource) => [resourceFields(resource), ...subresourceFields(resource)]),
});

function resourceFields(resource: Resource): JsonObject {
  const { plural, singular, namespaced, kind, shortNames, categories, verbs } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: toldVerbs(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(verbs.includes('list') ? { storageVersionHash: storageVersionHash(resource) } : {}),
  };
}

const subresourceFields = (resource: Resource): readonly JsonObject[] =>
  subresourcesOf(resource).map(({ name, kind, from, verbs }) => ({
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...from,
    kind,
    verbs,
  }));

/** @see kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/storageversionhash.go */
const storageVersionHash = ({ group, storageVersion, kind }: Resource): string =>
  createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest().subarray(0, 8).toString('base64');
