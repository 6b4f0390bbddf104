import { type EpochMs, findCondition, formatTime, type KarmadaCluster } from '@lifeline/core';
import { conditions, taints as words } from '../words.ts';

type Taints = NonNullable<KarmadaCluster['spec']['taints']>;

/** The taints that a cluster's Ready condition asks for, and those of others. Undefined when they are as they should be. */
export function wantedTaints({ spec, status }: KarmadaCluster, now: EpochMs): Taints | undefined {
  const has = spec.taints ?? [];
  const key = keyFor(findCondition(status?.conditions, conditions.ready)?.status);
  const others = has.filter((taint) => taint.key !== words.notReady && taint.key !== words.unreachable);
  const ours = has.filter((taint) => taint.key === key);
  if (others.length + ours.length === has.length && (key === undefined || ours.length > 0)) return undefined;
  if (key === undefined || ours.length > 0) return [...others, ...ours];
  return [...others, { key, effect: 'NoSchedule', timeAdded: formatTime(now) }];
}

/** A cluster of which nothing is known is not ready. */
function keyFor(ready: string | null | undefined): string | undefined {
  if (ready === 'True') return undefined;
  return ready === 'Unknown' ? words.unreachable : words.notReady;
}
