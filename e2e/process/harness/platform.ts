/** Everything that runs, in the order in which one needs the other. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { systemClock, truthNamespace } from '@lifeline/core';
import { type Authority, createAuthority } from '@lifeline/k8s/testing';
import type { Acts } from './control.ts';
import { appPorts, EdgeSite } from './edge.ts';
import { clearMachine } from './envoy-gateway.ts';
import { installReplicator, startReplicator } from './hub-apps.ts';
import {
  className,
  edges,
  envoyGatewayNamespace,
  file,
  hub,
  karmadaFolder,
  kubeconfigOf,
  type PlaneName,
  type Project,
  projects,
  spare,
} from './names.ts';
import { createNamespaces, type Plane, startControllerManager, startPlanes, startSpare } from './planes.ts';
import { freePort } from '../../free-port.ts';
import { answersHttp } from './probes.ts';
import { ProcessTable } from './process-table.ts';
import { startRealKarmada } from './real-karmada.ts';
import { script } from './script.ts';

/** In the certificate of private services that speak TLS. */
const secureName = 'vault.internal.test';

export class Platform implements AsyncDisposable {
  readonly acts: Acts;
  readonly #say: (what: string) => void;
  readonly #table: ProcessTable;
  /** Signs what is shown at edges, and the certificate of private services. */
  readonly #authority: Authority = createAuthority('edges');
  readonly #sites = new Map<string, EdgeSite>();

  constructor(say: (what: string) => void) {
    this.#say = say;
    const { PATH = '' } = process.env;
    // Go programs look for proxies, and log in local time; ours look for their settings.
    const env = { PATH, HOME: file('home'), TZ: 'UTC', NO_PROXY: '127.0.0.1,localhost' };
    const table = new ProcessTable({ folder: file(), env });
    this.#table = table;
    this.acts = {
      stop: (name = '') => table.end(name),
      kill: (name = '') => table.end(name, 'SIGKILL'),
      start: (name = '') => table.again(name),
      freeze: async (name = '') => table.signal(name, 'SIGSTOP'),
      thaw: async (name = '') => table.signal(name, 'SIGCONT'),
      agent: (name = '', project = '', ...connectors) => this.#agent(name, project as Project, connectors),
      envoy: (edge = '', gateway = '') => this.#site(edge).startEnvoyOf(gateway),
      spare: () => this.#spare(),
      states: async () => table.states,
      crashed: async () => table.crashed,
    };
  }

  /** @throws Error when something does not come up, or everything is to end meanwhile */
  async start(): Promise<void> {
    await mkdir(file('home'), { recursive: true });
    const planes = await startPlanes(this.#table);
    this.#say('planes');
    const managed: readonly PlaneName[] = [...projects, hub];
    await Promise.all([
      ...managed.map((plane) => startControllerManager(this.#table, plane)),
      createNamespaces(hub, truthNamespace),
      ...edges.map((edge) => createNamespaces(edge, truthNamespace, envoyGatewayNamespace)),
    ]);
    await this.#startHub(planes);
    this.#say('hub replicator, gateway fixture, Karmada');
    await this.#startEdges(planes);
  }

  async #startHub(planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
    await installReplicator(planes);
    const [ports, fixture] = [await appPorts(), await appPorts()];
    await mkdir(file('fixture'), { recursive: true });
    for (const project of projects)
      await writeFile(file('fixture', `${project}.kubeconfig`), await readFile(kubeconfigOf(project)), { mode: 0o600 });
    const settings = { kubeconfigs: file('fixture'), gatewayClassName: className };
    const processSettings = { healthPort: fixture.health, metricsPort: fixture.metrics };
    await writeFile(file('gateway-fixture.json'), JSON.stringify({ ...settings, ...processSettings }));
    const answers = (port: number) => (): Promise<boolean> => answersHttp(`http://127.0.0.1:${port}/readyz`);
    await Promise.all([
      this.#startKarmada(planes),
      this.#table.start('gateway-fixture', {
        ...script('gateway-fixture.ts', '--config', file('gateway-fixture.json')),
        ready: answers(fixture.health),
      }),
      startReplicator(this.#table, ports, answers(ports.health)),
    ]);
  }

  async #startKarmada(planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
    if (karmadaFolder !== undefined) return await startRealKarmada(this.#table, planes);
    await this.#table.start('karmada', script('karmada.ts'));
  }

  async #startEdges(planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
    const tunnelPort = await this.#startTunnelGateway();
    const started = edges.map(async (edge) => {
      const site = new EdgeSite(this.#table, { edge, tunnelPort, authority: this.#authority });
      await site.start(planes.get(edge) as Plane);
      this.#sites.set(edge, site);
      this.#say(edge);
    });
    await Promise.all(started);
  }

  /** Gives its port. */
  async #startTunnelGateway(): Promise<number> {
    const port = await freePort();
    const { certificate, key } = this.#authority.issue({ commonName: 'private service', dnsNames: [secureName] });
    await mkdir(file('tunnel'), { recursive: true });
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': this.#authority.certificate, 'seen.jsonl': '' };
    for (const [entry, text] of Object.entries(files)) await writeFile(file('tunnel', entry), text, { mode: 0o600 });
    const args = [
      ...['--port', String(port), '--seen', file('tunnel/seen.jsonl')],
      ...['--certificate', file('tunnel/tls.crt'), '--key', file('tunnel/tls.key')],
    ];
    await this.#table.start('tunnel-gateway', script('tunnel-gateway.ts', ...args));
    return port;
  }

  #site(edge: string): EdgeSite {
    const site = this.#sites.get(edge);
    if (!site) throw new Error(`${edge} has no Envoy Gateway`);
    return site;
  }

  async #spare(): Promise<void> {
    if (this.#table.has(`kube-apiserver-${spare}`)) return;
    await startSpare(this.#table);
  }

  async #agent(name: string, project: Project, connectors: readonly string[]): Promise<void> {
    await this.#table.start(name, script('agent.ts', '--kubeconfig', kubeconfigOf(project), ...connectors));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const begun = systemClock.monotonic();
    await this.#table[Symbol.asyncDispose]();
    await clearMachine();
    this.#say(`ended, in ${((systemClock.monotonic() - begun) / 1000).toFixed(1)} s`);
  }
}
