/** What the planes and the replicas show to whoever looks, with time standing still. */
import { Backend, type Condition, Connector, HTTPProxy } from '@lifeline/core';
import type { Served } from '@lifeline/sim';
import type { Arrived, Routed, Share } from './moment.ts';
import {
  backend,
  connector,
  type DemoPlanes,
  type Downstream,
  type Edge,
  type Project,
  projects,
  proxy,
  type Replica,
  shardOfProject,
  shards,
  type Write,
} from './planes.ts';
import { verdictOf } from './truths.ts';

/** What a project says of its connector. */
export const readyIn = ({ platform }: DemoPlanes, project: Project): Condition | undefined =>
  platform.ready(project, connector.name);

/** The copy of a project's connector. */
export const copyIn = ({ platform }: DemoPlanes, project: Project, plane: Downstream): Connector | undefined =>
  platform.copy(Connector, project, { name: connector.name, plane });

/** What a plane makes of it. */
export const verdictIn = (planes: DemoPlanes, project: Project, plane: Downstream): string =>
  verdictOf(copyIn(planes, project, plane));

/** What the copies of a project's proxy and of its Backend say; nothing while they are not there. */
export function proxyIn({ platform }: DemoPlanes, project: Project, plane: Downstream): Arrived {
  const copy = platform.copy(HTTPProxy, project, { name: proxy.name, plane });
  const made = platform.copy(Backend, project, { name: backend.name, plane });
  const hostname = copy?.spec.hostnames?.[0] ?? '';
  return { plane, project, hostname, backend: made?.spec.endpoints?.[0]?.fqdn?.hostname ?? '' };
}

/** What a client of the host of a project's proxy gets at an edge. */
export function routeIn({ platform }: DemoPlanes, project: Project, edge: Edge): Routed {
  const key = `${platform.mapped(project)}/${proxy.name}`;
  const hostname = platform.copy(HTTPProxy, project, { name: proxy.name, plane: edge })?.spec.hostnames?.[0] ?? '';
  const served = platform.envoyGateway(edge).envoy(key).serve(hostname);
  return { edge, project, hostname, route: routeText(served) };
}

function routeText(served: Served): string {
  if ('cluster' in served) {
    const { tunnel } = served;
    return tunnel ? `tunnel to ${tunnel.nodeId.slice(0, 6)}` : 'no tunnel';
  }
  return 'body' in served ? `${served.status} ${served.body}` : `${served.status}`;
}

/** Of the writes since, how many are such. */
export const writesSince = ({ world }: DemoPlanes, mark: number, isSuch: (write: Write) => boolean): number =>
  world.audit.writes.slice(mark).filter(isSuch).length;

/** What a replica looks after, as it says itself. */
export async function shareOf(planes: DemoPlanes, replica: Replica): Promise<Share> {
  const held = await planes.shardsOf(replica);
  return { replica, shards: held, projects: projects.filter((project) => held.includes(shardOfProject(project))) };
}

/** Whether these replicas hold all shards together, as the Leases and they themselves say. */
export async function areHeld(planes: DemoPlanes, among: readonly Replica[]): Promise<boolean> {
  if (planes.shardHolders().includes(undefined)) return false;
  const held = await Promise.all(among.map((replica) => planes.shardsOf(replica)));
  return new Set(held.flat()).size === shards.count;
}

/** The replica that looks after a project. @throws Error when it is not one */
export async function replicaOf(planes: DemoPlanes, project: Project): Promise<Replica> {
  const shares = await Promise.all(planes.running.map((replica) => shareOf(planes, replica)));
  const [share, ...others] = shares.filter((each) => each.projects.includes(project));
  if (!share || others.length > 0) throw new Error(`there is not one replica that looks after ${project}`);
  return share.replica;
}
