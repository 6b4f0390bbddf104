/** Label keys. Those of the upstream identity are annotation keys too, where the label holds a short form. */

const meta = 'meta.datumapis.com';
const networking = 'networking.datumapis.com';
const compute = 'compute.datumapis.com';

export const labels = {
  /** On every downstream object: which cluster, kind and object it is a copy of. */
  upstreamCluster: `${meta}/upstream-cluster-name`,
  upstreamGroup: `${meta}/upstream-group`,
  upstreamKind: `${meta}/upstream-kind`,
  upstreamName: `${meta}/upstream-name`,
  upstreamNamespace: `${meta}/upstream-namespace`,
  /** On everything we create: which installation of Lifeline made it. */
  installation: 'lifeline.dev/installation',

  /** Presence opts a ConfigMap or Secret into replication. */
  gatewaySync: `${networking}/gateway-sync`,
  /** Carried with NetworkContext and Subnet. */
  location: `${networking}/location`,
  network: `${networking}/network`,

  /** A Location, on WorkloadDeployments and on the Karmada `Cluster`s that serve it. */
  cityCode: 'topology.datum.net/city-code',
  workloadUid: `${compute}/workload-uid`,
  workloadName: `${compute}/workload-name`,
  workloadDeploymentUid: `${compute}/workload-deployment-uid`,
  workloadDeploymentName: `${compute}/workload-deployment-name`,
  placementName: `${compute}/placement-name`,
  instanceCityCode: `${compute}/city-code`,
  /** The ordinal of an Instance in its deployment. */
  instanceIndex: `${compute}/instance-index`,
  /** On claims: the mapped namespace of the Instance. */
  instanceNamespace: `${compute}/instance-namespace`,
  /** The cell that made a claim or a copy. */
  sourceCluster: `${compute}/source-cluster`,
  /** On copies of Instances, see {@link copyPlanes}: a copy is never a source. */
  copy: `${compute}/copy`,
} as const;

/** The values of {@link labels.copy}: where the copy stands. */
export const copyPlanes = { hub: 'hub', project: 'project' } as const;
