/** The whole way: projects, hub, Karmada, and edges with Envoy Gateways and extension servers. */
import { BackendTLSPolicy, type DurationMs, Gateway, HTTPRoute, type Kind } from '@lifeline/core';
import type { EnvoyGateway, Served } from '@lifeline/sim';
import { Platform, type PlatformOptions } from '../hub-replicator/world.ts';
import { edgeServer } from './server-app.ts';
import { Servers } from './servers.ts';

/** What an edge needs of what the gateway controller makes, beside what is carried anyway. */
const carried: readonly Kind[] = [Gateway, HTTPRoute, BackendTLSPolicy];
const className = 'tunnels';

export interface EdgePlatformOptions extends Omit<PlatformOptions, 'carried' | 'beside' | 'gateway' | 'edges'> {
  /** Default one. */
  readonly edges?: readonly string[] | undefined;
  /** Extension servers of each edge. Default 2. */
  readonly servers?: number | undefined;
  /** All Gateways of an edge on one Envoy. Default: as in production, they are. */
  readonly merged?: boolean | undefined;
}

/** Names of the extension servers of an edge. */
export const serversOf = (edge: string, count = 2): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${edge}-x${at + 1}`);

export class EdgePlatform extends Platform {
  readonly servers: Servers;
  readonly #perEdge: number;
  readonly #merged: boolean;

  constructor(options: EdgePlatformOptions = {}) {
    const { edges = ['e1'], servers: perEdge = 2, merged = true, settings, ...rest } = options;
    const servers = new Servers(() => this.world.processes);
    const apps = edges.flatMap((plane) => {
      const replicas = serversOf(plane, perEdge);
      return replicas.map((replica) => ({
        replicas: [replica],
        versions: [edgeServer({ replica, plane, replicas, servers, classes: [className] })] as const,
      }));
    });
    super({
      ...rest,
      edges,
      gateway: true,
      carried,
      settings: { ...settings, kinds: [Gateway, HTTPRoute].map(({ group, kind }) => ({ group, kind, enabled: true })) },
      beside: {
        apps,
        edges: edges.map((plane) => ({
          plane,
          merged,
          hooks: () => servers.hooks(serversOf(plane, perEdge), 'envoy-gateway'),
        })),
      },
    });
    this.servers = servers;
    this.#perEdge = perEdge;
    this.#merged = merged;
  }

  /** Replicators, the gateway controller and the extension servers, as they come up with empty caches. */
  startAll(): void {
    this.startReplicas();
    this.world.processes.start('gateway');
    for (const edge of this.edges)
      for (const server of serversOf(edge, this.#perEdge)) this.world.processes.start(server);
  }

  envoyGateway(edge: string): EnvoyGateway {
    const found = this.world.edges.get(edge);
    if (!found) throw new TypeError(`no Envoy Gateway in ${edge}`);
    return found;
  }

  /** What a client of a host gets at an edge. */
  serve(edge: string, host: string, { path, turn }: { readonly path?: string; readonly turn?: number } = {}): Served {
    const gateway = this.envoyGateway(edge);
    if (this.#merged) return gateway.envoy(className).serve(host, path, turn);
    const served = [...gateway.keys].map((key) => gateway.envoy(key).serve(host, path, turn));
    return served.find(({ status }) => status !== 404) ?? { status: 404 };
  }

  /** How many resources the Envoys of all edges have refused. */
  get rejected(): number {
    const envoys = this.edges
      .map((edge) => this.envoyGateway(edge))
      .flatMap((one) => [...one.keys].map((key) => one.envoy(key)));
    return envoys.reduce((sum, { rejected }) => sum + rejected, 0);
  }

  /** The same in a word: `tunnel`, `503`, `404`, `direct`. */
  shows(edge: string, host: string): string {
    const served = this.serve(edge, host);
    if ('cluster' in served) return served.tunnel ? 'tunnel' : 'direct';
    return String(served.status);
  }

  /** A platform that runs. */
  static override async start(options: EdgePlatformOptions = {}): Promise<EdgePlatform> {
    const platform = new EdgePlatform(options);
    await platform.prepare();
    platform.startAll();
    await platform.after(settledMs);
    return platform;
  }
}

const settledMs: DurationMs = 30_000;
