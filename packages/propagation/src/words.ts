/** Karmada's own words: labels, annotations, finalizers, conditions. @see karmada-io/karmada@f8fdd02 pkg/util/constants.go, pkg/apis */

export const labels = {
  /** On member objects. Without it Karmada neither changes nor deletes an object. */
  managed: 'karmada.io/managed',
  policyId: 'propagationpolicy.karmada.io/permanent-id',
  clusterPolicyId: 'clusterpropagationpolicy.karmada.io/permanent-id',
  bindingId: 'resourcebinding.karmada.io/permanent-id',
  clusterBindingId: 'clusterresourcebinding.karmada.io/permanent-id',
  workId: 'work.karmada.io/permanent-id',
  /** `true` on a hub namespace: members do not get it. */
  skipNamespace: 'namespace.karmada.io/skip-auto-propagation',
  /** `true` on a template with replicas: what the member has stays. */
  retainReplicas: 'resourcetemplate.karmada.io/retain-replicas',
} as const;

export const annotations = {
  policyNamespace: 'propagationpolicy.karmada.io/namespace',
  policyName: 'propagationpolicy.karmada.io/name',
  clusterPolicyName: 'clusterpropagationpolicy.karmada.io/name',
  bindingNamespace: 'resourcebinding.karmada.io/namespace',
  bindingName: 'resourcebinding.karmada.io/name',
  clusterBindingName: 'clusterresourcebinding.karmada.io/name',
  workNamespace: 'work.karmada.io/namespace',
  workName: 'work.karmada.io/name',
  /** `overwrite` adopts what is there already; `abort` does not. */
  conflictResolution: 'work.karmada.io/conflict-resolution',
  templateUid: 'resourcetemplate.karmada.io/uid',
  templateGeneration: 'resourcetemplate.karmada.io/generation',
  managedAnnotations: 'resourcetemplate.karmada.io/managed-annotations',
  managedLabels: 'resourcetemplate.karmada.io/managed-labels',
  /** The placement that a binding was scheduled by, as JSON. */
  appliedPlacement: 'policy.karmada.io/applied-placement',
  appliedOverrides: 'policy.karmada.io/applied-overrides',
  appliedClusterOverrides: 'policy.karmada.io/applied-cluster-overrides',
} as const;

export const finalizers = {
  policy: 'karmada.io/propagation-policy-controller',
  clusterPolicy: 'karmada.io/cluster-propagation-policy-controller',
  binding: 'karmada.io/binding-controller',
  clusterBinding: 'karmada.io/cluster-resource-binding-controller',
  work: 'karmada.io/execution-controller',
  cluster: 'karmada.io/cluster-controller',
} as const;

export const conditions = {
  /** Of a Work. */
  applied: 'Applied',
  dispatching: 'Dispatching',
  /** Of a binding. */
  scheduled: 'Scheduled',
  fullyApplied: 'FullyApplied',
  /** Of a Cluster. */
  ready: 'Ready',
  completeApis: 'CompleteAPIEnablements',
} as const;

export const taints = {
  notReady: 'cluster.karmada.io/not-ready',
  unreachable: 'cluster.karmada.io/unreachable',
} as const;

export type Health = 'Healthy' | 'Unhealthy' | 'Unknown';
