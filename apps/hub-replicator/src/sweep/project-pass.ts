/** One pass over what a project that is gone left on the hub. */
import {
  allKinds,
  annotations,
  annotationTrue,
  ConfigMap,
  type Kind,
  keyOf,
  KubeEvent,
  labels,
  labelSelectors,
  Namespace,
  ownershipOf,
} from '@lifeline/core';
import {
  deleteWrite,
  isKubeError,
  type MetadataObject,
  type ReconcileContext,
  type ReconcileResult,
  type ScopedCluster,
} from '@lifeline/k8s';
import type { SweepGate } from './gate.ts';

export interface PassOptions {
  readonly project: string;
  /** The hub's Namespaces that say the project's name. */
  readonly namespaces: readonly Namespace[];
  /** The kinds that this installation makes copies of. */
  readonly kinds: readonly Kind[];
  readonly installation: string;
  readonly gate: SweepGate;
}

/** Anchors are ConfigMaps: they go last, since what they own goes with them. */
export const sweptKinds = (kinds: readonly Kind[]): readonly Kind[] => [
  ...kinds.filter((kind) => kind.id !== ConfigMap.id),
  ConfigMap,
];

/** What a Namespace holds of its own accord. */
const furniture = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default']);

/** Deletes what the gate permits, by uid, of what carries this installation; a Namespace goes last, when it holds nothing else. */
export const sweepProject = (
  options: PassOptions,
  hub: ScopedCluster,
  context: Pick<ReconcileContext, 'log' | 'signal'>,
): Promise<ReconcileResult> => new Pass(options, hub, context).run();

class Pass {
  readonly #options: PassOptions;
  readonly #hub: ScopedCluster;
  readonly #context: Pick<ReconcileContext, 'log' | 'signal'>;
  #orphans = 0;
  /** When what was held back may be looked at again. */
  #again: number | undefined;

  constructor(options: PassOptions, hub: ScopedCluster, context: Pick<ReconcileContext, 'log' | 'signal'>) {
    this.#options = options;
    this.#hub = hub;
    this.#context = context;
  }

  async run(): Promise<ReconcileResult> {
    const { gate, namespaces, project } = this.#options;
    for (const namespace of namespaces) await this.#sweep(namespace);
    gate.found(project, this.#orphans);
    return this.#again === undefined ? {} : { after: this.#again };
  }

  async #sweep(namespace: Namespace): Promise<void> {
    const { gate, installation, kinds, project } = this.#options;
    const { log, signal } = this.#context;
    const { name } = namespace.metadata;
    if (ownershipOf(namespace, installation) !== 'ours') {
      gate.count('foreign');
      return;
    }
    if (!gate.rules.dryRun && namespace.metadata.annotations?.[annotations.upstreamProjectDeleted] === undefined) {
      const body = { metadata: { annotations: { [annotations.upstreamProjectDeleted]: annotationTrue } } };
      await this.#hub.write(
        { verb: 'patch', kind: Namespace, name: { name }, patch: { type: 'merge', body } },
        { signal },
      );
    }
    let left = 0;
    for (const kind of sweptKinds(kinds)) {
      for (const object of await this.#list(kind, name, labelSelectors.ours(installation))) {
        // In the Namespace, ours, and of somebody else: whoever made that, it is not this project's.
        if (object.metadata.labels?.[labels.upstreamCluster] !== namespace.metadata.labels?.[labels.upstreamCluster]) {
          gate.count('foreign');
          continue;
        }
        left++;
        if (object.metadata.deletionTimestamp) continue;
        if (!this.#permitted()) continue;
        const done = await this.#hub.write(deleteWrite(kind, object), { signal });
        gate.count('deleted');
        log.info(
          { cluster: project, kind: kind.kind, namespace: name, name: object.metadata.name },
          'swept: its project is gone',
        );
        if (done === 'gone') left--;
      }
    }
    this.#orphans += left;
    if (left > 0) return this.#lookAgain(gate.rules.everyMs);
    const other = await this.#other(name);
    if (other !== undefined) {
      gate.count('foreign');
      log.info(
        { cluster: project, namespace: name, holds: other },
        'kept: the namespace of a project that is gone holds what is not ours',
      );
      return;
    }
    if (namespace.metadata.deletionTimestamp || !this.#permitted()) return;
    await this.#hub.write(deleteWrite(Namespace, namespace), { signal });
    gate.count('deleted');
    log.info({ cluster: project, namespace: name }, 'swept: the namespace of a project that is gone');
  }

  #permitted(): boolean {
    const permit = this.#options.gate.permit(this.#options.project);
    if (permit.at === 'wait') this.#lookAgain(permit.afterMs);
    return permit.at === 'go';
  }

  #lookAgain(afterMs: number): void {
    this.#again = Math.min(this.#again ?? Infinity, afterMs);
  }

  /** Something in the Namespace that nobody but its owner may delete; undefined when it is empty. */
  async #other(namespace: string): Promise<string | undefined> {
    for (const kind of allKinds) {
      if (kind.scope !== 'Namespaced' || kind.id === KubeEvent.id) continue;
      const found = (await this.#list(kind, namespace)).find(
        ({ metadata }) => !furniture.has(`${kind.kind}/${metadata.name}`),
      );
      if (found) return `${kind.kind} ${keyOf(found)}`;
    }
    return undefined;
  }

  /** Read live and to the end; a kind that the hub does not serve has no objects. */
  async #list(kind: Kind, namespace: string, labelSelector?: string): Promise<readonly MetadataObject[]> {
    try {
      const { items } = await this.#hub.live.listMetadata(kind, {
        namespace,
        labelSelector,
        signal: this.#context.signal,
      });
      return items;
    } catch (error) {
      if (isKubeError(error, 'kind-missing')) return [];
      throw error;
    }
  }
}
