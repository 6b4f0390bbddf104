import { keyOf, stringifyJson } from '@lifeline/core';
import type { Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

export const noCrossTenant: Oracle = {
  id: 'S2',
  has: ({ tenants }) => tenants !== undefined && tenants.markers.size > 0,
  attach: ({ subject: { tenants }, report }) => ({
    ownWrite: (write) => {
      const { type, object } = write.revision;
      if (!tenants || type === 'DELETED') return;
      const text = stringifyJson(object);
      const home = tenants.projectOf({ plane: write.plane, object });
      for (const [project, marker] of tenants.markers)
        if (project !== home && text.includes(marker))
          report(
            `${placeOf(write.plane, keyOf(object))} is ${home ?? 'no project'}'s and holds what is ${project}'s`,
            write,
          );
    },
  }),
};
