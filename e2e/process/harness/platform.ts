/** Everything that runs, in the order in which one needs the other. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { systemClock, truthNamespace } from '@lifeline/core';
import { type Authority, createAuthority } from '@lifeline/k8s/testing';
import type { Acts } from './control.ts';
import { adminPort, httpPort, startEnvoy } from './envoy.ts';
import {
  type EnvoyGatewayOptions,
  envoyGatewayMetricsPort,
  prepareEnvoyGateway,
  startEnvoyGateway,
  xdsPort,
} from './envoy-gateway.ts';
import type { Forward } from './forward.ts';
import { cannotIsolate, type Inside, Network } from './inside.ts';
import {
  className,
  type Edge,
  edges,
  envoyGatewayNamespace,
  file,
  hub,
  kubeconfigOf,
  type PlaneName,
  type Project,
  projects,
  root,
  servers,
  spare,
} from './names.ts';
import {
  answersHttp,
  createNamespaces,
  type Plane,
  startControllerManager,
  startPlane,
  startPlanes,
} from './planes.ts';
import { freePort } from './ports.ts';
import { ProcessTable } from './process-table.ts';
import { type EdgeApps, installEdge, startExtensionServer, startRetranslator } from './edge-apps.ts';
import { installReplicator, startReplicator } from './hub-apps.ts';

const here = (script: string): string => join(root, 'e2e/process/harness', script);

/** One of our own scripts, from its source. */
const script = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: ['--conditions=@lifeline/source', here(name), ...args],
});

/** Where a port of an edge is reached from this machine: itself, or a Unix socket into the edge's network. */
export const portOf = (place: string, port: number): string => file(place, `${port}.sock`);

export class Platform implements AsyncDisposable {
  readonly acts: Acts;
  readonly #say: (what: string) => void;
  readonly #table: ProcessTable;
  /** Signs what extension servers and Envoy Gateways show each other, and the private services' certificates. */
  readonly #authority: Authority = createAuthority('edges');
  #tunnelPort = 0;
  #envoys = 0;

