import { canonicalJson, keyOf } from '@lifeline/core';
import type { Oracle } from './oracle.ts';
import { placeOf } from './subject.ts';

export const lossless: Oracle = {
  id: 'S5',
  has: ({ mirrors }) => mirrors !== undefined,
  attach: ({ subject: { mirrors }, truth, report }) => ({
    ownWrite: (write) => {
      const { type, object } = write.revision;
      if (!mirrors || type === 'DELETED') return;
      for (const { text, upstream } of mirrors({ plane: write.plane, object }, truth)) {
        const texts = upstream.map((value) => (value === undefined ? undefined : canonicalJson(value)));
        if (!texts.includes(text))
          report(`${placeOf(write.plane, keyOf(object))} says ${text}, and upstream never was that`, write);
      }
    },
  }),
};
