import { type ConditionedObject, keyOf, type KubeObject } from '@lifeline/core';
import type { Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

const conditionsOf = (object: KubeObject): NonNullable<NonNullable<ConditionedObject['status']>['conditions']> =>
  (object as KubeObject & ConditionedObject).status?.conditions ?? [];

export const honestTime: Oracle = {
  id: 'S10',
  has: ({ conditions }) => conditions === true,
  attach: ({ report }) => ({
    ownWrite: (write) => {
      const { object, previous } = write.revision;
      if (!previous) return;
      for (const next of conditionsOf(object)) {
        const old = conditionsOf(previous).find(({ type }) => type === next.type);
        if (!old) continue;
        const flips = old.status !== next.status;
        const moves = old.lastTransitionTime !== next.lastTransitionTime;
        const where = `${next.type} of ${placeOf(write.plane, keyOf(object))}`;
        if (moves && !flips) report(`${where}: lastTransitionTime moved, and the status did not`, write);
        if (flips && !moves) report(`${where}: the status flipped, and lastTransitionTime stayed`, write);
      }
    },
  }),
};
