/** `coordination.k8s.io/v1`. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const coordinationTypes = new TypeTable(
  `
strings CoordinatedLeaseStrategy

Lease : Who holds something, and when they last said so.
   1 metadata ObjectMeta
   2 spec     LeaseSpec

LeaseSpec
   1 holderIdentity       *string : Who holds it.
   2 leaseDurationSeconds *int32 : How long after a renewal others must wait before they take it.
   3 acquireTime          *MicroTime : When the holder took it.
   4 renewTime            *MicroTime : When the holder last renewed it.
   5 leaseTransitions     *int32 : How often it changed hands.
   6 strategy             *CoordinatedLeaseStrategy
   7 preferredHolder      *string
`,
  metaTypes,
);
