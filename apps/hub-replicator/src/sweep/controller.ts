/** Removes what a project left on the hub, once the project itself is known to be gone. */
import {
  allKinds,
  annotations,
  annotationTrue,
  ConfigMap,
  fieldManagers,
  type Kind,
  keyOf,
  KubeEvent,
  labels,
  labelSelectors,
  Namespace,
  objectKey,
  ownershipOf,
} from '@lifeline/core';
import {
  type ClusterProvider,
  type Controller,
  defineController,
  deleteWrite,
  isKubeError,
  type MetadataObject,
  type ReconcileContext,
  type ReconcileResult,
  type ScopedCluster,
  watch,
} from '@lifeline/k8s';
import type { SweepGate } from './gate.ts';
import { projectOf } from './mapped-namespace.ts';

export interface ProjectSweepOptions {
  readonly hub: ClusterProvider;
  /** Where the projects themselves stand, and as what. */
  readonly authority: { readonly provider: ClusterProvider; readonly kind: Kind };
  /** The kinds that this installation makes copies of. */
  readonly kinds: readonly Kind[];
  readonly installation: string;
  readonly gate: SweepGate;
  /** Whether this replica looks after a project. */
  readonly holds: (project: string) => boolean;
  /** Projects that are gone because an operator says so, however little the control plane seems to know. Default: none. */
  readonly believed?: readonly string[] | undefined;
}

const owner = fieldManagers.hubReplicator;
const index = 'project';
/** What a Namespace holds of its own accord. */
const furniture = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default']);

/**
 * One request for each project of which the hub holds anything: its Namespaces there say its name.
 *
 * Guarantees: nothing is deleted unless the control plane's cache is synced and not empty, and knows one of the projects that the hub has
 * copies of, where there are several; a live read names the project as not found, and that was so for the whole minimum age; only objects that carry this installation are deleted, by uid, and no more than the gate permits; a
 * Namespace goes last, when it holds nothing else.
 */
export function projectSweep(options: ProjectSweepOptions): Controller {
  const { hub, authority, kinds, gate, holds } = options;
  const right = { plane: hub.plane, owner } as const;
  return defineController({
    name: 'project-sweep',
    watches: [
      watch(hub, Namespace, {
        labelSelector: labelSelectors.copies,
        metadataOnly: true,
        indexes: { [index]: (namespace) => toList(projectOf(namespace)) },
        mapper: (namespace) => toList(projectOf(namespace)).map(requestOf),
      }),
      watch(authority.provider, authority.kind, {
        metadataOnly: true,
        mapper: ({ metadata }) => [requestOf(metadata.name)],
      }),
    ],
    writes: [
      ...sweptKinds(kinds).map((kind) => ({ ...right, kind, verbs: ['delete'] as const, fields: [], reads: true })),
      {
        ...right,
        kind: Namespace,
        verbs: ['patch', 'delete'],
        fields: [`metadata.annotations["${annotations.upstreamProjectDeleted}"]`],
      },
    ],
    reads: allKinds.filter(({ scope }) => scope === 'Namespaced').map((kind) => ({ plane: hub.plane, kind })),
    floorMs: gate.rules.everyMs,
    workers: 1,
    async reconcile({ cluster: project }, context) {
      if (!holds(project)) return {};
      const gone = await isGone(project, options, context);
      if (gone === 'no') {
        gate.forget(project);
        return {};
      }
      if (gone === 'unsure') {
        gate.count('refused');
        return { after: gate.rules.everyMs };
      }
      return new ProjectSweep(project, options, context).run();
    },
  });
}

const requestOf = (project: string): { cluster: string; key: ReturnType<typeof objectKey> } => ({
  cluster: project,
  key: objectKey({ name: project }),
});

/** Anchors are ConfigMaps: they go last, since what they own goes with them. */
const sweptKinds = (kinds: readonly Kind[]): readonly Kind[] => [
  ...kinds.filter((kind) => kind.id !== ConfigMap.id),
  ConfigMap,
];

/**
 * `unsure`: a control plane that knows no project at all, or none of those that the hub has copies of, is not believed: it is another one, or has
 * lost its data. Of a single project on the hub it may be so.
 */
async function isGone(
  project: string,
  { authority, hub, installation, believed = [] }: ProjectSweepOptions,
  { cluster, signal }: ReconcileContext,
): Promise<'yes' | 'no' | 'unsure'> {
  const plane = cluster(authority.provider);
  const projects = plane.store(authority.kind);
  const isKnown = (name: string): boolean => projects.has(objectKey({ name }));
  if (isKnown(project)) return 'no';
  if (!believed.includes(project)) {
    const copied = projectsOnHub(cluster(hub).store(Namespace).list(), installation);
    if (projects.size === 0 || (copied.size > 1 && ![...copied].some(isKnown))) return 'unsure';
  }
  return (await plane.live.findMetadata(authority.kind, { name: project }, { signal })) ? 'no' : 'yes';
}

/** The projects that this installation has a Namespace of. */
function projectsOnHub(namespaces: Iterable<Namespace>, installation: string): ReadonlySet<string> {
  const projects = new Set<string>();
  for (const namespace of namespaces) {
    const project = ownershipOf(namespace, installation) === 'ours' ? projectOf(namespace) : undefined;
    if (project !== undefined) projects.add(project);
  }
  return projects;
}

class ProjectSweep {
  readonly #project: string;
  readonly #options: ProjectSweepOptions;
  readonly #context: ReconcileContext;
  readonly #hub: ScopedCluster;
  #orphans = 0;
  /** When what was held back may be looked at again. */
  #again: number | undefined;

  constructor(project: string, options: ProjectSweepOptions, context: ReconcileContext) {
    this.#project = project;
    this.#options = options;
    this.#context = context;
    this.#hub = context.cluster(options.hub);
  }

  async run(): Promise<ReconcileResult> {
    const { gate } = this.#options;
    const namespaces = this.#hub.store(Namespace).byIndex(index, this.#project);
    if (namespaces.length === 0) {
      gate.forget(this.#project);
      return {};
    }
    const youngMs = gate.youngFor(this.#project);
    if (youngMs > 0) {
      gate.count('young');
      return { after: youngMs };
    }
    for (const namespace of namespaces) await this.#sweep(namespace);
    gate.found(this.#project, this.#orphans);
    return this.#again === undefined ? {} : { after: this.#again };
  }

  async #sweep(namespace: Namespace): Promise<void> {
    const { gate, installation, kinds } = this.#options;
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
          { cluster: this.#project, kind: kind.kind, namespace: name, name: object.metadata.name },
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
        { cluster: this.#project, namespace: name, holds: other },
        'kept: the namespace of a project that is gone holds what is not ours',
      );
      return;
    }
    if (namespace.metadata.deletionTimestamp || !this.#permitted()) return;
    await this.#hub.write(deleteWrite(Namespace, namespace), { signal });
    gate.count('deleted');
    log.info({ cluster: this.#project, namespace: name }, 'swept: the namespace of a project that is gone');
  }

  #permitted(): boolean {
    const permit = this.#options.gate.permit(this.#project);
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

const toList = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
