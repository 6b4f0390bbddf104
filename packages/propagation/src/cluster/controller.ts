/** A member's Cluster: its namespace on the hub, its finalizer, its taints. */
import { isDeleting, type KarmadaCluster, keyOf } from '@lifeline/core';
import type { ReconcileResult } from '@lifeline/k8s';
import { withFinalizer, withoutFinalizer } from '../manifest.ts';
import { executionNamespace } from '../names.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { finalizers } from '../words.ts';
import { wantedTaints } from './taints.ts';

/** A Cluster that is leaving waits for its namespace to be gone. @see karmada-io/karmada@f8fdd02 pkg/controllers/cluster: 10 s */
const leavingMs = 10_000;

export function clusterController(run: Run): Part {
  const { clock, hub, settings } = run;

  const workers = workersOf(run, {
    name: 'cluster',
    hop: 'cluster',
    count: settings.workers.clusters,
    async reconcile(name, signal) {
      const cluster = hub.clusters.store.get(name);
      if (!cluster) return;
      return isDeleting(cluster) ? leave(cluster, signal) : enter(cluster, signal);
    },
  });

  async function enter({ metadata }: KarmadaCluster, signal: AbortSignal): Promise<void> {
    const namespace = executionNamespace(metadata.name);
    if (!hub.namespaces.store.has(namespace))
      await hub.plane.create(hub.namespaces.kind, { metadata: { name: namespace } }, signal);
    await hub.plane.change(
      hub.heldCluster(metadata.name),
      (held) => {
        const taints = wantedTaints(held, clock.now());
        const entered = withFinalizer(held, finalizers.cluster);
        return taints ? { ...entered, spec: { ...entered.spec, taints: [...taints] } } : entered;
      },
      signal,
    );
  }

  /** Works go with their namespace, and with them what they brought, if the member can be reached. */
  async function leave({ metadata }: KarmadaCluster, signal: AbortSignal): Promise<ReconcileResult | void> {
    const namespace = hub.namespaces.store.get(executionNamespace(metadata.name));
    if (namespace) {
      if (!isDeleting(namespace)) await hub.plane.delete(hub.namespaces.kind, namespace, signal);
      return { after: leavingMs };
    }
    await hub.plane.change(
      hub.heldCluster(metadata.name),
      (held) => withoutFinalizer(held, finalizers.cluster),
      signal,
    );
  }

  return {
    workers: [workers],
    watch() {
      hub.clusters.subscribe((event) => {
        if (event.type !== 'malformed') workers.add(keyOf(event.object));
      });
    },
  };
}
