/** A tunnel agent in a customer's network: it renews its connector's Lease, and says how it can be dialled. */
import { Connector, type DurationMs, type EpochMs, formatMicroTime, Lease } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';
import type { World } from '@lifeline/sim';

export interface AgentOptions {
  readonly namespace?: string | undefined;
  readonly nodeId?: string | undefined;
  /** Default 10 s. */
  readonly everyMs?: DurationMs | undefined;
  /** How far its machine's clock is off. */
  readonly skewMs?: DurationMs | undefined;
}

export interface AgentPlace extends AgentOptions {
  readonly project: string;
  readonly name: string;
}

export const nodeId = 'a'.repeat(64);

export class Agent implements Disposable {
  /** When it last renewed, on the world's clock. */
  renewedAt: number | undefined;
  #timer: Disposable | undefined;
  /** The Connector that has its details. */
  #told: string | undefined;
  readonly #world: World;
  readonly #place: AgentPlace;

  constructor(world: World, place: AgentPlace) {
    this.#world = world;
    this.#place = place;
  }

  /** Renews now and from now on, and writes its connection details, to each Connector that it finds under its name. */
  start(): this {
    this.#told = undefined;
    this.#beat();
    return this;
  }

  /** It is gone: nothing says so but silence. */
  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  #beat(): void {
    const { everyMs = 10_000 } = this.#place;
    this.#timer = this.#world.timer(everyMs, () => this.#beat());
    this.#world.spawn(this.tell());
    this.renew();
  }

  /** Once. */
  renew(): void {
    this.#world.spawn(this.#renew());
  }

  async #renew(): Promise<void> {
    const { project, namespace = 'default', name, skewMs = 0 } = this.#place;
    const renewTime = formatMicroTime((this.#world.clock.now() + skewMs) as EpochMs);
    const body = { spec: { holderIdentity: `agent-${name}`, renewTime } };
    const target = { kind: Lease, name: { namespace, name } };
    const renewed = await ifThere(this.#hands.patch(project, target, { type: 'merge', body }));
    if (renewed) this.renewedAt = this.#world.clock.monotonic();
  }

  /** Writes its connection details, unless the Connector of its name has them. */
  async tell(): Promise<void> {
    const { project, namespace = 'default', name, nodeId: id = nodeId } = this.#place;
    const target = { kind: Connector, name: { namespace, name }, subresource: 'status' } as const;
    const { uid } = this.#world.plane(project).api.get(Connector, target.name)?.metadata ?? {};
    if (uid === undefined || uid === this.#told) return;
    const publicKey = { id, discoveryMode: 'DNS', homeRelay: 'https://relay.example/', addresses: [] };
    const body = { status: { connectionDetails: { type: 'PublicKey', publicKey } } };
    const found = await ifThere(this.#hands.patch(project, target, { type: 'merge', body }));
    this.#told = found?.metadata.uid ?? this.#told;
  }

  get #hands(): ReturnType<World['hands']> {
    return this.#world.hands('agent');
  }
}

/** An agent that finds nothing tries again with its next beat. */
async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}
