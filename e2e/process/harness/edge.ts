/** An edge: Envoy Gateway, its Envoys, and our apps. `edge-1` is in the machine's network, `edge-2` in one of its own. */
import type { Authority } from '@lifeline/k8s/testing';
import { type EdgeApps, installEdge, startExtensionServer, startRetranslator } from './edge-apps.ts';
import { adminPort, httpPort, startEnvoy } from './envoy.ts';
import { type EnvoyGatewayOptions, prepareEnvoyGateway, startEnvoyGateway, xdsPort } from './envoy-gateway.ts';
import type { Forward } from './forward.ts';
import type { AppPorts } from './hub-apps.ts';
import type { Inside } from './inside.ts';
import { className, type Edge, file, hasNamespaces, servedEdges, servers } from './names.ts';
import type { Plane } from './planes.ts';
import { freePort } from '../../free-port.ts';
import { answersHttp, answersOver } from './probes.ts';
import type { ProcessTable } from './process-table.ts';
import { openMachine, portOf, portOfMachine, startForwards, startNetwork } from './ways.ts';

const healthPort = 8081;
/** Answered 200 from the start: an Envoy without a Gateway never calls itself ready. */
const alivePath = '/server_info';

export interface EdgeSiteOptions {
  readonly edge: Edge;
  /** Of the tunnel gateway, on this machine. */
  readonly tunnelPort: number;
  /** Signs what extension servers and Envoy Gateways show each other. */
  readonly authority: Authority;
}

export class EdgeSite {
  readonly #table: ProcessTable;
  readonly #options: EdgeSiteOptions;
  #envoys = 0;

  constructor(table: ProcessTable, options: EdgeSiteOptions) {
    this.#table = table;
    this.#options = options;
  }

  get #merged(): boolean {
    return this.#options.edge === 'edge-1';
  }

  get #isApart(): boolean {
    return !this.#merged && hasNamespaces;
  }

  /** The extension servers are there before Envoy Gateway, whose first translation waits for them, and that before Envoy. */
  async start(plane: Plane): Promise<void> {
    const { edge, tunnelPort, authority } = this.#options;
    const table = this.#table;
    const merged = this.#merged;
    const ports = { a: await serverPorts(), b: await serverPorts() };
    const retranslatorPorts = await appPorts();
    const probed = [...Object.values(ports), retranslatorPorts].map(({ health }) => health);
    const inside: Inside = this.#isApart
      ? await this.#openNetwork([plane.port, tunnelPort], [healthPort, xdsPort, ...probed])
      : [];
    const isReady = (port: number): Promise<boolean> =>
      this.#isApart ? answersOver(portOf(edge, port), '/readyz') : answersHttp(`http://127.0.0.1:${port}/readyz`);
    // Both placements of the retranslator.
    const apps: EdgeApps = {
      ...{ edge, merged, withRetranslator: merged, tunnelPort, authority },
      ...{ ports, retranslatorPorts, inside, isReady },
    };
    await installEdge(apps, plane);
    const hookPort = await freePort();
    const gateway: EnvoyGatewayOptions = {
      ...{ edge, merged, hookPort, inside, authority },
      isReady: () => isReady(healthPort),
    };
    await Promise.all(servers.map((server) => startExtensionServer(table, apps, server)));
    if (!apps.withRetranslator) await startRetranslator(table, apps);
    if (!servedEdges.includes(edge)) return;
    await prepareEnvoyGateway(gateway);
    const service: Forward = {
      from: `127.0.0.1:${hookPort}`,
      to: Object.values(ports).map(({ hook }) => `127.0.0.1:${hook}`),
      ready: Object.values(ports).map(({ health }) => `http://127.0.0.1:${health}/readyz`),
    };
    await startForwards(table, { name: `hook-service-${edge}`, forwards: [service], inside });
    await startEnvoyGateway(table, gateway);
    if (merged)
      await this.#startEnvoy(className, inside, () => answersHttp(`http://127.0.0.1:${adminPort}${alivePath}`));
  }

  /** Where everything of the edge runs but Envoys. */
  async #openNetwork(inward: readonly number[], outward: readonly number[]): Promise<Inside> {
    const { edge } = this.#options;
    await openMachine(this.#table, edge, inward);
    const ways = { inward: Object.fromEntries(inward.map((port) => [port, portOfMachine(port)])), outward };
    return (await startNetwork(this.#table, edge, ways)).inside;
  }

  /** The Envoy of a Gateway, `namespace/name`, in a network of its own: ports of Envoys are the same. */
  async startEnvoyOf(gateway: string): Promise<EnvoySockets> {
    const { edge, tunnelPort } = this.#options;
    if (this.#merged) throw new Error(`all Gateways of ${edge} share one Envoy`);
    const name = this.#placeOf(gateway);
    const sockets = { http: portOf(name, httpPort), admin: portOf(name, adminPort) };
    if (this.#table.has(`envoy-${name}`)) return sockets;
    const inward = { [tunnelPort]: portOfMachine(tunnelPort), [xdsPort]: portOf(edge, xdsPort) };
    const { inside } = await startNetwork(this.#table, name, { inward, outward: [httpPort, adminPort] });
    await this.#startEnvoy(gateway, inside, () => answersOver(sockets.admin, alivePath));
    return sockets;
  }

  #placeOf(key: string): string {
    return `${this.#options.edge}-${key.replaceAll('/', '.')}`;
  }

  async #startEnvoy(key: string, inside: Inside, isReady: () => Promise<boolean>): Promise<void> {
    const { edge } = this.#options;
    await startEnvoy(this.#table, {
      ...{ edge, key, inside, isReady },
      name: `envoy-${this.#placeOf(key)}`,
      // Two edges are two networks, but one file system.
      baseId: (edge === 'edge-1' ? 0 : 1) + this.#envoys++,
      authorities: file('tunnel/ca.crt'),
    });
  }
}

/** Where the Envoy of a Gateway is reached from this machine: its sites, and its admin interface. */
export interface EnvoySockets {
  readonly http: string;
  readonly admin: string;
}

export const appPorts = async (): Promise<AppPorts> => ({ health: await freePort(), metrics: await freePort() });

const serverPorts = async () => ({ ...(await appPorts()), hook: await freePort(), report: await freePort() });
