export { ConfigError, type ConfigInput, loadConfig, type LoadedConfig } from './app/config.ts';
export { type App, defineApp } from './app/define-app.ts';
export type { Env, Files, Health, HealthState, Log, LogFields } from './app/env.ts';
export { createHealth, formatHealth, type HealthRegistry, type HealthReport } from './app/health.ts';
export { createLog, type LogOptions } from './app/log.ts';
export type { Counter, Gauge, Histogram, MetricLabels, Metrics, MetricSpec } from './app/metrics.ts';
export { processSettings } from './app/process-settings.ts';
export { createMetrics } from './app/prometheus.ts';
export { type ProcessConfig, runMain } from './app/run-main.ts';
export { createInformer, type CreateInformerOptions } from './cache/create-informer.ts';
export type { CacheName, DeliveryInterceptor } from './cache/delivery.ts';
export type {
  EventOrigin,
  Following,
  IndexFunction,
  Informer,
  InformerOptions,
  InformerStatus,
  ObjectEvent,
  Store,
} from './cache/informer.ts';
export { listerWatcher, type ListerWatcherOptions } from './cache/lister-watcher.ts';
export {
  type Delta,
  type End,
  type EventStream,
  type ListerWatcher,
  type Snapshot,
  type State,
  type Step,
  step,
} from './cache/reflector.ts';
export { type Pace, type ReflectorObserver, type ReflectorRun, runReflector } from './cache/run-reflector.ts';
export { isBefore } from './cache/revision.ts';
export { SharedInformer, type SharedInformerOptions } from './cache/shared-informer.ts';
export { MalformedObjectError } from './cache/store.ts';
export type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  Draft,
  ListOptions,
  ListResult,
  MetadataObject,
  PatchBody,
  Reader,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
  WriteTarget,
} from './client/client.ts';
export { type ClientOptions, createClient } from './client/http-client.ts';
export { createRetryBudget, type RetryBudget } from './client/retry-budget.ts';
export { undeclaredFields } from './client/apply-flaws.ts';
export { isKubeError, KubeError, type KubeErrorCode, type KubeErrorOptions, retryOf } from './client/kube-error.ts';
export {
  type Controller,
  ControllerError,
  type ControllerSpec,
  defineController,
  ensureUniqueNames,
  type ReadRight,
  type Reconcile,
  type ReconcileContext,
  type Verb,
  type WriteRight,
} from './controller/define-controller.ts';
export {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
  type EventTarget,
  type RecordedEvent,
} from './controller/event-recorder.ts';
export { type Fence, type FenceOf, noFence } from './controller/fence.ts';
export { type FieldPath, formatFieldPath, isWithin, parseFieldPath } from './controller/field-path.ts';
export { byLabel, type Mapper, owner, type RequestLabels, self, toRequests } from './controller/mapper.ts';
export {
  allOf,
  annotationsChanged,
  anyOf,
  changed,
  deletionStarted,
  generationChanged,
  labelsChanged,
  type Predicate,
  type SoundEvent,
} from './controller/predicate.ts';
export { cacheRules, rbacRules, type Rights } from './controller/rbac.ts';
export { type ReconcileRequest, type ReconcileResult, soonest } from './controller/request.ts';
export { runController, type RunOptions } from './controller/runtime.ts';
export { type Enqueue, laneOf, type Watch, watch, type WatchSpec } from './controller/watch.ts';
export {
  type Cluster,
  ClusterNotReadyError,
  type ClusterProvider,
  type ClusterSource,
  type ClusterTarget,
  type FleetControl,
  type ScopedCluster,
  type Write,
  type WriteResult,
} from './fleet/cluster.ts';
export { createFleet, DisengagedError, type FleetOptions } from './fleet/fleet.ts';
export { fleetFactory, type FleetSpec } from './fleet/fleet-factory.ts';
export { onlyCluster } from './fleet/only-cluster.ts';
export { kubeconfigFolderSource, type KubeconfigFolderOptions } from './fleet/sources/kubeconfig-folder-source.ts';
export { pathEndpoint, projectSource, type ProjectSourceOptions } from './fleet/sources/project-source.ts';
export { secretSource, type SecretSourceOptions } from './fleet/sources/secret-source.ts';
export { staticSource } from './fleet/sources/static-source.ts';
export {
  electionRules,
  type Lead,
  type LeaderElectionOptions,
  LeadershipLostError,
  runElected,
} from './manager/leader-election.ts';
export { type ElectionOptions, type ManagerOptions, runManager } from './manager/manager.ts';
export { ShardCountError } from './shards/shard-counts.ts';
export type { ShardChange } from './shards/shard.ts';
export type { ShardsEnv } from './shards/shard-group.ts';
export { shardedSource } from './shards/sharded-source.ts';
export { createShards, type ShardListener, shardRules, type Shards, type ShardsOptions } from './shards/shards.ts';
export type {
  Credentials,
  Endpoint,
  EndpointTls,
  ExecCredentials,
  Impersonation,
  PemSource,
  TransportFactory,
} from './transport/endpoint.ts';
export type { HeapNode } from './queue/delay-heap.ts';
export { DelayingQueue, type RetryOptions } from './queue/delaying-queue.ts';
export type { Lane, QueueItem } from './queue/queue-item.ts';
export { TimedHeap, type TimedHeapOptions } from './queue/timed-heap.ts';
export { exposeQueue, observeQueue } from './queue/queue-metrics.ts';
export { type BackoffOptions, exponential, RateLimiter } from './queue/rate-limiter.ts';
export { type QueueObserver, type WorkItem, WorkQueue, type WorkQueueOptions } from './queue/work-queue.ts';
export { loadEndpoint } from './transport/load-endpoint.ts';
export { conditionWrites, type ConditionWriteOptions } from './write/condition-writes.ts';
export { deleteWrite } from './write/delete-write.ts';
export { finalizerAddition, finalizerRemoval } from './write/finalizer-writes.ts';
export { createTransportFactory, type TransportFactoryOptions } from './transport/create-transport.ts';
export type { ProcessResult, Spawn, SpawnOptions } from './transport/exec-process.ts';
export { FileError, systemFiles } from './transport/files.ts';
export { inClusterEndpoint } from './transport/in-cluster.ts';
export {
  kubeconfigPaths,
  type LoadedEndpoint,
  loadKubeconfig,
  type LoadKubeconfigOptions,
  parseKubeconfig,
  type ParseKubeconfigOptions,
} from './transport/kubeconfig.ts';
export { KubeconfigError, type KubeconfigErrorCode } from './transport/kubeconfig-error.ts';
export { isTransportError, TransportError, type TransportErrorCode } from './transport/transport-error.ts';
