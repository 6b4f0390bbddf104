/** Rule 21: what the Works of a binding add up to. */
import { type DesiredCondition, findCondition, isDeleting, type ResourceBinding, type Work } from '@lifeline/core';
import type { AggregatedItem } from '../interpreter/interpreter.ts';
import { clusterOfNamespace } from '../names.ts';
import { conditions } from '../words.ts';

/** One item for each Work that is not going away, by cluster. One that is not applied has no status, and nobody knows its health. */
export function aggregate(works: readonly Work[]): readonly AggregatedItem[] {
  return works
    .flatMap((work) => {
      const cluster = clusterOfNamespace(work.metadata.namespace ?? '');
      return cluster === undefined || isDeleting(work) ? [] : [itemOf(work, cluster)];
    })
    .toSorted((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
}

function itemOf({ status }: Work, clusterName: string): AggregatedItem {
  const applied = findCondition(status?.conditions, conditions.applied);
  if (applied?.status !== 'True') {
    const message = applied?.message;
    return { clusterName, ...(message ? { appliedMessage: message } : {}), health: 'Unknown' };
  }
  const [manifest] = status?.manifestStatuses ?? [];
  return {
    clusterName,
    ...(manifest?.status ? { status: manifest.status } : {}),
    applied: true,
    health: manifest?.health ?? 'Unknown',
  };
}

/** Whether every target has it. No target at all is none that has it. */
export function fullyApplied({ spec }: ResourceBinding, items: readonly AggregatedItem[]): DesiredCondition {
  const targets = (spec.clusters ?? []).map(({ name }) => name);
  const applied = new Set(items.filter((item) => item.applied).map(({ clusterName }) => clusterName));
  const all = targets.length > 0 && targets.length === items.length && targets.every((name) => applied.has(name));
  return all
    ? {
        type: conditions.fullyApplied,
        status: 'True',
        reason: 'FullyAppliedSuccess',
        message: 'All works have been successfully applied',
      }
    : {
        type: conditions.fullyApplied,
        status: 'False',
        reason: 'FullyAppliedFailed',
        message: 'Failed to apply all works, see status.aggregatedStatus for details',
      };
}
