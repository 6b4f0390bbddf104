import { keyOf } from '@lifeline/core';
import type { Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

export const exactClaims: Oracle = {
  id: 'S9',
  has: ({ claims }) => claims !== undefined,
  attach: ({ subject: { claims }, truth, report }) => ({
    ownWrite: (write) => {
      if (!claims) return;
      const { type, object, previous } = write.revision;
      const all = claims.claims(truth);
      const mine = new Map<string, number>();
      for (const { instance } of all) mine.set(instance, (mine.get(instance) ?? 0) + 1);
      for (const [instance, count] of mine)
        if (count > 1) report(`${count} claims for the Instance ${instance}`, write);
      if (type === 'DELETED' || !previous) return;
      const opened = claims.opened({ plane: write.plane, object }, previous);
      if (opened !== undefined && !all.some(({ instance, granted }) => instance === opened && granted))
        report(`opened the gate of ${placeOf(write.plane, keyOf(object))} without a grant`, write);
    },
  }),
};
