/** Which kinds each plane serves beside Kubernetes' own. `docs/planes.md` shows the same table; a test compares them. */
import { type Kind, platformKinds, thirdPartyKinds } from '@lifeline/core';

export type PlaneRole = 'management' | 'project' | 'hub' | 'edge' | 'cell';

const groupsOf: Readonly<Record<PlaneRole, readonly string[]>> = {
  management: ['resourcemanager.miloapis.com', 'infrastructure.miloapis.com'],
  project: [
    'networking.datumapis.com',
    'compute.datumapis.com',
    'quota.miloapis.com',
    'gateway.networking.k8s.io',
    'gateway.envoyproxy.io',
  ],
  hub: [
    'networking.datumapis.com',
    'compute.datumapis.com',
    'quota.miloapis.com',
    'gateway.networking.k8s.io',
    'gateway.envoyproxy.io',
    'cluster.karmada.io',
    'policy.karmada.io',
    'work.karmada.io',
    'config.karmada.io',
  ],
  edge: ['networking.datumapis.com', 'gateway.networking.k8s.io', 'gateway.envoyproxy.io'],
  cell: ['networking.datumapis.com', 'compute.datumapis.com', 'quota.miloapis.com'],
};

/** API groups whose CustomResourceDefinitions a plane of this role has, in the order of the table. */
export const groupsOfRole = (role: PlaneRole): readonly string[] => groupsOf[role];

/** The kinds of those groups. */
export const kindsOfRole = (role: PlaneRole): readonly Kind[] =>
  [...platformKinds, ...thirdPartyKinds].filter(({ group }) => groupsOf[role].includes(group));
