import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';

const schema = kubeObject({
  secrets: z.array(fields({ name: z.string().nullish() })).nullish(),
  imagePullSecrets: z.array(fields({ name: z.string().nullish() })).nullish(),
  automountServiceAccountToken: z.boolean().nullish(),
});

/** An identity for processes. */
export type ServiceAccount = z.infer<typeof schema>;
export const ServiceAccount = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
  shortNames: ['sa'],
  statusSubresource: false,
  listMapKeys: { secrets: ['name'] },
  printerColumns: [ageColumn],
  schema,
});
