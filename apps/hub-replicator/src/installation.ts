/** Which installation this is: written on the hub once, by the first replicator, and the same for ever after. */
import {
  ConfigMap,
  describeError,
  fieldManagers,
  installationConfigMap,
  installationKey,
  isInstallationId,
  labels,
  labelSelectors,
  Namespace,
  PlatformError,
  truthNamespace,
} from '@lifeline/core';
import type { Client, Env } from '@lifeline/k8s';
import { createOnce, keepTruthNamespace } from './truth-namespace.ts';

/** What is on the hub and what is configured do not agree, or what is on the hub is no id. */
export class InstallationError extends PlatformError<'installation'> {
  constructor(message: string) {
    super('installation', message);
  }
}

export interface InstallationOptions {
  readonly client: Pick<Client, 'find' | 'create' | 'patch' | 'listMetadata'>;
  readonly env: Pick<Env, 'clock' | 'random' | 'log' | 'signal'>;
  /** The configured id, if any. */
  readonly configured: string | undefined;
}

const where = { namespace: truthNamespace, name: installationConfigMap };
const place = `ConfigMap ${where.namespace}/${where.name} on the hub`;
const fieldManager = fieldManagers.hubReplicator;
const pauseMs = { first: 1_000, longest: 30_000 };

/**
 * The id that stands on the hub; where there is none, the configured one, the one that the Namespaces on the hub carry, or a new one is put
 * there. Create only: of two replicas that begin at once the first one's stays. Waits for as long as the hub does not answer.
 *
 * @throws InstallationError when the id on the hub is another one than the configured, or unusable, or lost and not to be told
 * @throws the signal's reason
 */
export async function installationId(options: InstallationOptions): Promise<string> {
  const { clock, log, signal } = options.env;
  for (let waitMs = pauseMs.first; ; waitMs = Math.min(2 * waitMs, pauseMs.longest)) {
    try {
      return await lookUp(options);
    } catch (error) {
      if (error instanceof InstallationError) throw error;
      signal.throwIfAborted();
      log.warn(
        { error: describeError(error), ...where, waitMs },
        'cannot read the installation id on the hub: tries again',
      );
      await clock.sleep(waitMs, signal);
    }
  }
}

async function lookUp(options: InstallationOptions): Promise<string> {
  const { client, env, configured } = options;
  const { random, signal } = env;
  const found = await client.find(ConfigMap, where, { signal });
  if (found) return checked(found, configured);
  const id = configured ?? (await idInUse(options)) ?? random.hex(10);
  await keepTruthNamespace(client, id, signal);
  const object = { metadata: { ...where, labels: { [labels.installation]: id } }, data: { [installationKey]: id } };
  await createOnce(client.create(ConfigMap, object, { signal, fieldManager }));
  const stands = await client.find(ConfigMap, where, { signal });
  if (!stands) throw new Error('the installation id was deleted as soon as it was made');
  return checked(stands, configured);
}

/** Of an installation whose ConfigMap was lost: with a new id every copy on the hub would be another's. */
async function idInUse({ client, env }: InstallationOptions): Promise<string | undefined> {
  const { items } = await client.listMetadata(Namespace, { labelSelector: labelSelectors.copies, signal: env.signal });
  const ids = new Set(items.flatMap(({ metadata }) => metadata.labels?.[labels.installation] ?? []));
  if (ids.size > 1)
    throw new InstallationError(
      `${place} is missing, and Namespaces on the hub carry several ids (${[...ids].sort().join(', ')}): say in the setting which is this installation's`,
    );
  return [...ids][0];
}

function checked({ data }: ConfigMap, configured: string | undefined): string {
  const id = data?.[installationKey];
  if (id === undefined || !isInstallationId(id))
    throw new InstallationError(
      `${place} holds no usable id under "${installationKey}": put back the one that the labels "${labels.installation}" on the hub carry`,
    );
  if (configured !== undefined && configured !== id)
    throw new InstallationError(
      `${place} says "${id}", the setting says "${configured}": take the setting away, or point this replicator at its own hub`,
    );
  return id;
}
