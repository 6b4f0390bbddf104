/** The hub as the controllers see it: Karmada's own objects in caches, and one way to write. */
import {
  ClusterOverridePolicy,
  ClusterPropagationPolicy,
  ClusterResourceBinding,
  KarmadaCluster,
  type Kind,
  type KubeObject,
  Namespace,
  OverridePolicy,
  parseKey,
  PropagationPolicy,
  ResourceBinding,
  ResourceInterpreterCustomization,
  Work,
} from '@lifeline/core';
import type { IndexFunction, SharedInformer } from '@lifeline/k8s';
import type { Overrides } from './binding/overrides.ts';
import { annotationOf, labelOf, unchecked } from './manifest.ts';
import type { Policy } from './policy/claim.ts';
import type { Policies } from './policy/choose.ts';
import { type CacheParts, cacheOf } from './runtime/caches.ts';
import type { Held, Plane } from './runtime/plane.ts';
import { annotations, finalizers, labels } from './words.ts';

/** A binding of either kind. */
export type Binding = ResourceBinding;

/** The two kinds of bindings differ in their scope, and in what they are called. */
export interface BindingKind {
  readonly kind: Kind<Binding>;
  readonly cache: SharedInformer<Binding>;
  readonly idLabel: string;
  readonly finalizer: string;
}

const index = {
  /** Bindings and Works by the permanent id of the policy, or of the binding. */
  id: 'id',
  /** Policies of a namespace. */
  namespace: 'namespace',
} as const;

const byLabels =
  (...keys: readonly string[]): IndexFunction<KubeObject> =>
  (object) =>
    keys.flatMap((key) => labelOf(object, key) ?? []);

const byNamespace: IndexFunction<KubeObject> = ({ metadata }) => (metadata.namespace ? [metadata.namespace] : []);

const policyIds = byLabels(labels.policyId, labels.clusterPolicyId);
const bindingIds = byLabels(labels.bindingId, labels.clusterBindingId);

export class Hub {
  readonly plane: Plane;
  readonly works: SharedInformer<Work>;
  readonly clusters: SharedInformer<KarmadaCluster>;
  readonly namespaces: SharedInformer<Namespace>;
  readonly policies: SharedInformer<PropagationPolicy>;
  readonly clusterPolicies: SharedInformer<ClusterPropagationPolicy>;
  readonly overrides: SharedInformer<OverridePolicy>;
  readonly clusterOverrides: SharedInformer<ClusterOverridePolicy>;
  readonly customizations: SharedInformer<ResourceInterpreterCustomization>;
  readonly bindingKinds: { readonly Namespaced: BindingKind; readonly Cluster: BindingKind };
  readonly #caches: SharedInformer<never>[] = [];

  constructor(plane: Plane, parts: CacheParts) {
    this.plane = plane;
    const cache = <T extends KubeObject>(
      kind: Kind<T>,
      indexes: Readonly<Record<string, IndexFunction<KubeObject>>> = {},
    ): SharedInformer<T> => {
      const made = cacheOf(kind, { client: plane.client, plane: 'hub', cluster: 'hub' }, parts);
      made.addIndexes(indexes);
      this.#caches.push(made as unknown as SharedInformer<never>);
      return made;
    };
    const binding = (kind: Kind<Binding>, idLabel: string, finalizer: string): BindingKind => ({
      kind,
      cache: cache(kind, { [index.id]: policyIds }),
      idLabel,
      finalizer,
    });
    this.works = cache(unchecked(Work), { [index.id]: bindingIds });
    this.clusters = cache(KarmadaCluster);
    this.namespaces = cache(unchecked(Namespace));
    this.policies = cache(PropagationPolicy, { [index.namespace]: byNamespace });
    this.clusterPolicies = cache(ClusterPropagationPolicy);
    this.overrides = cache(OverridePolicy, { [index.namespace]: byNamespace });
    this.clusterOverrides = cache(ClusterOverridePolicy);
    this.customizations = cache(ResourceInterpreterCustomization);
    this.bindingKinds = {
      Namespaced: binding(unchecked(ResourceBinding), labels.bindingId, finalizers.binding),
      Cluster: binding(unchecked(ClusterResourceBinding), labels.clusterBindingId, finalizers.clusterBinding),
    };
  }

  /** Lists and watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#caches.map((cache) => cache.run(signal)));
  }

  /** Resolves when all has been listed. A hub that lacks one of Karmada's kinds never is: a real Karmada ends itself then. */
  async synced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#caches.map((cache) => cache.synced(signal)));
  }

  /** The kind of the binding with this key: one without a namespace is of the cluster. */
  bindingKind(key: string): BindingKind {
    return parseKey(key).namespace === undefined ? this.bindingKinds.Cluster : this.bindingKinds.Namespaced;
  }

  binding(key: string): Binding | undefined {
    return this.bindingKind(key).cache.store.get(key);
  }

  heldBinding(key: string): Held<Binding> {
    const { kind, cache } = this.bindingKind(key);
    return { kind, store: cache.store, key };
  }

  heldWork(key: string): Held<Work> {
    return { kind: this.works.kind, store: this.works.store, key };
  }

  heldCluster(name: string): Held<KarmadaCluster> {
    return { kind: KarmadaCluster, store: this.clusters.store, key: name };
  }

  /** Bindings of either kind. */
  *bindings(): IterableIterator<Binding> {
    yield* this.bindingKinds.Namespaced.cache.store.list();
    yield* this.bindingKinds.Cluster.cache.store.list();
  }

  bindingsOfPolicy(id: string): readonly Binding[] {
    return [
      ...this.bindingKinds.Namespaced.cache.store.byIndex(index.id, id),
      ...this.bindingKinds.Cluster.cache.store.byIndex(index.id, id),
    ];
  }

  /** The permanent id of a binding. Empty until it has one. */
  bindingId(binding: Binding): string {
    const { idLabel } = binding.metadata.namespace ? this.bindingKinds.Namespaced : this.bindingKinds.Cluster;
    return labelOf(binding, idLabel) ?? '';
  }

  worksOf(binding: Binding): readonly Work[] {
    const id = this.bindingId(binding);
    return id ? this.works.store.byIndex(index.id, id) : [];
  }

  /** Override policies that may concern objects of a namespace. */
  overridesOf(namespace: string | undefined): Overrides {
    return {
      ofCluster: [...this.clusterOverrides.store.list()],
      ofNamespace: namespace ? this.overrides.store.byIndex(index.namespace, namespace) : [],
    };
  }

  policiesNow(): Policies {
    return {
      inNamespace: (namespace) =>
        this.policies.store
          .byIndex(index.namespace, namespace)
          .map((object): Policy => ({ scope: 'Namespaced', object })),
      ofCluster: Array.from(this.clusterPolicies.store.list(), (object): Policy => ({ scope: 'Cluster', object })),
    };
  }
}

/** The key of the binding that a Work was made for. Undefined: for none, as those of namespaces. */
export function bindingKeyOf(work: Work): string | undefined {
  const namespace = annotationOf(work, annotations.bindingNamespace);
  const name = annotationOf(work, annotations.bindingName);
  if (namespace && name) return `${namespace}/${name}`;
  return annotationOf(work, annotations.clusterBindingName);
}
