import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, time } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    holderIdentity: z.string().nullish(),
    leaseDurationSeconds: int32.nullish(),
    /** The holder's wall clock, in microseconds. Never compare it with another machine's. */
    acquireTime: time.nullish(),
    renewTime: time.nullish(),
    leaseTransitions: int32.nullish(),
  }).nullish(),
});

/** Who holds something, and when it last said so. */
export type Lease = z.infer<typeof schema>;
export const Lease = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
  statusSubresource: false,
  printerColumns: [{ name: 'Holder', type: 'string', jsonPath: '.spec.holderIdentity' }, ageColumn],
  schema,
});
