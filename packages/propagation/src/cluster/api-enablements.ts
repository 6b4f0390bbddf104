/** What a member serves, as its Cluster says it. */
import type { KarmadaCluster } from '@lifeline/core';
import { discover } from '../kinds/discovery.ts';
import type { Plane } from '../runtime/plane.ts';

export type ApiEnablements = NonNullable<NonNullable<KarmadaCluster['status']>['apiEnablements']>;

/** By group and version. @throws when discovery fails */
export async function apiEnablements(plane: Plane, signal: AbortSignal): Promise<ApiEnablements> {
  const byVersion = new Map<string, { name: string; kind: string }[]>();
  for (const { group, version, kind, plural } of await discover(plane, signal)) {
    const groupVersion = group ? `${group}/${version}` : version;
    const resources = byVersion.get(groupVersion) ?? [];
    byVersion.set(groupVersion, resources);
    resources.push({ name: plural, kind });
  }
  return Array.from(byVersion, ([groupVersion, resources]) => ({
    groupVersion,
    resources: resources.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  })).toSorted((a, b) => (a.groupVersion < b.groupVersion ? -1 : 1));
}
