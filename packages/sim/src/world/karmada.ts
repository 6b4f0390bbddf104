/** The small Karmada of a world: over its hub, with some of its planes as members. */
import { KarmadaCluster, keyOf, type Kind, kindById, type KubeObject, seeded } from '@lifeline/core';
import { connection } from '@lifeline/k8s/testing';
import {
  createPropagation,
  type HopName,
  hopNames,
  type Propagation,
  type PropagationOptions,
} from '@lifeline/propagation';
import type { HopControls } from '../faults/hop-faults.ts';
import { kindIdOf } from '../oracles/truth.ts';
import type { World } from './world.ts';

export interface KarmadaSpec extends Pick<PropagationOptions, 'settings' | 'delays' | 'carries'> {
  readonly hub: string;
  readonly members: readonly string[];
}

/** Who Karmada is on record: none of ours. */
const actor = 'karmada';

export class Karmada {
  readonly controls: HopControls;
  readonly propagation: Propagation;
  readonly #world: World;
  readonly #spec: KarmadaSpec;
  #findsNone = false;

  constructor(world: World, { hub, members, ...options }: KarmadaSpec) {
    this.#world = world;
    this.#spec = { hub, members, ...options };
    const direct = (plane: string): ReturnType<World['wires']['direct']> =>
      world.wires.direct({ actor, incarnation: 0 }, world.plane(plane));
    this.propagation = createPropagation({
      ...options,
      clock: world.clock,
      random: seeded(`${world.seed}/karmada`),
      hub: { transport: direct(hub), baseUrl: world.plane(hub).url },
      members: ({ server }, life) => {
        const member = [...world.planes.values()].find(({ url }) => url === server);
        if (!member) throw new TypeError(`no plane at ${server}`);
        return connection(direct(member.name), life);
      },
      faults: { findsNoCluster: () => this.#findsNone },
    });
    this.controls = {
      pause: (random) => this.#pause(random),
      delay: (ms) => this.#delay(ms),
      clearStatus: () => this.#clearStatus(),
      noCluster: () => this.#noCluster(),
    };
  }

  /** Starts it and joins the members. */
  async start(): Promise<void> {
    const { hub, members } = this.#spec;
    this.propagation.start();
    for (const name of members)
      await this.#world.hands('operator').create(hub, KarmadaCluster, {
        metadata: { name },
        spec: { syncMode: 'Push', apiEndpoint: this.#world.plane(name).url },
      });
  }

  /** Starts its processes anew, with nothing in memory. */
  async restart(): Promise<void> {
    await this.propagation.stop();
    if (!this.#world.signal.aborted) this.propagation.start();
  }

  /** In an order of its own: what was kept passes hop by hop. */
  #pause(random: () => number): Disposable {
    const { hops } = this.propagation;
    for (const hop of hopNames) hops.pause(hop);
    const left = hopNames.map((hop): readonly [HopName, number] => [hop, random()]).sort(([, a], [, b]) => a - b);
    return { [Symbol.dispose]: () => left.forEach(([hop]) => hops.resume(hop)) };
  }

  #delay(ms: number): Disposable {
    const { hops } = this.propagation;
    for (const hop of hopNames) hops.slow(hop, [0, ms]);
    return { [Symbol.dispose]: () => hopNames.forEach((hop) => hops.slow(hop, undefined)) };
  }

  /** A binding that no cluster fitted is not looked at again until a cluster changes: in the end they do. */
  #noCluster(): Disposable {
    this.#findsNone = true;
    return {
      [Symbol.dispose]: () => {
        this.#findsNone = false;
        const { hub, members } = this.#spec;
        const body = { metadata: { labels: { 'example.com/fits-since': `${this.#world.clock.now()}` } } };
        for (const name of members)
          this.#world.spawn(
            this.#world.hands('operator').patch(hub, { kind: KarmadaCluster, name: { name } }, { type: 'merge', body }),
          );
      },
    };
  }

  /** What an aggregation over nothing writes: an empty status, on every template that has one. */
  #clearStatus(): number {
    const { hub } = this.#spec;
    const { audit, truth } = this.#world;
    const templates = new Map<string, KubeObject & { readonly kindOf: Kind }>();
    for (const { plane, revision } of audit.writes) {
      const kind = kindById(kindIdOf(revision.object));
      if (plane !== hub || !kind?.statusSubresource || notTemplates.test(kind.group)) continue;
      const now = truth.get(plane, kind, revision.object.metadata);
      if (now && 'status' in now) templates.set(`${kind.id} ${keyOf(now)}`, { ...now, kindOf: kind });
    }
    for (const { kindOf: kind, metadata: name } of templates.values())
      this.#world.spawn(
        this.#world
          .hands(actor)
          .patch(hub, { kind, name, subresource: 'status' }, { type: 'merge', body: { status: null } }),
      );
    return templates.size;
  }
}

/** Karmada's own kinds and Kubernetes' are no templates with a status of members. */
const notTemplates = /^$|(^|\.)k(armada|8s)\.io$/;
