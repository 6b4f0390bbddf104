/** The stage of real processes, which `npm run e2e:process` has brought up. */
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import {
  classifyLiveness,
  Connector,
  ConnectorClass,
  downstreamNamespace,
  type DurationMs,
  type EpochMs,
  type Kind,
  type KubeObject,
  type Liveness,
  Namespace,
  systemClock,
  systemRandom,
} from '@lifeline/core';
import { type Client, isKubeError } from '@lifeline/k8s';
import { connectorClassName } from '../scenarios/acts.ts';
import type { Answer, Site, Stage, StageAgent, Tunnel, TunnelEnd } from '../scenarios/stage.ts';
import { adminClient } from './harness/admin-client.ts';
import { act } from './harness/control.ts';
import type { EnvoySockets } from './harness/edge.ts';
import { httpPort } from './harness/envoy.ts';
import { type Edge, file, kubeconfigOf, type PlaneName, projects, servedEdges } from './harness/names.ts';
import { leaseDurationSeconds } from './harness/hub-apps.ts';
import { bodyOf, type SeenTunnel } from './harness/tunnel-gateway.ts';

const { signal } = new AbortController();
const pollMs = 20;

export class ProcessStage implements Stage {
  readonly crowd = 50;
  readonly tries = 3;
  readonly projects = projects;
  readonly edges = servedEdges;
  readonly leaseMs: DurationMs = leaseDurationSeconds * 1_000;
  readonly #clients = new Map<string, Promise<Client>>();
  /** Downstream namespaces, by project and namespace. */
  readonly #mapped = new Map<string, string>();
  readonly #envoys = new Map<string, Promise<EnvoySockets>>();
  readonly #agents: StageAgent[] = [];

  /** @throws Error when nothing is up */
  static async open(): Promise<ProcessStage> {
    if (!existsSync(file('ready'))) throw new Error('the platform is not up: run `npm run e2e:process`');
    const stage = new ProcessStage();
    for (const project of projects) {
      const spec = { controllerName: 'networking.datumapis.com/datum-connect' };
      const made = { metadata: { name: connectorClassName }, spec };
      await stage.create(project, ConnectorClass, made).catch((error: unknown) => {
        if (!isKubeError(error, 'already-exists')) throw error;
      });
    }
    return stage;
  }

  client(plane: string): Promise<Client> {
    const known = this.#clients.get(plane) ?? adminClient(kubeconfigOf(plane as PlaneName));
    this.#clients.set(plane, known);
    return known;
  }

  async namespace(project: string): Promise<string> {
    const name = `t-${systemRandom.hex(4)}`;
    const { metadata } = await (await this.client(project)).create(Namespace, { metadata: { name } }, { signal });
    this.#mapped.set(`${project}/${name}`, downstreamNamespace(metadata.uid ?? ''));
    return name;
  }

  /** The namespace of a project's namespace on hub and edges. */
  mapped({ project, namespace }: Pick<Site, 'project' | 'namespace'>): string {
    const mapped = this.#mapped.get(`${project}/${namespace}`);
    if (mapped === undefined) throw new Error(`${project}/${namespace} is no namespace of this stage`);
    return mapped;
  }

  nodeId(): string {
    return systemRandom.hex(32);
  }

  async create(project: string, kind: Kind, object: object): Promise<void> {
    await (await this.client(project)).create(kind, object as never, { signal });
  }

  async patch(project: string, target: Parameters<Stage['patch']>[1], body: object): Promise<void> {
    const { kind, name, subresource } = target;
    const patch = { type: 'merge', body: body as Readonly<Record<string, unknown>> } as const;
    await (await this.client(project)).patch({ kind, name }, patch, { signal, subresource });
  }

  async delete(project: string, kind: Kind, name: Parameters<Stage['delete']>[2]): Promise<void> {
    const client = await this.client(project);
    const { uid = '' } = (await client.get(kind, name, { signal })).metadata;
    await client.delete({ kind, name }, { signal, uid });
  }

  async seen<T extends KubeObject>(
    plane: string,
    kind: Kind<T>,
    of: Parameters<Stage['seen']>[2],
  ): Promise<T | undefined> {
    const namespace = plane === of.project ? of.namespace : this.mapped(of);
    return await (await this.client(plane)).find(kind, { namespace, name: of.name }, { signal });
  }

  async believed(edge: string, end: TunnelEnd): Promise<Liveness> {
    return classifyLiveness(await this.seen(edge, Connector, end));
  }

  async agent(...ends: readonly TunnelEnd[]): Promise<StageAgent> {
    const [first] = ends;
    if (!first) throw new TypeError('an agent of nothing');
    const name = `agent-${systemRandom.hex(4)}`;
    await act(
      'agent',
      name,
      first.project,
      ...ends.map(({ namespace, name, nodeId }) => `${namespace}/${name}=${nodeId}`),
    );
    const agent: StageAgent = {
      kill: async () => void (await act('kill', name)),
      pause: async () => void (await act('freeze', name)),
      resume: async () => void (await act('thaw', name)),
      start: async () => void (await act('start', name)),
    };
    this.#agents.push(agent);
    return agent;
  }

  async ask(edge: string, site: Site, path = '/'): Promise<Answer> {
    const headers = { host: site.hostname };
    if (edge !== 'edge-2') return await ask({ host: '127.0.0.1', port: httpPort, path, headers });
    return await ask({ socketPath: await this.#envoyOf(edge, site), path, headers });
  }

  /** The way to the Envoy of a site's Gateway, which is started when it is first asked for. */
  async #envoyOf(edge: Edge, site: Site): Promise<string> {
    const gateway = `${this.mapped(site)}/${site.name}`;
    const started = this.#envoys.get(gateway) ?? (act('envoy', edge, gateway) as Promise<EnvoySockets>);
    this.#envoys.set(gateway, started);
    return (await started).http;
  }

  async tunnels(nodeId: string): Promise<readonly Tunnel[]> {
    const lines = readFileSync(file('tunnel/seen.jsonl'), 'utf8').split('\n');
    const seen = lines.filter((line) => line.includes(nodeId)).map((line) => JSON.parse(line) as SeenTunnel);
    return seen.map(({ authority, nodeId }) => ({ authority, nodeId }));
  }

  bodyOf(nodeId: string, path: string): string {
    return bodyOf(nodeId, path);
  }

  now(): number {
    return systemClock.monotonic();
  }

  wall(): EpochMs {
    return systemClock.now();
  }

  async until(what: string, holds: () => Promise<boolean>, limitMs: DurationMs = 60_000): Promise<DurationMs> {
    const from = this.now();
    while (!(await holds())) {
      if (this.now() - from > limitMs) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
      // To a hundredth: many who wait for long are not what keeps others from it.
      await systemClock.sleep(Math.max(pollMs, (this.now() - from) / 100));
    }
    return this.now() - from;
  }

  /** Its agents end. */
  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.kill();
  }
}

/** One request on a connection of its own. Nobody there, or no answer in time: status 0. */
function ask(options: Parameters<typeof request>[1] & object): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const failed = (error: Error): void => resolve({ status: 0, body: error.message });
  const asked = request({ ...options, agent: false, timeout: 5_000 } as never, (response: IncomingMessage) => {
    let body = '';
    response.setEncoding('utf8').on('data', (text: string) => (body += text));
    response.on('error', failed);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body, retryAfter: response.headers['retry-after'] }),
    );
  });
  asked.on('timeout', () => asked.destroy(new Error('no answer within 5 s')));
  asked.on('error', failed);
  asked.end();
  return promise;
}
