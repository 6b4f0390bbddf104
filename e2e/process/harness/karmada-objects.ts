/** What Karmada is told, the small one as the real: who its members are, and what goes to them. */
import {
  Backend,
  BackendTLSPolicy,
  ClusterPropagationPolicy,
  ConfigMap,
  Connector,
  findCondition,
  Gateway,
  HTTPProxy,
  HTTPRoute,
  KarmadaCluster,
  type Kind,
  labels,
  Namespace,
  Secret,
} from '@lifeline/core';
import { type Client, isKubeError } from '@lifeline/k8s';
import { until } from '../../until.ts';
import { edges } from './names.ts';

const { signal } = new AbortController();

/** What the platform's operators have: everything that the replicator makes, to every edge. */
export async function createPolicy(client: Client): Promise<void> {
  const selected = (kind: Kind, key: string): object => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  const copied = [Connector, HTTPProxy, Backend, Gateway, HTTPRoute, BackendTLSPolicy];
  const policy = {
    metadata: { name: 'lifeline' },
    spec: {
      conflictResolution: 'Overwrite',
      resourceSelectors: [
        ...copied.map((kind) => selected(kind, labels.upstreamCluster)),
        ...[Namespace, ConfigMap, Secret].map((kind) => selected(kind, labels.upstreamNamespace)),
      ],
      placement: { clusterAffinity: { clusterNames: [...edges] } },
    },
  };
  await unlessThere(client.create(ClusterPropagationPolicy, policy as never, { signal }));
}

/** Makes a Cluster of an edge, and waits until Karmada has found it ready. */
export async function joinMember(client: Client, edge: string, spec: object): Promise<void> {
  await unlessThere(client.create(KarmadaCluster, { metadata: { name: edge }, spec } as never, { signal }));
  await until(
    async () => (await client.get(KarmadaCluster, { name: edge }, { signal })).status,
    (status) => findCondition(status?.conditions, 'Ready')?.status === 'True',
  );
}

/** Karmada may have been started before. */
async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}
