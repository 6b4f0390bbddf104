import { describeError, Secret, untilAborted } from '@lifeline/core';
import type { Log } from '../../app/env.ts';
import { parseKubeconfig } from '../../transport/kubeconfig.ts';
import type { Cluster, ClusterProvider, ClusterSource, FleetControl } from '../cluster.ts';
import { followObjects } from './follow-objects.ts';

export interface SecretSourceOptions {
  /** The cluster that holds the Secrets. */
  readonly host: ClusterProvider;
  readonly namespace: string;
  /** As `kubectl -l`. */
  readonly labelSelector: string;
  /** The entry of `data` that holds the kubeconfig. Default `kubeconfig`. */
  readonly dataKey?: string | undefined;
  readonly log: Log;
}

/**
 * A cluster for each selected Secret, named after it. A changed kubeconfig moves the cluster to the new endpoint; one that cannot be read
 * changes nothing and is logged; a deleted Secret disengages its cluster.
 */
export const secretSource =
  (options: SecretSourceOptions): ClusterSource =>
  async (fleet, signal) => {
    const follow = (cluster: Cluster): void => {
      const { namespace, labelSelector } = options;
      followObjects(cluster, cluster.informer(Secret, { namespace, labelSelector }), {
        present: (secret) => engage(fleet, secret, options),
        gone: (name) => fleet.disengage(name),
      });
    };
    using _following = options.host.subscribe(follow);
    await untilAborted(signal);
  };

function engage(
  fleet: FleetControl,
  secret: Secret,
  { dataKey = 'kubeconfig', log, namespace }: SecretSourceOptions,
): void {
  const { name } = secret.metadata;
  const encoded = secret.data?.[dataKey];
  try {
    if (encoded === undefined) throw new Error(`no entry "${dataKey}"`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    const { endpoint } = parseKubeconfig(text, { from: `secret ${namespace}/${name}` });
    fleet.engage(name, { endpoint });
  } catch (error) {
    log.warn(
      { cluster: name, namespace, name, err: describeError(error) },
      'kubeconfig not used, what was engaged stays',
    );
  }
}
