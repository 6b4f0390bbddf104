/** What every object has, and how schemas refer to one another. */
import type { JsonObject } from '@lifeline/core';

export const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

export const metaName = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;

export const apiVersion = {
  type: 'string',
  description: 'The group and version in which the object is written.',
} as const;

export const kind = { type: 'string', description: 'The kind of the object. It cannot change.' } as const;

export const metadata: JsonObject = {
  description: 'What every object has.',
  allOf: [reference(metaName('ObjectMeta'))],
};
