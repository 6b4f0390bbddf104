/** An edge: Envoy Gateway, its Envoys, and our apps. `edge-1` is in the machine's network, `edge-2` in one of its own. */
import type { Authority } from '@lifeline/k8s/testing';
import { type EdgeApps, installEdge, startExtensionServer, startRetranslator } from './edge-apps.ts';
import { adminPort, httpPort, startEnvoy } from './envoy.ts';
import { type EnvoyGatewayOptions, prepareEnvoyGateway, startEnvoyGateway, xdsPort } from './envoy-gateway.ts';
import type { Forward } from './forward.ts';
import type { AppPorts } from './hub-apps.ts';
import type { Inside } from './inside.ts';
import { className, type Edge, file, servers } from './names.ts';
import type { Plane } from './planes.ts';
import { freePort } from './ports.ts';
import { answersHttp, answersOver } from './probes.ts';
import type { ProcessTable } from './process-table.ts';
import { script } from './script.ts';
import { portOf, startNetwork } from './ways.ts';

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

  /** The extension servers are there before Envoy Gateway, whose first translation waits for them, and that before Envoy. */
  async start(plane: Plane): Promise<void> {
    const { edge, tunnelPort, authority } = this.#options;
    const table = this.#table;
    const merged = this.#merged;
    const ports = { a: await serverPorts(), b: await serverPorts() };
    const retranslatorPorts = await appPorts();
    const probed = [...Object.values(ports), retranslatorPorts].map(({ health }) => health);
    const ways = { inward: [plane.port, tunnelPort], outward: [healthPort, ...probed] };
    const inside: Inside = merged ? [] : (await startNetwork(table, edge, ways)).inside;
    const isReady = (port: number): Promise<boolean> =>
      merged ? answersHttp(`http://127.0.0.1:${port}/readyz`) : answersOver(portOf(edge, port), '/readyz');
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
    await prepareEnvoyGateway(gateway);
    await Promise.all(servers.map((server) => startExtensionServer(table, apps, server)));
    if (!apps.withRetranslator) await startRetranslator(table, apps);
    const service: Forward = {
      from: `127.0.0.1:${hookPort}`,
      to: Object.values(ports).map(({ hook }) => `127.0.0.1:${hook}`),
      ready: Object.values(ports).map(({ health }) => `http://127.0.0.1:${health}/readyz`),
    };
    await this.#forward(`hook-service-${edge}`, service, inside);
    await startEnvoyGateway(table, gateway);
    if (merged)
      await this.#startEnvoy(className, inside, () => answersHttp(`http://127.0.0.1:${adminPort}${alivePath}`));
    // Envoys in networks of their own find it there.
    else await this.#forward(`xds-${edge}`, { from: this.#xdsSocket, to: [`127.0.0.1:${xdsPort}`] }, inside);
  }

  /** The Envoy of a Gateway, `namespace/name`, in a network of its own: ports of Envoys are the same. */
  async startEnvoyOf(gateway: string): Promise<void> {
    if (this.#merged) throw new Error(`all Gateways of ${this.#options.edge} share one Envoy`);
    const name = this.#placeOf(gateway);
    if (this.#table.has(`envoy-${name}`)) return;
    const ways = { inward: [this.#options.tunnelPort], outward: [httpPort, adminPort] };
    const { inside } = await startNetwork(this.#table, name, ways);
    await this.#forward(`xds-${name}`, { from: `127.0.0.1:${xdsPort}`, to: [this.#xdsSocket] }, inside);
    await this.#startEnvoy(gateway, inside, () => answersOver(portOf(name, adminPort), alivePath));
  }

  get #xdsSocket(): string {
    return file(this.#options.edge, 'xds.sock');
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

  async #forward(name: string, forward: Forward, inside: Inside): Promise<void> {
    await this.#table.start(name, { ...script('forward.ts', JSON.stringify([forward])), inside });
  }
}

export const appPorts = async (): Promise<AppPorts> => ({ health: await freePort(), metrics: await freePort() });

const serverPorts = async () => ({ ...(await appPorts()), hook: await freePort(), report: await freePort() });
