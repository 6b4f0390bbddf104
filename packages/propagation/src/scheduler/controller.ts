/** Step 3: where bindings go. */
import {
  deepEqual,
  type DesiredCondition,
  formatTime,
  isDeleting,
  type KarmadaCluster,
  keyOf,
  setCondition,
} from '@lifeline/core';
import { anyOf, changed, generationChanged, labelsChanged } from '@lifeline/k8s';
import { isSuspended } from '../binding/dispatch.ts';
import { matchesAffinity } from '../cluster/affinity.ts';
import { defaultScheduler } from '../detector/binding-of.ts';
import type { Binding } from '../hub.ts';
import { annotationOf, labelOf } from '../manifest.ts';
import { onNews } from '../runtime/on-news.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { annotations, conditions, labels } from '../words.ts';
import { needsSchedule, placementText, schedule, type Schedule } from './schedule.ts';

export function scheduler(run: Run): Part {
  const { clock, hub, settings, random, schedulerPlane, faults } = run;
  const [baseMs, maxMs] = settings.schedulerRetryMs;

  const workers = workersOf(run, {
    name: 'scheduler',
    hop: 'scheduler',
    count: settings.workers.scheduler,
    retry: { baseMs, maxMs },
    async reconcile(key, signal) {
      const binding = hub.binding(key);
      if (!binding || !isOurs(binding) || isDeleting(binding) || isSuspended(binding, 'scheduling')) return;
      const clusters = [...hub.clusters.store.list()];
      if (needsSchedule(binding, clusters)) {
        const decided: Schedule = faults.findsNoCluster?.(binding)
          ? { at: 'no-fit', message: 'no cluster was looked for.' }
          : schedule(binding, clusters, { random, emptyWorkloads: settings.emptyWorkloads });
        await place(binding, decided, signal);
        await note(key, { binding, decided }, signal);
      } else if (binding.status?.schedulerObservedGeneration !== binding.metadata.generation) {
        await note(key, { binding, decided: undefined }, signal);
      }
    },
  });

  async function place(binding: Binding, decided: Schedule, signal: AbortSignal): Promise<void> {
    const clusters = decided.at === 'fits' ? decided.clusters : [];
    const text = placementText(binding);
    const placed = annotationOf(binding, annotations.appliedPlacement) === text;
    if (placed && deepEqual(binding.spec.clusters ?? [], clusters)) return;
    const { kind } = hub.bindingKind(keyOf(binding));
    const { namespace, name } = binding.metadata;
    const body = {
      metadata: { annotations: { [annotations.appliedPlacement]: text } },
      spec: { clusters: clusters.length > 0 ? clusters : null },
    };
    const write = { signal, fieldValidation: 'Ignore' } as const;
    await schedulerPlane.client.patch({ kind, name: { namespace, name } }, { type: 'merge', body }, write);
  }

  /** The generation that was looked at: after a placement there is another one, which brings it here again. */
  const note = (
    key: string,
    { binding, decided }: { readonly binding: Binding; readonly decided: Schedule | undefined },
    signal: AbortSignal,
  ): Promise<void> =>
    schedulerPlane.changeStatus(
      hub.heldBinding(key),
      (held) => {
        const { generation } = binding.metadata;
        const now = clock.now();
        const observed = generation === undefined ? {} : { schedulerObservedGeneration: generation };
        if (!decided) return { ...held, status: { ...held.status, ...observed } };
        const scheduled = [...setCondition(held.status?.conditions, conditionOf(decided), now)];
        if (decided.at === 'no-fit') return { ...held, status: { ...held.status, conditions: scheduled } };
        const { affinityName } = decided;
        return {
          ...held,
          status: {
            ...held.status,
            conditions: scheduled,
            ...observed,
            ...(affinityName === undefined ? {} : { schedulerObservedAffinityName: affinityName }),
            lastScheduledTime: formatTime(now),
          },
        };
      },
      signal,
    );

  /** Every binding whose affinity means the cluster, as it was or as it is, is decided again: one after the other. */
  function reconsider(...clusters: readonly KarmadaCluster[]): void {
    for (const binding of hub.bindings()) {
      if (isOurs(binding) && clusters.some((cluster) => isMeant(cluster, binding))) workers.add(keyOf(binding));
    }
  }

  return {
    workers: [workers],
    watch() {
      for (const { cache } of Object.values(hub.bindingKinds)) {
        onNews(cache, anyOf(generationChanged, changed(isOurs)), (binding) => {
          if (isOurs(binding)) workers.add(keyOf(binding));
        });
      }
      hub.clusters.subscribe((event) => {
        if (event.type === 'malformed' || !mattersToBindings(event)) return;
        if (event.type === 'updated') reconsider(event.old, event.object);
        else reconsider(event.object);
      });
    },
  };
}

const mattersToBindings = anyOf(labelsChanged, generationChanged);

/** A binding without a policy's id is not scheduled: its policy is gone. */
const isOurs = (binding: Binding): boolean =>
  (binding.spec.schedulerName || defaultScheduler) === defaultScheduler &&
  Boolean(labelOf(binding, labels.policyId) || labelOf(binding, labels.clusterPolicyId));

function isMeant(cluster: KarmadaCluster, { spec }: Binding): boolean {
  const { clusterAffinity, clusterAffinities } = spec.placement ?? {};
  if (clusterAffinities?.length) return clusterAffinities.some((affinity) => matchesAffinity(cluster, affinity));
  return !clusterAffinity || matchesAffinity(cluster, clusterAffinity);
}

const conditionOf = (decided: Schedule): DesiredCondition =>
  decided.at === 'fits'
    ? {
        type: conditions.scheduled,
        status: 'True',
        reason: 'Success',
        message: 'Binding has been scheduled successfully.',
      }
    : { type: conditions.scheduled, status: 'False', reason: 'NoClusterFit', message: decided.message };
