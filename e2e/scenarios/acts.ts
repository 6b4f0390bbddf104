/** What all scenarios do. */
import {
  Connector,
  type DurationMs,
  type EpochMs,
  epochMsOf,
  findCondition,
  HTTPProxy,
  Lease,
  type ObjectName,
  parseTime,
} from '@lifeline/core';
import { type Answer, type Site, type Stage, type TunnelEnd } from './stage.ts';

export const connectorClassName = 'tunnels';
/** Where private services are, behind their tunnels. */
export const target = 'app.internal:8080';
/** One that speaks TLS, with a certificate of that name. */
export const secureTarget = 'vault.internal.test:8443';

export interface BackendOptions {
  /** Default `http://app.internal:8080`. */
  readonly endpoint?: string | undefined;
  readonly connector?: string | undefined;
  readonly tls?: { readonly hostname: string } | undefined;
}

/** A Connector that an agent may come for. */
export async function makeConnector(
  stage: Stage,
  project: string,
  place: ObjectName & { readonly namespace: string },
): Promise<TunnelEnd> {
  await stage.create(project, Connector, { metadata: place, spec: { connectorClassName } });
  return { project, namespace: place.namespace, name: place.name, nodeId: stage.nodeId() };
}

export const proxySpec = (hostname: string, ...backends: readonly BackendOptions[]): object => ({
  hostnames: [hostname],
  rules: [
    {
      backends: backends.map(({ endpoint = `http://${target}`, connector, tls }) => ({
        endpoint,
        ...(connector && { connector: { name: connector } }),
        ...(tls && { tls }),
      })),
    },
  ],
});

/** An HTTPProxy with a hostname of its own. */
export async function makeSite(
  stage: Stage,
  place: { readonly project: string; readonly namespace: string; readonly name: string; readonly hostname?: string },
  ...backends: readonly BackendOptions[]
): Promise<Site> {
  const { project, namespace, name, hostname = `${name}.${namespace}.test` } = place;
  await stage.create(project, HTTPProxy, { metadata: { namespace, name }, spec: proxySpec(hostname, ...backends) });
  return { project, namespace, name, hostname };
}

export const offline: Answer = { status: 503, body: 'Tunnel not online', retryAfter: '5' };

export const isOffline = ({ status, body, retryAfter }: Answer): boolean =>
  status === offline.status && body === offline.body && retryAfter === offline.retryAfter;

export interface Asked {
  /** Default `/a/page`. */
  readonly path?: string;
  /** Default a minute. */
  readonly limitMs?: DurationMs | undefined;
  /** Default all. */
  readonly edges?: readonly string[] | undefined;
}

/** Every edge answers through the tunnel to this node, byte for byte. Gives how long it took. */
export const untilThrough = (
  stage: Stage,
  site: Site,
  { nodeId, path = '/a/page', limitMs, edges }: Pick<TunnelEnd, 'nodeId'> & Asked,
): Promise<DurationMs> =>
  everywhere(stage, `${site.hostname} leads into the tunnel to ${nodeId.slice(0, 8)}`, {
    holds: async (edge) => {
      const { status, body } = await stage.ask(edge, site, path);
      return status === 200 && body === stage.bodyOf(nodeId, path);
    },
    limitMs,
    edges,
  });

/**
 * It leads into the tunnel still: no edge calls it offline meanwhile, unless its agent was kept from renewing for a lease.
 *
 * @param end and since when it has led there
 */
export const isThrough = (
  stage: Stage,
  site: Site,
  { since, path = '/a/page', ...end }: TunnelEnd & { readonly since: EpochMs; readonly path?: string },
): Promise<DurationMs> =>
  everywhere(stage, `${site.hostname} leads into the tunnel to ${end.nodeId.slice(0, 8)} still`, {
    holds: async (edge) => {
      const answer = await stage.ask(edge, site, path);
      if (isOffline(answer) && !(await hasLapsed(stage, end, since)))
        throw new Error(`${site.hostname} is offline at ${edge}, and its connector has been ready all the time`);
      return answer.status === 200 && answer.body === stage.bodyOf(end.nodeId, path);
    },
  });

/** Whether it was not ready at some time since then. */
async function hasLapsed(stage: Stage, end: TunnelEnd, since: EpochMs): Promise<boolean> {
  const { status } = (await stage.seen(end.project, Connector, end)) ?? {};
  const changed = parseTime(findCondition(status?.conditions, 'Ready')?.lastTransitionTime);
  return changed !== undefined && epochMsOf(changed) > since;
}

/** The latest that a tunnel is known to be gone, from the last renewal of its Lease. */
export const goneWithin = ({ leaseMs }: Stage): DurationMs => 1.1 * leaseMs + 2_000;

/**
 * Its agent has fallen silent: waits until every edge says so. Gives how long that took from the last renewal of its Lease, which is never less
 * than the Lease's duration.
 */
export async function untilGone(stage: Stage, site: Site, end: TunnelEnd): Promise<DurationMs> {
  await untilOffline(stage, site);
  const at = stage.wall();
  const lease = await stage.seen(end.project, Lease, end);
  const renewed = parseTime(lease?.spec?.renewTime);
  if (renewed === undefined) throw new Error(`nobody has ever renewed the Lease of ${end.name}`);
  const tookMs = at - epochMsOf(renewed);
  if (tookMs < stage.leaseMs) throw new Error(`${end.name} was offline ${tookMs} ms after it was renewed`);
  return tookMs;
}

/** Every edge says that the tunnel is not online, in the words of the contract. */
export const untilOffline = (
  stage: Stage,
  site: Site,
  { limitMs, edges }: Omit<Asked, 'path'> = {},
): Promise<DurationMs> =>
  everywhere(stage, `${site.hostname} is offline`, {
    holds: async (edge) => isOffline(await stage.ask(edge, site)),
    limitMs,
    edges,
  });

export async function everywhere(
  stage: Stage,
  what: string,
  {
    holds,
    limitMs,
    edges = stage.edges,
  }: {
    readonly holds: (edge: string) => Promise<boolean>;
    readonly limitMs?: DurationMs | undefined;
    readonly edges?: readonly string[] | undefined;
  },
): Promise<DurationMs> {
  const from = stage.now();
  await Promise.all(edges.map((edge) => stage.until(`${what}, at ${edge}`, () => holds(edge), limitMs)));
  return stage.now() - from;
}