  constructor(say: (what: string) => void) {
    this.#say = say;
    const { PATH = '' } = process.env;
    // Go programs look for proxies; ours for their settings.
    const env = { PATH, HOME: file('home'), NO_PROXY: '127.0.0.1,localhost' };
    const table = new ProcessTable({ folder: file(), env });
    this.#table = table;
    this.acts = {
      stop: (name = '') => table.end(name),
      kill: (name = '') => table.end(name, 'SIGKILL'),
      start: (name = '') => table.again(name),
      freeze: async (name = '') => table.signal(name, 'SIGSTOP'),
      thaw: async (name = '') => table.signal(name, 'SIGCONT'),
      agent: (name = '', project = '', ...connectors) => this.#agent(name, project as Project, connectors),
      envoy: (edge = '', gateway = '') => this.#envoyOf(edge as Edge, gateway),
      spare: () => this.#spare(),
      states: async () => table.states,
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    await mkdir(file('home'), { recursive: true });
    const cannot = cannotIsolate();
    if (cannot !== undefined) this.#say(`no namespaces on this machine (${cannot}): edge-2 runs without Envoy Gateway`);
    await writeFile(file('lesser.json'), JSON.stringify(cannot === undefined ? [] : ['edge-2']));
    const planes = await startPlanes(this.#table);
    this.#say('planes');
    signal.throwIfAborted();
    await Promise.all([
      ...[...projects, hub].map((plane) => startControllerManager(this.#table, plane as PlaneName)),
      this.#startTunnelGateway(),
      createNamespaces(hub, truthNamespace),
      ...edges.map((edge) => createNamespaces(edge, truthNamespace, envoyGatewayNamespace)),
    ]);
    await this.#startHub(planes);
    this.#say('hub replicator, gateway fixture, Karmada');
    signal.throwIfAborted();
    for (const edge of edges) {
      if (edge === 'edge-2' && cannot !== undefined) continue;
      await this.#startEdge(edge, planes);
      this.#say(edge);
      signal.throwIfAborted();
    }
  }

  async #startTunnelGateway(): Promise<void> {
    this.#tunnelPort = await freePort();
    const { certificate, key } = this.#authority.issue({ commonName: 'vault', dnsNames: ['vault.internal.test'] });
    await mkdir(file('tunnel'), { recursive: true });
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': this.#authority.certificate, 'seen.jsonl': '' };
    for (const [entry, text] of Object.entries(files)) await writeFile(file('tunnel', entry), text, { mode: 0o600 });
    await this.#table.start(
      'tunnel-gateway',
      script(
        'tunnel-gateway.ts',
        ...['--port', String(this.#tunnelPort), '--seen', file('tunnel/seen.jsonl')],
        ...['--certificate', file('tunnel/tls.crt'), '--key', file('tunnel/tls.key')],
      ),
    );
  }

  async #startHub(planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
    await installReplicator(planes);
    const ports = await appPorts();
    await writeFile(file('hub-replicator/ports.json'), JSON.stringify(ports));
    const fixture = {
      kubeconfigs: file('fixture'),
      gatewayClassName: className,
      healthPort: await freePort(),
      metricsPort: await freePort(),
    };
    await mkdir(file('fixture'), { recursive: true });
    for (const project of projects)
      await writeFile(file('fixture', `${project}.kubeconfig`), await readFile(kubeconfigOf(project)), { mode: 0o600 });
    await writeFile(file('gateway-fixture.json'), JSON.stringify(fixture));
    await Promise.all([
      this.#table.start('karmada', { ...script('karmada.ts'), ready: async () => existsSync(file('karmada.ready')) }),
      this.#table.start('gateway-fixture', {
        ...script('gateway-fixture.ts', '--config', file('gateway-fixture.json')),
        ready: () => answersHttp(`http://127.0.0.1:${fixture.healthPort}/readyz`),
      }),
      startReplicator(this.#table, ports, () => answersHttp(`http://127.0.0.1:${ports.health}/readyz`)),
    ]);
  }

  async #startEdge(edge: Edge, planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
    const merged = edge === 'edge-1';
    const plane = planes.get(edge) as Plane;
    const hookPort = await freePort();
    const ports = { a: await serverPorts(), b: await serverPorts() };
    const retranslatorPorts = await appPorts();
    await writeFile(file(edge, 'ports.json'), JSON.stringify({ ...ports, retranslator: retranslatorPorts }));
    let inside: Inside = [];
    if (!merged) {
      const apps = [...Object.values(ports), retranslatorPorts].flatMap(({ health, metrics }) => [health, metrics]);
      const outward = [8081, envoyGatewayMetricsPort, ...apps];
      inside = (await this.#networkOf(edge, [plane.port, this.#tunnelPort], outward)).inside;
    }
    const answers = (port: number, path: string): Promise<boolean> =>
      merged ? answersHttp(`http://127.0.0.1:${port}${path}`) : answersOver(portOf(edge, port), path);
    const apps: EdgeApps = {
      ...{ edge, merged, ports, retranslatorPorts, inside },
      // Both placements.
      withRetranslator: merged,
      tunnelPort: this.#tunnelPort,
      authority: this.#authority,
      isReady: (port) => answers(port, '/readyz'),
    };
    await installEdge(apps, plane);
    const options: EnvoyGatewayOptions = {
      ...{ edge, merged, hookPort, inside },
      authority: this.#authority,
      isReady: () => answers(8081, '/readyz'),
    };
    await prepareEnvoyGateway(options);
    await Promise.all(servers.map((server) => startExtensionServer(this.#table, apps, server)));
    if (!apps.withRetranslator) await startRetranslator(this.#table, apps);
    const all = Object.values(ports);
    const service: Forward = {
      from: `127.0.0.1:${hookPort}`,
      to: all.map(({ hook }) => `127.0.0.1:${hook}`),
      ready: all.map(({ health }) => `http://127.0.0.1:${health}/readyz`),
    };
    await this.#table.start(`hook-service-${edge}`, { ...script('forward.ts', JSON.stringify([service])), inside });
    await startEnvoyGateway(this.#table, options);
    if (merged)
      await this.#startEnvoy({ edge, key: className, inside, isReady: () => answers(adminPort, '/server_info') });
    else {
      // Envoys in networks of their own find it there.
      const xds: Forward = { from: file(edge, 'xds.sock'), to: [`127.0.0.1:${xdsPort}`] };
      await this.#table.start(`xds-${edge}`, { ...script('forward.ts', JSON.stringify([xds])), inside });
    }
  }

  /** A network from which these ports of the machine can be reached, and of which these can be from the machine: see {@link portOf}. */
  async #networkOf(name: string, inward: readonly number[], outward: readonly number[]): Promise<Network> {
    await mkdir(file(name), { recursive: true });
    const network = await Network.start(name, this.#table);
    const local = (port: number): string => `127.0.0.1:${port}`;
    const socket = (port: number): string => file(name, `in-${port}.sock`);
    const outside = inward.map((port): Forward => ({ from: socket(port), to: [local(port)] }));
    const inside = [
      ...inward.map((port): Forward => ({ from: local(port), to: [socket(port)] })),
      ...outward.map((port): Forward => ({ from: portOf(name, port), to: [local(port)] })),
    ];
    await this.#table.start(`ways-into-${name}`, script('forward.ts', JSON.stringify(outside)));
    await this.#table.start(`ways-out-of-${name}`, {
      ...script('forward.ts', JSON.stringify(inside)),
      inside: network.inside,
      ready: async () => existsSync(portOf(name, outward[0] ?? 0)),
    });
    return network;
  }

  async #startEnvoy(place: {
    readonly edge: Edge;
    readonly key: string;
    readonly inside: Inside;
    readonly isReady: () => Promise<boolean>;
  }): Promise<void> {
    const { edge, key, inside, isReady } = place;
    const baseId = ++this.#envoys;
    await startEnvoy(this.#table, {
      edge,
      key,
      baseId,
      inside,
      isReady,
      name: `envoy-${edge}-${key.replaceAll('/', '.')}`,
      authorities: file('tunnel/ca.crt'),
    });
  }

  /** Its own network: the ports of Envoys are the same. */
  async #envoyOf(edge: Edge, gateway: string): Promise<void> {
    const name = `${edge}-${gateway.replaceAll('/', '.')}`;
    if (this.#table.has(`envoy-${name}`)) return;
    const network = await this.#networkOf(name, [this.#tunnelPort], [httpPort, adminPort]);
    const xds: Forward = { from: `127.0.0.1:${xdsPort}`, to: [file(edge, 'xds.sock')] };
    await this.#table.start(`xds-${name}`, { ...script('forward.ts', JSON.stringify([xds])), inside: network.inside });
    await this.#startEnvoy({
      edge,
      key: gateway,
      inside: network.inside,
      isReady: () => answersOver(portOf(name, adminPort), '/server_info'),
    });
  }

  async #spare(): Promise<void> {
    if (this.#table.has(`kube-apiserver-${spare}`)) return;
    await startPlane(this.#table, spare);
    await startControllerManager(this.#table, spare);
  }

  async #agent(name: string, project: Project, connectors: readonly string[]): Promise<void> {
    await this.#table.start(name, script('agent.ts', '--kubeconfig', kubeconfigOf(project), ...connectors));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const begun = systemClock.monotonic();
    await this.#table[Symbol.asyncDispose]();
    this.#say(`ended, in ${((systemClock.monotonic() - begun) / 1000).toFixed(1)} s`);
  }
}

const appPorts = async () => ({ health: await freePort(), metrics: await freePort() });

const serverPorts = async () => ({
  ...(await appPorts()),
  hook: await freePort(),
  report: await freePort(),
});

function answersOver(socketPath: string, path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  get({ socketPath, path, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  }).on('error', () => resolve(false));
  return promise;
}
