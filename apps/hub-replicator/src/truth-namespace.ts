/** The Namespace on the hub of what travels to every edge and is nobody's copy. */
import { fieldManagers, Namespace, truthLabels, truthNamespace } from '@lifeline/core';
import { type Client, isKubeError } from '@lifeline/k8s';

const fieldManager = fieldManagers.hubReplicator;

/** Makes it, or puts back labels that it lost: without them it does not travel to edges that are new. Other labels stay. One read at rest. */
export async function keepTruthNamespace(
  client: Pick<Client, 'find' | 'create' | 'patch'>,
  installation: string,
  signal: AbortSignal,
): Promise<void> {
  const name = { name: truthNamespace };
  const metadata = { labels: truthLabels(installation) };
  const found = await client.find(Namespace, name, { signal });
  if (found === undefined)
    await createOnce(client.create(Namespace, { metadata: { ...name, ...metadata } }, { signal, fieldManager }));
  else if (Object.entries(metadata.labels).some(([key, value]) => found.metadata.labels?.[key] !== value))
    await client.patch({ kind: Namespace, name }, { type: 'merge', body: { metadata } }, { signal, fieldManager });
}

/** Of several replicas that begin at once the first one's object stays. */
export async function createOnce(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}
