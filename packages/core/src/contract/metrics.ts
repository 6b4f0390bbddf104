/**
 * Every metric with its labels, once. The names of controller-runtime and client-go are those that dashboards know.
 *
 * A `cluster` label never stands on a histogram: its buckets would multiply with the projects.
 */

export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, of histograms only. */
  readonly buckets?: readonly number[];
}

/** From an in-process write to a sweep over a slow link, in seconds. */
const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** From a change that travels at once to one that waited out an outage. */
const travelSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];
/** client-go's for work queues: 10 ns × 10ⁿ. */
const queueSeconds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const bytes = [1e3, 1e4, 1e5, 1e6, 4e6, 1.6e7, 3.2e7, 6.4e7];
const attempts = [1, 2, 3, 5, 8, 13];

const define =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, ...labels: string[]): MetricDefinition => ({ name, type, help, labels });
const counter = define('counter');
const gauge = define('gauge');
const histogram =
  (buckets: readonly number[]) =>
  (name: string, help: string, ...labels: string[]): MetricDefinition => ({
    name,
    type: 'histogram',
    help,
    labels,
    buckets,
  });

/** Watch health has a family of its own, with this prefix. */
export const reflectorMetricPrefix = 'lifeline_reflector_';

export const metricDefinitions = {
  reconcileTotal: counter('controller_runtime_reconcile_total', 'Reconciles by result.', 'controller', 'result'),
  reconcileSeconds: histogram(seconds)(
    'controller_runtime_reconcile_time_seconds',
    'Time in one reconcile.',
    'controller',
  ),
  activeWorkers: gauge('controller_runtime_active_workers', 'Reconciles that run now.', 'controller'),

  queueDepth: gauge('workqueue_depth', 'Requests that wait in the queue.', 'name'),
  queueAdds: counter('workqueue_adds_total', 'Requests added to the queue.', 'name'),
  queueWaitSeconds: histogram(queueSeconds)(
    'workqueue_queue_duration_seconds',
    'Time a request waits in the queue.',
    'name',
  ),
  queueWorkSeconds: histogram(queueSeconds)(
    'workqueue_work_duration_seconds',
    'Time a request takes to process.',
    'name',
  ),
  queueRetries: counter('workqueue_retries_total', 'Requests put back after an error.', 'name'),
  queueUnfinishedSeconds: gauge(
    'workqueue_unfinished_work_seconds',
    'Ages of all requests in work, summed. Steady growth: something is stuck.',
    'name',
  ),
  queueLongestSeconds: gauge(
    'workqueue_longest_running_processor_seconds',
    'Age of the oldest request in work.',
    'name',
  ),

  restRequests: counter('rest_client_requests_total', 'Requests to API servers.', 'code', 'method', 'host'),
  leader: gauge('leader_election_master_status', '1 on the leader of the Lease, a shard’s too, else 0.', 'name'),

  planes: gauge(
    'lifeline_planes',
    'Control planes by state; `plane` is their role: project, hub, edge.',
    'plane',
    'state',
  ),
  parkedRequests: gauge('lifeline_parked_requests', 'Requests that wait until their cluster is ready.', 'controller'),
  parkedTurnedAway: counter(
    'lifeline_parked_turned_away_total',
    'Requests that found no room while their cluster was not ready. The floor brings them back.',
    'controller',
  ),
  shardHeld: gauge('lifeline_shard_held', '1 while this replica holds the shard.', 'shard'),
  eventsRefused: counter('lifeline_events_refused_total', 'Kubernetes Events that were not written.', 'reason'),

  connectors: gauge('lifeline_connectors', 'Connectors by liveness.', 'state'),
  sharedNodeIds: gauge('lifeline_shared_node_ids', 'Node ids that connectors of different projects use.'),
  livenessPropagation: histogram(travelSeconds)(
    'lifeline_liveness_propagation_seconds',
    'From when a status was first seen upstream to when it is in the cache of an edge.',
  ),
  replicationLag: histogram(travelSeconds)(
    'lifeline_replication_lag_seconds',
    'From an upstream change to the write on the hub.',
  ),
  mirrorTruncated: gauge('lifeline_mirror_truncated', 'Copies whose mirrored status is a reduced one.'),
  mirrorShortened: gauge('lifeline_mirror_shortened', 'Copies that lack fields which the hub does not know.'),
  mirrorUnserved: gauge(
    'lifeline_mirror_unserved',
    'Deleted objects that wait because the hub does not serve their kind.',
  ),
  policiesHeld: gauge(
    'lifeline_policies_held',
    'SecurityPolicies that are held back until their Secrets have arrived.',
  ),
  placesTaken: gauge(
    'lifeline_places_taken',
    'Places of copies on the hub, and Namespaces for them, that something else has: nothing is carried there.',
    'cluster',
    'kind',
  ),
  orphans: gauge('lifeline_orphans', 'Copies whose upstream object is gone.'),
  sweeps: counter('lifeline_sweep_total', 'Objects that sweeps looked at.', 'result'),
  statusUp: histogram(travelSeconds)(
    'lifeline_status_up_seconds',
    'From a change of status that was seen to the write that passes it up; `hop`: between which planes.',
    'hop',
  ),
  truthAge: gauge('lifeline_truth_age_seconds', 'Age of the newest beat of a shard at this edge.', 'shard'),

  flipToProgrammed: histogram(travelSeconds)(
    'lifeline_flip_to_programmed_seconds',
    'From a liveness change in the cache to the answer that programs it.',
  ),
  hookSeconds: histogram(seconds)(
    'lifeline_hook_duration_seconds',
    'Time in one call of the hook.',
    'phase',
    'outcome',
  ),
  hookWaitSeconds: histogram(seconds)('lifeline_hook_wait_seconds', 'Time a call waited for its cache.'),
  hookBytes: histogram(bytes)('lifeline_hook_bytes', 'Size of requests and answers.', 'direction'),
  hookContained: counter('lifeline_hook_contained_total', 'Faults that were kept to one object.', 'reason'),
  unconvergedGateways: gauge('lifeline_unconverged_gateways', 'Gateways whose program is not the wanted one.'),
  unservedGateways: gauge(
    'lifeline_unserved_gateways',
    'Gateways that no report names, whatever they are stamped with: without routes, or of another class.',
  ),
  stamps: counter('lifeline_stamps_total', 'Stamps written.', 'reason'),
  stampAttempts: histogram(attempts)('lifeline_stamp_attempts', 'Stamps it took until a Gateway converged.'),
  reportStreams: gauge('lifeline_report_streams', 'Streams of programmed reports.', 'state'),
  certificateExpiry: gauge('lifeline_certificate_expiry_seconds', 'Time until a certificate expires.', 'use'),

  quotaEnabled: gauge('compute_quota_enforcement_enabled', '1 when Instances wait for quota, else 0.'),
  quotaFailures: counter('compute_quota_eval_failures_total', 'Quota evaluations that failed.', 'reason'),
  claimsOrphaned: counter(
    'compute_quota_claim_orphaned_total',
    'Claims left behind because their project could not be resolved.',
  ),
  grantToGate: histogram(seconds)('lifeline_grant_to_gate_seconds', 'From a grant to the removal of the gate.'),
  claims: gauge('lifeline_claims', 'Claims by state.', 'state'),
  claimRetries: counter('lifeline_claim_retries_total', 'Denied claims that were made anew.'),
  quotaPolls: counter('lifeline_quota_polls_total', 'Lists of claims.', 'result'),
  quotaRechecks: counter('lifeline_quota_recheck_total', 'Passes that ended with a re-check.', 'delay', 'exit'),
  replacements: counter('lifeline_replacements_total', 'Instances replaced.', 'reason'),
  rollouts: gauge('lifeline_rollouts', 'WorkloadDeployments by rollout state.', 'state'),
  locationConflicts: gauge('lifeline_location_conflicts', 'Locations that more than one cell serves.'),
  unmappedEvents: counter(
    'lifeline_unmapped_events_total',
    'Events whose object could not be traced upstream.',
    'reason',
  ),
} as const satisfies Record<string, MetricDefinition>;
