/** What the test of the demo finds in the planes itself: by labels, Leases and the record of all writes, never by asking the demo. */
import {
  type Condition,
  Connector,
  findCondition,
  HTTPProxy,
  KarmadaCluster,
  type Kind,
  type KubeObject,
  labels,
  Lease,
  type MonotonicMs,
  monotonicMs,
} from '@lifeline/core';
import type { DemoPlanes, PlaneName, Project } from './planes.ts';
import { verdictOf } from './truths.ts';

export const office = { namespace: 'default', name: 'office' };
export const www = { namespace: 'default', name: 'www' };
export const downstream = ['hub', 'edge-1', 'edge-2'] as const;
export const allShards = [0, 1, 2, 3, 4, 5];

interface CopyPlace {
  readonly plane: PlaneName;
  readonly project: Project;
}

/** The copies of a project's objects, found by what they say about themselves. */
export const copiesOf = <T extends KubeObject>(planes: DemoPlanes, { plane, project }: CopyPlace, kind: Kind<T>): T[] =>
  planes
    .api(plane)
    .objects(kind)
    .filter(({ metadata }) => metadata.labels?.[labels.upstreamCluster] === `cluster-${project}`);

/** Those on the hub and the edges. */
export const everyCopy = <T extends KubeObject>(planes: DemoPlanes, project: Project, kind: Kind<T>): T[] =>
  downstream.flatMap((plane) => copiesOf(planes, { plane, project }, kind));

/** What the planes downstream make of a project's connector. */
export const everyVerdict = (planes: DemoPlanes, project: Project): string[] =>
  everyCopy(planes, project, Connector).map(verdictOf);

export const connectorOf = (planes: DemoPlanes, project: Project): Connector | undefined =>
  planes.api(project).get(Connector, office);

export const readyOf = (planes: DemoPlanes, project: Project): Condition | undefined =>
  findCondition(connectorOf(planes, project)?.status?.conditions, 'Ready');

export const proxyOf = (planes: DemoPlanes, project: Project): HTTPProxy | undefined =>
  planes.api(project).get(HTTPProxy, www);

export const isReadyMember = (planes: DemoPlanes, name: string): boolean =>
  findCondition(planes.api('hub').get(KarmadaCluster, { name })?.status?.conditions, 'Ready')?.status === 'True';

/** Who the Leases of shards name, each once; an empty name stands for nobody. */
export function holdersOf(planes: DemoPlanes, shards: readonly number[]): string[] {
  const leaseOf = (shard: number): Lease | undefined =>
    planes.api('hub').get(Lease, { namespace: 'lifeline-truth', name: `hub-replicator-shard-${shard}` });
  return [...new Set(shards.map((shard) => leaseOf(shard)?.spec?.holderIdentity ?? ''))];
}

/** When one of these objects was last written. */
export function lastWrite(planes: DemoPlanes, objects: readonly KubeObject[]): MonotonicMs {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const last = planes.world.audit.writes.findLast(({ revision }) => uids.has(revision.object.metadata.uid));
  return last?.at ?? monotonicMs(Infinity);
}
