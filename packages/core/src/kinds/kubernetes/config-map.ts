import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { kubeObject, stringMap } from '../schema.ts';

const schema = kubeObject({
  data: stringMap.nullish(),
  /** Base64. */
  binaryData: stringMap.nullish(),
  immutable: z.boolean().nullish(),
});

/** Small data under names. */
export type ConfigMap = z.infer<typeof schema>;
export const ConfigMap = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
  shortNames: ['cm'],
  statusSubresource: false,
  printerColumns: [ageColumn],
  schema,
});
