/** What Envoys run: the last answer of each kind that they took. */
import { type Cluster, clustersOf, type Route, type RouteConfiguration, type XdsSnapshot } from './xds.ts';

/** What a client of the data plane gets. */
export type Served =
  | { readonly status: 200; readonly cluster: Cluster }
  | { readonly status: 404 }
  | { readonly status: 503 }
  | { readonly status: number; readonly body: string };

/** A host that two virtual hosts claim: Envoy takes none of the RouteConfiguration. */
export function duplicateDomain({ virtualHosts }: RouteConfiguration): string | undefined {
  const seen = new Set<string>();
  for (const domain of virtualHosts.flatMap(({ domains }) => domains.map((each) => each.toLowerCase()))) {
    if (seen.has(domain)) return domain;
    seen.add(domain);
  }
  return undefined;
}

/** One fleet of Envoys: those of a Gateway, or of all merged ones. */
export class Envoy {
  #published: XdsSnapshot | undefined;
  #routes = new Map<string, RouteConfiguration>();
  #clusters = new Map<string, Cluster>();
  /** RouteConfigurations that were refused. */
  rejected = 0;

  /** Takes what it can of a new answer; what it refuses stays as it was, and the rest goes on. */
  take(snapshot: XdsSnapshot): void {
    this.#published = snapshot;
    const routes = new Map<string, RouteConfiguration>();
    for (const configuration of snapshot.routes) {
      const isGood = duplicateDomain(configuration) === undefined;
      if (!isGood) this.rejected++;
      const taken = isGood ? configuration : this.#routes.get(configuration.name);
      if (taken) routes.set(taken.name, taken);
    }
    this.#routes = routes;
    // Of two with one name the last counts.
    this.#clusters = new Map(snapshot.clusters.map((cluster) => [cluster.name, cluster]));
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

  serve(host: string): Served {
    const found = [...this.#routes.values()]
      .flatMap(({ virtualHosts }) => virtualHosts)
      .find(({ domains }) => domains.includes(host) || domains.includes('*'));
    const route = found?.routes[0];
    if (!route) return { status: 404 };
    if (route.directResponse) return { status: route.directResponse.status, body: route.directResponse.body ?? '' };
    return this.#forward(route);
  }

  #forward(route: Route): Served {
    const cluster = clustersOf(route)
      .map((name) => this.#clusters.get(name))
      .find((each) => each !== undefined);
    return cluster ? { status: 200, cluster } : { status: 503 };
  }
}
