/** How many connectors of the engaged planes are online, and which node ids several projects use. */
import {
  classifyStatus,
  Connector,
  isMappedNamespace,
  metricDefinitions,
  nodeIdKey,
  writtenNodeId,
} from '@lifeline/core';
import type { Cluster, ClusterProvider, Env, ObjectEvent } from '@lifeline/k8s';

export interface CensusOptions {
  readonly projects: ClusterProvider;
  readonly metrics: Env['metrics'];
  /** Project and hub are one API server: what says that it is a copy is not counted. Default false. */
  readonly isSingle?: boolean | undefined;
}

/**
 * Shows `lifeline_connectors` and `lifeline_shared_node_ids` until disposed. Counted as events come: a scrape looks at no connector.
 *
 * In a project plane the live status is the truth: an annotation that looks like a mirrored one is a tenant's. Of several replicas each
 * counts the planes that it has engaged.
 */
export function connectorCensus({ projects, metrics, isSingle = false }: CensusOptions): Disposable {
  const parts = new DisposableStack();
  const total = new Census();
  const series = parts.use(new DisposableStack());
  series.use(
    metrics.collect(metricDefinitions.connectors, () => [
      { labels: { state: 'online' }, value: total.online },
      { labels: { state: 'offline' }, value: total.offline },
      // Every connector of a cache has a status that can be read, if only as offline.
      { labels: { state: 'unknown' }, value: 0 },
    ]),
  );
  series.use(metrics.collect(metricDefinitions.sharedNodeIds, () => [{ labels: {}, value: total.shared }]));
  const engaged = new Set<Disposable>();
  parts.defer(() => {
    for (const each of [...engaged]) each[Symbol.dispose]();
  });
  parts.use(
    projects.subscribe((cluster) => {
      const counting = count(cluster, new ProjectCensus(total, isSingle));
      counting.defer(() => engaged.delete(counting));
      engaged.add(counting);
    }),
  );
  return parts;
}

/** Counts the connectors of one plane until it is disengaged, or disposed. */
function count(cluster: Cluster, project: ProjectCensus): DisposableStack {
  const parts = new DisposableStack();
  const end = (): void => parts.dispose();
  cluster.signal.addEventListener('abort', end, { once: true });
  parts.defer(() => cluster.signal.removeEventListener('abort', end));
  parts.use(project);
  parts.use(cluster.informer(Connector).subscribe((event) => project.hear(event)));
  return parts;
}

class Census {
  online = 0;
  offline = 0;
  /** Node ids that more than one project uses. */
  shared = 0;
  /** How many projects use a node id. */
  readonly #projects = new Map<string, number>();

  /** One project more, or one less, uses a node. */
  use(node: string, change: 1 | -1): void {
    const before = this.#projects.get(node) ?? 0;
    const after = before + change;
    this.shared += Number(after > 1) - Number(before > 1);
    if (after > 0) this.#projects.set(node, after);
    else this.#projects.delete(node);
  }
}

/** One project's part in it. Invariant: it takes out exactly what it put in. */
class ProjectCensus implements Disposable {
  readonly #total: Census;
  readonly #isSingle: boolean;
  /** How many connectors of the project use a node id, online or not. */
  readonly #nodes = new Map<string, number>();
  #online = 0;
  #offline = 0;

  constructor(total: Census, isSingle: boolean) {
    this.#total = total;
    this.#isSingle = isSingle;
  }

  hear(event: ObjectEvent<Connector>): void {
    switch (event.type) {
      case 'added':
        return this.#count(event.object, 1);
      case 'deleted':
        return this.#count(event.object, -1);
      case 'updated':
        this.#count(event.old, -1);
        return this.#count(event.object, 1);
      case 'malformed':
        if (event.old) this.#count(event.old, -1);
    }
  }

  [Symbol.dispose](): void {
    for (const node of this.#nodes.keys()) this.#total.use(node, -1);
    this.#move(-this.#online, -this.#offline);
    this.#nodes.clear();
  }

  #count(connector: Connector, change: 1 | -1): void {
    // A copy has the labels of a mapped namespace.
    if (this.#isSingle && isMappedNamespace(connector)) return;
    const { status } = connector;
    if (classifyStatus(status).state === 'online') this.#move(change, 0);
    else this.#move(0, change);
    const written = writtenNodeId(status);
    const node = typeof written === 'string' ? nodeIdKey(written) : undefined;
    if (node === undefined) return;
    const before = this.#nodes.get(node) ?? 0;
    const after = before + change;
    if (after > 0) this.#nodes.set(node, after);
    else this.#nodes.delete(node);
    if (before === 0 || after === 0) this.#total.use(node, change);
  }

  #move(online: number, offline: number): void {
    this.#online += online;
    this.#offline += offline;
    this.#total.online += online;
    this.#total.offline += offline;
  }
}
