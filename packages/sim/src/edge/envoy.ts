/** What Envoys run: the last answer of each kind that they took. */
import { edgeDefaults, isJsonObject, metadataNamespaces, tunnelKeys } from '@lifeline/core';
import {
  type Cluster,
  type DirectResponse,
  type Route,
  type RouteConfiguration,
  targetsOf,
  virtualHostsOf,
  type XdsSnapshot,
} from './xds.ts';

/** What a client of the data plane gets. */
export type Served =
  /** Forwarded: down the tunnel, or to the cluster's addresses. */
  | { readonly status: 200; readonly cluster: Cluster; readonly tunnel: Tunnel | undefined }
  | { readonly status: 404 }
  | { readonly status: 503 }
  | { readonly status: number; readonly body: string; readonly retryAfter: string | undefined };

/** Where the internal listener sends a connection. */
export interface Tunnel {
  readonly nodeId: string;
  /** `host:port`, what the agent dials. */
  readonly target: string;
}

/** One fleet of Envoys: those of a Gateway, or of all merged ones. */
export class Envoy {
  #published: XdsSnapshot | undefined;
  #routes = new Map<string, RouteConfiguration>();
  #clusters = new Map<string, Cluster>();
  /** Resources that were refused. */
  rejected = 0;

  /** Takes what it can of a new answer; what it refuses stays as it was, and the rest goes on. */
  take(snapshot: XdsSnapshot): void {
    this.#published = snapshot;
    this.#routes = this.#taken(snapshot.routes, this.#routes, routeFault);
    // Of two with one name the last counts.
    this.#clusters = this.#taken(snapshot.clusters, this.#clusters, clusterFault);
  }

  #taken<T extends { readonly name?: string | undefined }>(
    offered: readonly T[],
    held: ReadonlyMap<string, T>,
    faultOf: (resource: T) => string | undefined,
  ): Map<string, T> {
    const taken = new Map<string, T>();
    for (const resource of offered) {
      const { name = '' } = resource;
      const isGood = faultOf(resource) === undefined;
      if (!isGood) this.rejected++;
      const kept = isGood ? resource : held.get(name);
      if (kept) taken.set(name, kept);
    }
    return taken;
  }

  /** What was published last is all it gets: there is no last good one. */
  restart(): void {
    const last = this.#published;
    this.#routes = new Map();
    this.#clusters = new Map();
    if (last) this.take(last);
  }

  /** What it runs, for oracles. */
  get program(): XdsSnapshot {
    return {
      listeners: this.#published?.listeners ?? [],
      routes: [...this.#routes.values()],
      clusters: [...this.#clusters.values()],
    };
  }

  /** What the first route of a host that takes a path does. Where it has a choice, each next turn is another one's. */
  serve(host: string, path = '/', turn = 0): Served {
    const hosts = virtualHostsOf({ routes: [...this.#routes.values()] });
    const found =
      hosts.find(({ domains }) => domains?.includes(host)) ?? hosts.find(({ domains }) => domains?.includes('*'));
    const route = found?.routes?.find(({ match }) => takes(match, path));
    if (!route) return { status: 404 };
    if (route.direct_response) return answered(route, route.direct_response);
    return this.#forward(route, turn);
  }

  #forward(route: Route, turn: number): Served {
    const clusters = targetsOf(route)
      .filter(({ weight }) => weight > 0)
      .map(({ name }) => this.#clusters.get(name))
      .filter((each) => each !== undefined);
    const cluster = clusters[turn % clusters.length];
    if (!cluster) return { status: 503 };
    return { status: 200, cluster, tunnel: tunnelOf(cluster, Math.floor(turn / clusters.length)) };
  }
}

function takes(match: Route['match'], path: string): boolean {
  if (typeof match?.['path'] === 'string') return match['path'] === path;
  const prefix = match?.['prefix'] ?? match?.['path_separated_prefix'] ?? '/';
  return typeof prefix === 'string' && path.startsWith(prefix);
}

function answered({ response_headers_to_add = [] }: Route, { status = 0, body }: DirectResponse): Served {
  const header = response_headers_to_add.find((each) => each.header?.key?.toLowerCase() === 'retry-after');
  return { status, body: bodyOf(body).toString(), retryAfter: header?.header?.value };
}

const bodyOf = (body: DirectResponse['body']): Buffer =>
  body?.inline_bytes === undefined ? Buffer.from(body?.inline_string ?? '') : Buffer.from(body.inline_bytes, 'base64');

/** Where an endpoint of a cluster leads when it is a tunnel; by default the first. */
export function tunnelOf({ load_assignment }: Cluster, turn = 0): Tunnel | undefined {
  const endpoints = load_assignment?.endpoints?.flatMap(({ lb_endpoints = [] }) => lb_endpoints) ?? [];
  const first = endpoints[turn % endpoints.length];
  if (!first?.endpoint?.address?.envoy_internal_address) return undefined;
  const said = first.metadata?.filter_metadata?.[metadataNamespaces.tunnel];
  const text = (key: string): string => {
    const value = isJsonObject(said) ? said[key] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { nodeId: text(tunnelKeys.endpointId), target: text(tunnelKeys.address) };
}

/** Why Envoy takes none of a RouteConfiguration. */
export function routeFault(configuration: RouteConfiguration): string | undefined {
  const hosts = configuration.virtual_hosts ?? [];
  const twice = repeated(hosts.flatMap(({ domains = [] }) => domains.map((each) => each.toLowerCase())));
  if (twice !== undefined) return `the domain ${twice} is there twice`;
  for (const route of hosts.flatMap(({ routes = [] }) => routes)) {
    const { weighted_clusters } = route.route ?? {};
    if (weighted_clusters && targetsOf(route).reduce((sum, { weight }) => sum + weight, 0) <= 0)
      return `${route.name} has no weight`;
    if (bodyOf(route.direct_response?.body).length > edgeDefaults.offlineBodyLimitBytes)
      return `the body of ${route.name} is too long`;
  }
  return undefined;
}

function repeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/** Why Envoy does not take a cluster. */
export function clusterFault({ name, type, cluster_type, load_assignment }: Cluster): string | undefined {
  if (cluster_type !== undefined || (type !== undefined && type !== 'STATIC')) return undefined;
  const endpoints = load_assignment?.endpoints?.flatMap(({ lb_endpoints = [] }) => lb_endpoints) ?? [];
  const named = endpoints
    .map(({ endpoint }) => endpoint?.address?.socket_address?.address)
    .find((address) => address !== undefined && /[^\d.:a-f]/i.test(address));
  return named === undefined ? undefined : `${name} is static, and ${named} is no address`;
}
