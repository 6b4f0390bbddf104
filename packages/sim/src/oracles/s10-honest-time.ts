import { type ConditionedObject, keyOf, type KubeObject, type MonotonicMs } from '@lifeline/core';
import type { Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

const conditionsOf = (object: KubeObject): NonNullable<NonNullable<ConditionedObject['status']>['conditions']> =>
  (object as KubeObject & ConditionedObject).status?.conditions ?? [];

export const honestTime: Oracle = {
  id: 'S10',
  has: ({ conditions }) => conditions === true,
  attach: ({ report }) => {
    /** When each condition was last given a time, by its place. */
    const timed = new Map<string, MonotonicMs>();
    return {
      ownWrite: (write) => {
        const { object, previous } = write.revision;
        for (const next of conditionsOf(object)) {
          const old = previous && conditionsOf(previous).find(({ type }) => type === next.type);
          const where = `${next.type} of ${placeOf(write.plane, keyOf(object))}`;
          const flips = old?.status !== next.status;
          const moves = old?.lastTransitionTime !== next.lastTransitionTime;
          // Two flips of one second have one time.
          const isLater = write.at - (timed.get(where) ?? -Infinity) >= 1_000;
          if (flips) timed.set(where, write.at);
          if (!old) continue;
          if (moves && !flips) report(`${where}: lastTransitionTime moved, and the status did not`, write);
          if (flips && !moves && isLater) report(`${where}: the status flipped, and lastTransitionTime stayed`, write);
        }
      },
    };
  },
};
