/** Rule 7: where a binding goes. */
import { isJsonObject, type KarmadaCluster, type Random, type ResourceBinding, stringifyJson } from '@lifeline/core';
import type { ClusterAffinity, Placement } from '../cluster/affinity.ts';
import { annotationOf, byName } from '../manifest.ts';
import { annotations } from '../words.ts';
import { isDivided, shareOut, type Target } from './divide.ts';
import { candidates, fitOf } from './filters.ts';

export interface ScheduleOptions {
  readonly random: Random;
  /** Keep targets with no replicas. Karmada's `--enable-empty-workload-propagation`. */
  readonly emptyWorkloads: boolean;
}

/** What the scheduler decided. */
export type Schedule =
  | { readonly at: 'fits'; readonly clusters: readonly Target[]; readonly affinityName: string | undefined }
  | { readonly at: 'no-fit'; readonly message: string };

/** Decides anew, from all clusters. */
export function schedule(
  { spec }: ResourceBinding,
  clusters: readonly KarmadaCluster[],
  options: ScheduleOptions,
): Schedule {
  const all = candidates(clusters).toSorted(byName);
  const placement = spec.placement ?? {};
  let message = '';
  for (const [affinityName, affinity] of affinitiesOf(placement)) {
    const fits = all.map((cluster) => ({ cluster, fit: fitOf(cluster, spec, affinity) }));
    const fitting = fits.filter(({ fit }) => fit.fits).map(({ cluster }) => cluster);
    if (fitting.length > 0) return { at: 'fits', clusters: targets(fitting, spec, options), affinityName };
    message = noFit(
      clusters.length,
      fits.flatMap(({ fit }) => (fit.fits ? [] : [fit.reason])),
    );
  }
  return { at: 'no-fit', message };
}

/** The groups of a placement in order: the first in which something fits is taken. */
function affinitiesOf({
  clusterAffinity,
  clusterAffinities,
}: Placement): readonly (readonly [string | undefined, ClusterAffinity | undefined])[] {
  if (!clusterAffinities?.length) return [[undefined, clusterAffinity ?? undefined]];
  return clusterAffinities.map((affinity) => [affinity.affinityName, affinity]);
}

/** What is no workload goes whole to each; a workload to those that get replicas of it. */
function targets(
  fitting: readonly KarmadaCluster[],
  spec: ResourceBinding['spec'],
  { random, emptyWorkloads }: ScheduleOptions,
): readonly Target[] {
  if (!isWorkload(spec)) return fitting.map(({ metadata: { name } }) => ({ name }));
  const shares = { replicas: spec.replicas ?? 0, placement: spec.placement ?? {}, before: spec.clusters ?? [] };
  return shareOut(fitting, shares, random)
    .filter(({ replicas }) => emptyWorkloads || (replicas ?? 0) > 0)
    .map(({ name, replicas }) => (replicas ? { name, replicas } : { name }));
}

/** GetReplicas is defined for the kind, and said something. */
const isWorkload = ({ replicas, replicaRequirements }: ResourceBinding['spec']): boolean =>
  (replicas ?? 0) > 0 || isJsonObject(replicaRequirements);

function noFit(all: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const words = Array.from(counts, ([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${all} clusters are available: ${words.join(', ') || 'no cluster exists'}.`;
}

/** The placement as the scheduler notes it down on the binding. */
export const placementText = ({ spec }: ResourceBinding): string => stringifyJson(spec.placement ?? {});

/**
 * Whether there is something to decide: another placement, other replicas, a target that is going away, or anything that is not
 * divided.
 */
export function needsSchedule(binding: ResourceBinding, clusters: readonly KarmadaCluster[]): boolean {
  const { spec } = binding;
  if (placementText(binding) !== annotationOf(binding, annotations.appliedPlacement)) return true;
  if (!spec.replicas || !isDivided(spec.placement ?? {})) return true;
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
  if (assigned !== spec.replicas) return true;
  const staying = new Set(candidates(clusters).map(({ metadata }) => metadata.name));
  return (spec.clusters ?? []).some(({ name }) => !staying.has(name));
}
