/** The dashboard of `charts/hub-replicator`. */
import { dashboard, type Panel } from './dashboard.ts';

const quantile = (share: number, metric: string): string =>
  `histogram_quantile(${share}, sum by (le) (rate(${metric}_bucket{SELECTOR}[5m])))`;

const panels: readonly Panel[] = [
  {
    title: 'Shards held',
    description: 'By replica. Together as many as config.shards.count, else some projects are looked after by nobody.',
    series: { '{{pod}}': 'sum by (pod) (lifeline_shard_held{SELECTOR})' },
    unit: 'short',
  },
  {
    title: 'Project to hub',
    description:
      'From an upstream change to the write on the hub. Above some seconds the hub throttles, or a replica has too much to do.',
    series: {
      p50: quantile(0.5, 'lifeline_replication_lag_seconds'),
      p99: quantile(0.99, 'lifeline_replication_lag_seconds'),
    },
    unit: 's',
  },
  {
    title: 'Connectors',
    description: 'By liveness, in projects that are looked after.',
    series: { '{{state}}': 'sum by (state) (lifeline_connectors{SELECTOR})' },
    unit: 'short',
  },
  {
    title: 'Planes',
    description: 'Suspended: the plane says that it is not ready. Refused: another project has its key.',
    series: { '{{plane}} {{state}}': 'sum by (plane, state) (lifeline_planes{SELECTOR})' },
    unit: 'short',
  },
  {
    title: 'Requests',
    description: 'To API servers, by code. 429: they throttle. 403: rights are missing.',
    series: { '{{code}}': 'sum by (code) (rate(rest_client_requests_total{SELECTOR}[5m]))' },
    unit: 'reqps',
  },
  {
    title: 'Reconciles that failed',
    description: 'By controller. They are tried again; a rate that stays is a plane that refuses something.',
    series: {
      '{{controller}}': 'sum by (controller) (rate(controller_runtime_reconcile_total{SELECTOR, result="error"}[5m]))',
    },
    unit: 'reqps',
  },
  {
    title: 'Waiting',
    description: 'Requests in work queues, and those that wait for their plane to be ready.',
    series: {
      'queued {{name}}': 'sum by (name) (workqueue_depth{SELECTOR}) > 0',
      parked: 'sum(lifeline_parked_requests{SELECTOR})',
    },
    unit: 'short',
  },
  {
    title: 'Not as it should be',
    description: 'Orphans, reduced statuses, places that something else has, node ids of several projects.',
    series: {
      orphans: 'sum(lifeline_orphans{SELECTOR})',
      'reduced statuses': 'sum(lifeline_mirror_truncated{SELECTOR})',
      'places taken': 'sum(lifeline_places_taken{SELECTOR})',
      'shared node ids': 'sum(lifeline_shared_node_ids{SELECTOR})',
    },
    unit: 'short',
  },
];

export const replicatorDashboard = (): object => dashboard('Lifeline hub replicator', 'lifeline_shard_held', panels);
