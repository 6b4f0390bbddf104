/** Finalizers, each named after what must happen before the object may go. */
export const finalizers = {
  /** On every replicated upstream object: its hub copy and anchor are gone. */
  replicator: 'gateway.networking.datumapis.com/gateway-resource-replicator',
  /** Workload: its WorkloadDeployments are gone. */
  workload: 'compute.datumapis.com/workload-controller',
  /** Project WorkloadDeployment: its hub copy and that copy's Works are gone. */
  federator: 'compute.datumapis.com/federator',
  /** Cell Instance: its claim is gone. Set before the claim is made. */
  claimCleanup: 'quota.compute.datumapis.com/claim-cleanup',
} as const;
