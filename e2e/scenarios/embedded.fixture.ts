/** The stage of one process and virtual time: planes, Karmada, Envoy Gateway and Envoy in small. */
import {
  classifyLiveness,
  Connector,
  type DurationMs,
  type EpochMs,
  type Kind,
  type KubeObject,
  type Liveness,
  Namespace,
} from '@lifeline/core';
import type { Agent } from '../hub-replicator/agent.ts';
import { EdgePlatform } from '../edge/platform.ts';
import type { Answer, Site, Stage, StageAgent, Tunnel, TunnelEnd } from './stage.ts';

const leaseDurationSeconds = 5;
const pollMs: DurationMs = 20;

export class EmbeddedStage implements Stage, AsyncDisposable {
  readonly crowd = 3;
  readonly tries = 1;
  readonly leaseMs: DurationMs = leaseDurationSeconds * 1_000;
  readonly #platform: EdgePlatform;
  readonly #tunnels: Tunnel[] = [];
  readonly #agents: Agent[] = [];
  #made = 0;
  #turn = 0;

  private constructor(platform: EdgePlatform) {
    this.#platform = platform;
  }

  static async open(merged: boolean): Promise<EmbeddedStage> {
    const settings = { connector: { leaseDurationSeconds } };
    return new EmbeddedStage(await EdgePlatform.start({ edges: ['e1', 'e2'], merged, settings }));
  }

  /** Moves time until a scenario has been played. */
  play(work: Promise<void>): Promise<void> {
    return this.#platform.clock.run(work);
  }

  get projects(): readonly string[] {
    return this.#platform.projects;
  }

  get edges(): readonly string[] {
    return this.#platform.edges;
  }

  async namespace(project: string): Promise<string> {
    const name = `t-${++this.#made}`;
    await this.#hands.create(project, Namespace, { metadata: { name } });
    return name;
  }

  nodeId(): string {
    return (++this.#made).toString(16).padStart(64, '0').replace(/^0{8}/, (++this.#made).toString(16).padStart(8, 'a'));
  }

  async create(project: string, kind: Kind, object: object): Promise<void> {
    await this.#hands.create(project, kind, object as never);
  }

  async patch(project: string, target: Parameters<Stage['patch']>[1], body: object): Promise<void> {
    await this.#hands.patch(project, target, { type: 'merge', body: body as Readonly<Record<string, unknown>> });
  }

  async delete(project: string, kind: Kind, name: Parameters<Stage['delete']>[2]): Promise<void> {
    await this.#hands.delete(project, kind, name);
  }

  async seen<T extends KubeObject>(
    plane: string,
    kind: Kind<T>,
    of: Parameters<Stage['seen']>[2],
  ): Promise<T | undefined> {
    const { project, namespace, name } = of;
    if (plane === project) return this.#platform.api(project).get(kind, { namespace, name });
    return this.#platform.copy(kind, project, { name, namespace, plane });
  }

  async believed(edge: string, end: TunnelEnd): Promise<Liveness> {
    return classifyLiveness(await this.seen(edge, Connector, end));
  }

  async agent(...ends: readonly TunnelEnd[]): Promise<StageAgent> {
    const agents = ends.map(({ project, namespace, name, nodeId }) =>
      this.#platform.agent(project, name, { namespace, nodeId, everyMs: 1_000 }),
    );
    this.#agents.push(...agents);
    const start = async (): Promise<void> => agents.forEach((agent) => agent.start());
    const stop = async (): Promise<void> => agents.forEach((agent) => agent.stop());
    await start();
    return { start, resume: start, kill: stop, pause: stop };
  }

  async ask(edge: string, site: Site, path = '/'): Promise<Answer> {
    const served = this.#platform.serve(edge, site.hostname, { path, turn: this.#turn++ });
    if (!('cluster' in served)) return { body: '', ...served };
    const { tunnel } = served;
    if (!tunnel) return { status: 200, body: '' };
    this.#tunnels.push({ authority: tunnel.target, nodeId: tunnel.nodeId });
    return { status: 200, body: this.bodyOf(tunnel.nodeId, path) };
  }

  async tunnels(nodeId: string): Promise<readonly Tunnel[]> {
    return this.#tunnels.filter((tunnel) => tunnel.nodeId === nodeId);
  }

  bodyOf(nodeId: string, path: string): string {
    return `${nodeId} ${path}`;
  }

  now(): number {
    return this.#platform.clock.monotonic();
  }

  wall(): EpochMs {
    return this.#platform.clock.now();
  }

  async until(what: string, holds: () => Promise<boolean>, limitMs: DurationMs = 60_000): Promise<DurationMs> {
    const from = this.now();
    while (!(await holds())) {
      if (this.now() - from > limitMs) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
      await this.#platform.clock.sleep(pollMs);
    }
    return this.now() - from;
  }

  /** How many answers its Envoys have refused. */
  get rejected(): number {
    return this.#platform.rejected;
  }

  get #hands() {
    return this.#platform.world.hands('user');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents) agent.stop();
    await this.#platform[Symbol.asyncDispose]();
  }
}
