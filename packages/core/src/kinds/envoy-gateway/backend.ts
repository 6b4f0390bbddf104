import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';

const endpoint = fields({
  hostname: z.string().nullish(),
  fqdn: fields({ hostname: z.string(), port: int32 }).nullish(),
  ip: fields({ address: z.string(), port: int32 }).nullish(),
  unix: fields({ path: z.string() }).nullish(),
  zone: z.string().nullish(),
});

const schema = kubeObject({
  spec: fields({
    type: z.string().nullish(),
    endpoints: z.array(endpoint).nullish(),
    appProtocols: z.array(z.string()).nullish(),
    fallback: z.boolean().nullish(),
    tls: opaque.nullish(),
  }),
  status: fields({ conditions: conditionsSchema.nullish() }).nullish(),
});

/** Addresses outside the cluster that routes can name. */
export type Backend = z.infer<typeof schema>;
export const Backend = defineKind<Backend>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'Backend',
  plural: 'backends',
  scope: 'Namespaced',
  shortNames: ['be'],
  categories: ['envoy-gateway'],
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  printerColumns: [conditionColumn('Accepted', 'reason', { name: 'Status' }), ageColumn],
  schema,
});
