import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { kubeObject, stringMap } from '../schema.ts';

const schema = kubeObject({
  type: z.string().nullish(),
  /** Base64. */
  data: stringMap.nullish(),
  /** Write only: the server moves it into `data`. */
  stringData: stringMap.nullish(),
  immutable: z.boolean().nullish(),
});

/** Small secret data under names. Its type never changes. */
export type Secret = z.infer<typeof schema>;
export const Secret = defineKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
  statusSubresource: false,
  printerColumns: [{ name: 'Type', type: 'string', jsonPath: '.type' }, ageColumn],
  selectableFields: ['.type'],
  schema,
});
