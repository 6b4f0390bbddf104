import type { ObjectName } from '@lifeline/core';

/** An object to be applied, open to any field, as writes take it. */
export type Applied = Record<string, unknown> & { readonly metadata: ObjectName & Record<string, unknown> };

export const applied = ({ metadata, ...fields }: { readonly metadata: ObjectName }): Applied => ({
  ...fields,
  metadata: { ...metadata },
});
