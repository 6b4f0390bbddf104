/** Has the Secrets that SecurityPolicies name replicated, by the label that a user would set, for as long as they are named. */
import {
  annotations,
  type ClusterLookup,
  encodeLabel,
  fieldManagers,
  finalizers,
  hasFinalizer,
  isDeleting,
  isMappedNamespace,
  type KubeObject,
  labels,
  labelSelectors,
  matchesSelector,
  objectKey,
  parseKey,
  parseSelector,
  Secret,
  SecurityPolicy,
  upstreamOf,
} from '@lifeline/core';
import {
  annotationsChanged,
  anyOf,
  type ClusterProvider,
  type Controller,
  defineController,
  type IndexFunction,
  labelsChanged,
  type Mapper,
  type ReconcileRequest,
  type Store,
  watch,
} from '@lifeline/k8s';
import { clusterLabels } from '../mirror/identity-index.ts';
import type { KindPolicy } from '../mirror/policy.ts';
import { labelChange, labelWrite } from './label.ts';
import { policiesNaming, secretIndexes } from './policies-of-secret.ts';
import { secretKeys, secretRefs } from './secret-refs.ts';

export interface SecretLabelsOptions {
  readonly projects: ClusterProvider;
  readonly hub: ClusterProvider;
  /** The project clusters that are engaged. */
  readonly engaged: ClusterLookup;
  /** How SecurityPolicies are replicated: one that is not needs no Secret. */
  readonly policy: Pick<KindPolicy, 'enabled' | 'selector'>;
  /** Project and hub are one API server: copies stand among their sources. Default false. */
  readonly isSingle?: boolean | undefined;
}

/** A cache may be this far behind what a live read showed. */
const staleRecheckMs = 5_000;

/**
 * Requests are Secrets, so it does not matter which comes first: the policy, or the Secret it names.
 *
 * A Secret keeps the label until no policy that is replicated names it, and no copy on the hub does: a copy that is yet to be changed or deleted
 * must not outlive its Secret.
 */
export function secretLabels({ projects, hub, engaged, policy, isSingle = false }: SecretLabelsOptions): Controller {
  const selector = parseSelector(policy.selector ?? '');
  const isSource = (object: KubeObject): boolean => !isSingle || !isMappedNamespace(object);
  /** It has a copy, or is to have one. */
  const counts = (object: KubeObject): boolean =>
    isSource(object) &&
    (hasFinalizer(object, finalizers.replicator) ||
      (policy.enabled && !isDeleting(object) && matchesSelector(selector, object.metadata.labels ?? {})));

  return defineController({
    name: 'secret-labels',
    watches: [
      watch(projects, SecurityPolicy, { indexes: secretIndexes, mapper: secretsOf }),
      watch(projects, Secret, {
        metadataOnly: true,
        predicate: anyOf(labelsChanged, annotationsChanged),
        mapper: (secret, cluster) => (isSource(secret) ? [requestFor(cluster, secret.metadata)] : []),
      }),
      watch(hub, SecurityPolicy, {
        labelSelector: labelSelectors.copies,
        indexes: copiedSecretIndexes,
        mapper: secretsOfCopy(engaged),
      }),
    ],
    writes: [
      {
        plane: projects.plane,
        kind: Secret,
        verbs: ['patch'],
        fields: [
          `metadata.labels["${labels.gatewaySync}"]`,
          `metadata.annotations["${annotations.gatewaySyncManaged}"]`,
        ],
        owner: fieldManagers.hubReplicator,
      },
    ],
    async reconcile(request, { cluster, signal }) {
      const project = cluster(projects, request.cluster);
      const secret = project.store(Secret).get(request.key);
      if (!secret) return {};
      const isNamed = policiesNaming(project.store(SecurityPolicy), request.key).some(counts);
      const change = labelChange(secret, isNamed);
      if (change === 'none') return {};
      if (change === 'remove') {
        if (isCopied(cluster(hub).store(SecurityPolicy), request)) return {};
        const { namespace } = parseKey(request.key);
        const { items } = await project.live.list(SecurityPolicy, { namespace, signal });
        if (items.some((item) => counts(item) && secretKeys(item).includes(request.key)))
          return { after: staleRecheckMs };
      }
      await project.write(labelWrite(secret, change), { signal });
      return {};
    },
  });
}

const requestFor = (cluster: string, { namespace, name }: KubeObject['metadata']): ReconcileRequest => ({
  cluster,
  key: objectKey({ namespace, name }),
});

const secretsOf: Mapper<KubeObject> = (policy, cluster) => secretKeys(policy).map((key) => ({ cluster, key }));

const secretsOfCopy =
  (engaged: ClusterLookup): Mapper<KubeObject> =>
  (copy) => {
    const decoded = upstreamOf(copy, engaged);
    if (decoded.state !== 'decoded') return [];
    const { cluster, namespace } = decoded.upstream;
    return secretRefs(copy).map(({ name }) => ({ cluster, key: objectKey({ namespace, name }) }));
  };

const copiedSecretIndex = 'copied-secret';

/** By what a copy's labels say, so that it does not matter which clusters are engaged when it comes. */
const copiedSecretIndexes = {
  [copiedSecretIndex]: (copy) => {
    const { [labels.upstreamCluster]: cluster = '', [labels.upstreamNamespace]: namespace = '' } =
      copy.metadata.labels ?? {};
    return secretRefs(copy).map(({ name }) => copiedSecret(cluster, namespace, name));
  },
} as const satisfies Readonly<Record<string, IndexFunction<KubeObject>>>;

const copiedSecret = (...labelled: readonly string[]): string => JSON.stringify(labelled);

function isCopied(copies: Store<KubeObject>, { cluster, key }: ReconcileRequest): boolean {
  const { namespace = '', name } = parseKey(key);
  const { label } = encodeLabel(namespace);
  return clusterLabels(cluster).some(
    (known) => copies.byIndex(copiedSecretIndex, copiedSecret(known, label, name)).length > 0,
  );
}
