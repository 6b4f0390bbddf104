import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque, stringMap } from '../schema.ts';

const schema = kubeObject({
  /** `IPv4`, `IPv6` or `FQDN`. Never changes. */
  addressType: z.string(),
  endpoints: z
    .array(
      fields({
        addresses: z.array(z.string()).nullish(),
        conditions: fields({
          ready: z.boolean().nullish(),
          serving: z.boolean().nullish(),
          terminating: z.boolean().nullish(),
        }).nullish(),
        hostname: z.string().nullish(),
        nodeName: z.string().nullish(),
        zone: z.string().nullish(),
        targetRef: opaque.nullish(),
        deprecatedTopology: stringMap.nullish(),
      }),
    )
    .nullish(),
  ports: z
    .array(
      fields({
        name: z.string().nullish(),
        protocol: z.string().nullish(),
        port: int32.nullish(),
        appProtocol: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** Some of a Service's endpoints. */
export type EndpointSlice = z.infer<typeof schema>;
export const EndpointSlice = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
  statusSubresource: false,
  printerColumns: [{ name: 'AddressType', type: 'string', jsonPath: '.addressType' }, ageColumn],
  schema,
});
