/** The project that a hub object names, as long as it is engaged here. */
import {
  type ClusterLookup,
  decodeCluster,
  encodeCluster,
  labels,
  type KubeObject,
  upstreamOf,
  encodeLabel,
  type Kind,
  objectKey,
  decodeLabel,
} from '@lifeline/core';
import type { Cluster, ClusterProvider, ReconcileRequest } from '@lifeline/k8s';

const plainPrefix = 'cluster-';

/**
 * The projects that are engaged here, suspended ones included. Lives as long as their provider.
 *
 * Found by label without a list of them: a plain label can be read back, since no name that holds `_` is ever written plainly. A short one
 * without its annotation cannot.
 */
export class EngagedProjects implements ClusterLookup {
  readonly #clusters = new Map<string, Cluster>();
  readonly #gone: ((cluster: string) => void)[] = [];

  constructor(projects: ClusterProvider) {
    projects.subscribe((cluster) => {
      const { name, signal } = cluster;
      this.#clusters.set(name, cluster);
      const onEnd = (): void => {
        if (this.#clusters.get(name) !== cluster) return;
        this.#clusters.delete(name);
        for (const tell of this.#gone) tell(name);
      };
      signal.addEventListener('abort', onEnd, { once: true });
    });
  }

  /** Tells, from now on, which projects are not looked after here any more. What is remembered of one is dropped then. */
  whenGone(tell: (cluster: string) => void): void {
    this.#gone.push(tell);
  }

  has(name: string): boolean {
    return this.#clusters.has(name);
  }

  get(name: string): Cluster | undefined {
    return this.#clusters.get(name);
  }

  byLabel(label: string | undefined): string | undefined {
    const name = label === undefined ? '' : label.slice(plainPrefix.length).replaceAll('_', '/');
    return encodeCluster(name)?.label === label && this.has(name) ? name : undefined;
  }
}

export type Mapped =
  | { readonly at: 'request'; readonly request: ReconcileRequest }
  /** Of another kind, no copy at all, or of a project that is not looked after here. */
  | { readonly at: 'none' }
  /** It says that it is a copy of the kind, and the label under `key` cannot be read. */
  | { readonly at: 'unreadable'; readonly key: string };

/** The upstream object that a copy or an anchor names, as a request of its kind's controller. */
export function requestOfCopy(kind: Kind, object: KubeObject, engaged: EngagedProjects): Mapped {
  const marks = object.metadata.labels ?? {};
  const isOfKind =
    marks[labels.upstreamKind] === encodeLabel(kind.kind).label &&
    marks[labels.upstreamGroup] === encodeLabel(kind.group).label;
  if (!isOfKind) return { at: 'none' };
  const decoded = upstreamOf(object, engaged);
  switch (decoded.state) {
    case 'unmarked':
      return { at: 'none' };
    case 'undecodable':
      return isOfUnknownProject(decoded.key, object) ? { at: 'none' } : { at: 'unreadable', key: decoded.key };
    case 'decoded': {
      const { cluster, namespace, name } = decoded.upstream;
      if (!engaged.has(cluster)) return { at: 'none' };
      return { at: 'request', request: { cluster, key: objectKey({ namespace, name }) } };
    }
  }
}

/** Nothing is wrong with it: nobody looks after its project here. */
function isOfUnknownProject(key: string, { metadata }: KubeObject): boolean {
  const exact = metadata.annotations?.[labels.upstreamCluster];
  return key === labels.upstreamCluster && exact === undefined;
}

/** The upstream Namespace that a downstream one names, as a request. The Go system wrote cluster and namespace only. */
export function requestOfNamespace(object: KubeObject, engaged: EngagedProjects): ReconcileRequest | undefined {
  const marks = object.metadata.labels ?? {};
  const exact = object.metadata.annotations ?? {};
  const { upstreamCluster, upstreamNamespace } = labels;
  const name = decodeLabel(marks[upstreamNamespace], exact[upstreamNamespace]);
  const decoded = decodeCluster(marks[upstreamCluster], exact[upstreamCluster], engaged);
  if (name === undefined || decoded.state !== 'decoded' || !engaged.has(decoded.cluster)) return undefined;
  return { cluster: decoded.cluster, key: objectKey({ name }) };
}
