/** Condition types, reasons and messages. A reason is an interface: people and dashboards filter by it. */

export const conditionTypes = {
  accepted: 'Accepted',
  ready: 'Ready',
  programmed: 'Programmed',
  available: 'Available',
  progressing: 'Progressing',
  replicasReady: 'ReplicasReady',
  quotaGranted: 'QuotaGranted',
  /** Of a ResourceClaim. */
  granted: 'Granted',
  /** Whether the cell's `Cluster` is Ready, or what blocks a deletion there. */
  cellReachable: 'CellReachable',
} as const;

/** `Accepted` and `Ready` of a Connector. */
export const connectorReasons = {
  accepted: 'Accepted',
  pending: 'Pending',
  classNotFound: 'ConnectorClassNotFound',
  ready: 'ConnectorReady',
  notReady: 'ConnectorNotReady',
} as const;

/** What the Connector's conditions tell its owner: what is the case, and what would change it. */
export const connectorMessages = {
  accepted: 'The connector class exists.',
  noClass: 'spec.connectorClassName is empty; name a ConnectorClass.',
  classNotFound: (name: string): string => `There is no ConnectorClass ${JSON.stringify(name)}.`,
  notAccepted: 'The connector is not accepted yet; see the Accepted condition.',
  leaseNotCreated: 'The Lease of this connector has not been created yet.',
  leaseNotFound: 'The Lease of this connector is gone; it is being recreated.',
  leaseNeverRenewed: 'The agent has never renewed its Lease. Is it running, and may it update Leases?',
  leaseExpired: 'The agent has stopped renewing its Lease.',
  leaseUnproven: 'No renewal of the Lease has been observed yet.',
  ready: 'The agent renews its Lease.',
} as const;

/** `Ready` of an Instance, first match first; a reason that is not listed comes before `PendingProgramming`. */
export const instanceReadyReasons = {
  networkFailedToCreate: 'NetworkFailedToCreate',
  imageUnavailable: 'ImageUnavailable',
  instanceCrashing: 'InstanceCrashing',
  configurationError: 'ConfigurationError',
  pendingQuota: 'PendingQuota',
  quotaPending: 'QuotaPending',
  provisioning: 'Provisioning',
  programmingInProgress: 'ProgrammingInProgress',
  schedulingGatesPresent: 'SchedulingGatesPresent',
  stopping: 'Stopping',
  stopped: 'Stopped',
  starting: 'Starting',
  pendingProgramming: 'PendingProgramming',
  pending: 'Pending',
  available: 'Available',
} as const;

/** `QuotaGranted` of an Instance, and events. */
export const quotaReasons = {
  available: 'QuotaAvailable',
  disabled: 'QuotaDisabled',
  pendingEvaluation: 'PendingEvaluation',
  noBudget: 'QuotaNoBudget',
  exceeded: 'QuotaExceeded',
  validationFailed: 'ValidationFailed',
  claimConflict: 'QuotaClaimConflict',
  claimOrphaned: 'QuotaClaimOrphaned',
  backendUnavailable: 'QuotaBackendUnavailable',
  projectNotFound: 'QuotaProjectNotFound',
  namespaceNotFound: 'QuotaNamespaceNotFound',
  misconfigured: 'QuotaMisconfigured',
  projectUnresolvable: 'QuotaProjectIDUnresolvable',
  unreachable: 'QuotaUnreachable',
} as const;

/** `Available`, `ReplicasReady` and `Progressing` of Workloads and WorkloadDeployments. */
export const deploymentReasons = {
  stableInstanceFound: 'StableInstanceFound',
  availablePlacementFound: 'AvailablePlacementFound',
  availableDeploymentFound: 'AvailableDeploymentFound',
  noAvailablePlacements: 'NoAvailablePlacements',
  noAvailableDeployments: 'NoAvailableDeployments',
  instancesProvisioning: 'InstancesProvisioning',
  replicasAvailable: 'ReplicasAvailable',
  quotaNotGranted: 'QuotaNotGranted',
  noMatchingLocation: 'NoMatchingLocation',
  noCell: 'NoCell',
  rolling: 'Rolling',
  complete: 'Complete',
  progressDeadlineExceeded: 'ProgressDeadlineExceeded',
} as const;

/** Names of an Instance's scheduling gates. */
export const schedulingGates = { quota: 'Quota' } as const;
