import { untilAborted } from '@lifeline/core';
import type { ClusterSource, ClusterTarget } from '../cluster.ts';

/** Clusters that are known at start and stay. */
export const staticSource =
  (clusters: Readonly<Record<string, ClusterTarget>>): ClusterSource =>
  async (fleet, signal) => {
    for (const [name, target] of Object.entries(clusters)) fleet.engage(name, target);
    await untilAborted(signal);
  };
