/** Field managers of server-side apply: one per controller that writes. */
export const fieldManagers = {
  hubReplicator: 'lifeline-hub-replicator',
  connector: 'lifeline-connector',
  retranslator: 'lifeline-retranslator',
  cli: 'lifeline-cli',
  /** Of the Leases by which replicas of any app elect a leader, or share out the work. */
  leaderElection: 'lifeline-leader-election',
  /** Of Kubernetes Events. */
  events: 'lifeline-events',
  workload: 'lifeline-workload',
  federator: 'lifeline-federator',
  projector: 'lifeline-projector',
  deployment: 'lifeline-deployment',
  instance: 'lifeline-instance',
} as const;
export type FieldManager = (typeof fieldManagers)[keyof typeof fieldManagers];
