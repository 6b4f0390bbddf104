/** The small Karmada between real planes, as a process: `node harness/karmada.ts`. Ready once `FOLDER/karmada.ready` is there. */
import { writeFile } from 'node:fs/promises';
import {
  BackendTLSPolicy,
  Backend,
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
  systemClock,
  systemRandom,
} from '@lifeline/core';
import { type Client, createTransportFactory, isKubeError, loadEndpoint, systemFiles } from '@lifeline/k8s';
import { createPropagation, recordedSettings } from '@lifeline/propagation';
import { adminClient } from './admin-client.ts';
import { edges, file, hub, kubeconfigOf, type PlaneName } from './names.ts';

const { signal } = new AbortController();
const transports = createTransportFactory({ clock: systemClock, files: systemFiles, userAgent: 'karmada' });
const endpointOf = (plane: PlaneName) =>
  loadEndpoint({ files: systemFiles, variables: {}, signal }, kubeconfigOf(plane));

const hubEndpoint = await endpointOf(hub);
const members = new Map(await Promise.all(edges.map(async (edge) => [edge, await endpointOf(edge)] as const)));
const propagation = createPropagation({
  clock: systemClock,
  random: systemRandom,
  hub: { transport: transports(hubEndpoint, signal), baseUrl: hubEndpoint.server },
  // A Cluster says where it is; the way there is in the member's kubeconfig.
  members: ({ server }, life) => {
    const endpoint = Array.from(members.values()).find((candidate) => candidate.server === server);
    if (!endpoint) throw new Error(`${server} is no member`);
    return transports(endpoint, life);
  },
  settings: recordedSettings,
});
const client = await adminClient(kubeconfigOf(hub), 'karmada');
await ignoringThere(client.create(ClusterPropagationPolicy, policy() as never, { signal }));
propagation.start();
await Promise.all(edges.map((edge) => join(client, edge)));
await writeFile(file('karmada.ready'), '');

/** What the platform's operators have: everything that the replicator makes, to every edge. */
function policy(): object {
  const selected = (kind: Kind, key: string): object => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  const copied = [Connector, HTTPProxy, Backend, Gateway, HTTPRoute, BackendTLSPolicy];
  return {
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
}

async function join(client: Client, edge: (typeof edges)[number]): Promise<void> {
  const spec = { syncMode: 'Push', apiEndpoint: members.get(edge)?.server ?? '' } as const;
  await ignoringThere(client.create(KarmadaCluster, { metadata: { name: edge }, spec }, { signal }));
  for (;;) {
    const { status } = await client.get(KarmadaCluster, { name: edge }, { signal });
    if (findCondition(status?.conditions, 'Ready')?.status === 'True') return;
    await systemClock.sleep(100);
  }
}

/** It may have been started before. */
async function ignoringThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}
