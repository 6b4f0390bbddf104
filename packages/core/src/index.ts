export { abortable, DeadlineError, deadlineAbort, linkAbort, type LinkedAbort, untilAborted } from './abort.ts';
export { compareTexts } from './compare-texts.ts';
export { annotations, annotationTrue, gatewayAnnotationPrefix, reachesHook } from './contract/annotations.ts';
export {
  type ClusterLookup,
  decodeCluster,
  type DecodedCluster,
  encodeCluster,
  projectKey,
} from './contract/cluster-label.ts';
export {
  cityPolicyName,
  claimName,
  type DeploymentIdentity,
  instanceName,
  instanceOfClaim,
  templateHashPrefix,
  workloadDeploymentName,
} from './contract/compute-names.ts';
export {
  conditionTypes,
  connectorMessages,
  connectorReasons,
  deploymentReasons,
  instanceReadyReasons,
  quotaReasons,
  schedulingGates,
} from './contract/conditions.ts';
export {
  attemptBackoffMs,
  defaultPorts,
  edgeDefaults,
  hookDefaults,
  leaseDefaults,
  replicationDefaults,
  stampDefaults,
} from './contract/defaults.ts';
export { sha256Hex } from './contract/digest.ts';
export {
  downstreamNamespaceObject,
  type NamespaceObject,
  type UpstreamNamespace,
} from './contract/downstream-namespace.ts';
export { EngagedClusters } from './contract/engaged-clusters.ts';
export { ContractError, type ContractErrorCode } from './contract/errors.ts';
export { type FieldManager, fieldManagers } from './contract/field-managers.ts';
export { finalizers } from './contract/finalizers.ts';
export {
  debugPaths,
  edgeReasons,
  grpcServices,
  metadataNamespaces,
  type Outcome,
  outcomeConverges,
  outcomes,
  transportSockets,
  tunnelHeader,
  tunnelKeys,
} from './contract/hook.ts';
export {
  type CopyIdentity,
  type DecodedUpstream,
  encodedLabels,
  type Identity,
  identityOf,
  isOrphan,
  livingKey,
  sameCopy,
  type Upstream,
  upstreamKey,
  type UpstreamName,
  upstreamOf,
} from './contract/identity.ts';
export {
  demoInstallation,
  isInstallationId,
  isMappedNamespace,
  type Ownership,
  ownershipOf,
  requireInstallationId,
  truthLabels,
} from './contract/installation.ts';
export { copyPlanes, labels } from './contract/labels.ts';
export { type MetricDefinition, metricDefinitions, reflectorMetricPrefix } from './contract/metrics.ts';
export {
  anchorName,
  downstreamNamespace,
  installationConfigMap,
  installationKey,
  truthNamespace,
  watermarkConfigMap,
} from './contract/names.ts';
export { labelSelectors } from './contract/selectors.ts';
export { defaultShards, shardOf, shardWriteShare } from './contract/shards.ts';
export { decodeLabel, type EncodedLabel, encodeLabel } from './contract/short-label.ts';
export {
  annotationBudgetBytes,
  annotationBytes,
  annotationLimitBytes,
  karmadaReserveBytes,
  utf8Bytes,
} from './contract/sizes.ts';
export { downstreamStatusMissing, type GenerationsSeen, observedGenerationUp } from './contract/status-up.ts';
export {
  parseWatermark,
  watermarkBehindLimit,
  type WatermarkEntry,
  watermarkKey,
  watermarkShardsKey,
  watermarkText,
} from './contract/watermark.ts';
export { describeError, PlatformError, TerminalError } from './errors.ts';
export { fetchOver } from './fetch-over.ts';
export { canonicalJson } from './json/canonical.ts';
export { deepEqual, type NumberEquality } from './json/equal.ts';
export { JsonError, type JsonErrorCode } from './json/error.ts';
export { deepFreeze } from './json/freeze.ts';
export { sameValue } from './json/number.ts';
export { ownValue, setOwn } from './json/own.ts';
export { parseJson, parseJsonBytes } from './json/parse.ts';
export { stringifyJson } from './json/stringify.ts';
export {
  exactNumber,
  type Int64,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from './json/value.ts';
export {
  allKinds,
  Backend,
  BackendTLSPolicy,
  BackendTrafficPolicy,
  type CelRule,
  ClientTrafficPolicy,
  ClusterOverridePolicy,
  ClusterPropagationPolicy,
  ClusterResourceBinding,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Connector,
  ConnectorAdvertisement,
  ConnectorClass,
  CustomResourceDefinition,
  defineKind,
  EndpointSlice,
  EnvoyPatchPolicy,
  EnvoyProxy,
  Gateway,
  GatewayClass,
  HTTPProxy,
  HTTPRoute,
  HTTPRouteFilter,
  Instance,
  type InstanceTemplate,
  KarmadaCluster,
  type Kind,
  kindById,
  kindId,
  type KindObject,
  kindOf,
  type KindSpec,
  KubeEvent,
  kubernetesKinds,
  Lease,
  Location,
  Namespace,
  Network,
  NetworkContext,
  OverridePolicy,
  platformKinds,
  type PolicyRule,
  type PrinterColumn,
  Project,
  ProjectControlPlane,
  PropagationPolicy,
  ResourceBinding,
  ResourceClaim,
  ResourceInterpreterCustomization,
  Role,
  RoleBinding,
  type ScaleSubresource,
  Secret,
  SecurityPolicy,
  SelfSubjectAccessReview,
  serverRules,
  type ServerRules,
  Service,
  ServiceAccount,
  Subnet,
  thirdPartyKinds,
  TrafficProtectionPolicy,
  unknownKind,
  Work,
  Workload,
  WorkloadDeployment,
} from './kinds/index.ts';
export {
  classifyLiveness,
  classifyStatus,
  type ConnectorLike,
  type Liveness,
  type LivenessReason,
  livenessReasons,
  truthOf,
  writtenNodeId,
} from './liveness/classify.ts';
export { acceptedByClass, type AcceptedInputs } from './liveness/connector-accepted.ts';
export { type Endpoint, parseEndpoint } from './liveness/endpoint.ts';
export {
  type ConnectorBackend,
  connectorBackends,
  gatewayIntent,
  type HTTPProxyLike,
  type IntentBackend,
  intentVersion,
  noIntent,
} from './liveness/intent.ts';
export { type IntentExample, intentExamples } from './liveness/intent-examples.ts';
export {
  leaseFreshness,
  type LeaseFreshness,
  type LeaseLike,
  type LeaseObservation,
  observeLease,
  recheckDelayMs,
  rewrittenLease,
  unseenLease,
} from './liveness/lease-freshness.ts';
export { readyByLease, type ReadyInputs } from './liveness/lease-ready.ts';
export { isUrgentStatusChange } from './liveness/mirror-urgency.ts';
export { nodeIdBytes, nodeIdKey } from './liveness/node-id.ts';
export { type NodeIdClaim, refusedConnectors, sharedNodeIds } from './liveness/shared-node-ids.ts';
export { formatStamp, nextStamp, parseStamp, type Stamp, type StampCause } from './liveness/stamp.ts';
export { type Mirror, type MirrorInputs, mirrorStatus, mirrorText } from './liveness/status-mirror.ts';
export { type ConditionedObject, conditionPatch, conditionsToApply } from './meta/condition-patch.ts';
export {
  type Condition,
  conditionEntry,
  conditionSchema,
  type ConditionStatus,
  type DesiredCondition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './meta/conditions.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from './meta/finalizer.ts';
export {
  int64,
  isDeleting,
  keyOf,
  type KubeObject,
  objectKey,
  type ObjectKey,
  type ObjectMeta,
  objectMetaSchema,
  type ObjectName,
  type OwnerReference,
  ownerReferenceSchema,
  parseKey,
} from './meta/object.ts';
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  type OwnerOptions,
  ownerReferenceTo,
  withOwnerReference,
} from './meta/owner.ts';
export { type ReadObject, testResourceVersion, testUid } from './meta/precondition.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
  unitsIn,
} from './meta/quantity.ts';
export {
  formatSelector,
  type LabelMap,
  type LabelSelector,
  labelSelectorSchema,
  matchesSelector,
  parseSelector,
  type Requirement,
  type Requirements,
  requirementsOf,
  SelectorError,
} from './meta/selector.ts';
export {
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedName,
  labelValueLimit,
  subdomainLimit,
} from './meta/syntax.ts';
export {
  type EpochMicros,
  epochMicrosOf,
  epochMsOf,
  formatMicroTime,
  formatMilliTime,
  formatTime,
  parseTime,
  sameTime,
  TimeError,
} from './meta/time.ts';
export {
  asStatus,
  type KubeList,
  listMetaSchema,
  listSchema,
  type Status,
  statusSchema,
  watchEventSchema,
  type WireEvent,
} from './meta/wire.ts';
export { MergePatchError, mergePatchDiff } from './patch/diff.ts';
export {
  applyJsonPatch,
  type JsonPatch,
  JsonPatchError,
  type JsonPatchErrorCode,
  type JsonPatchOperation,
} from './patch/json-patch.ts';
export { applyMergePatch } from './patch/merge-patch.ts';
export { jsonPointer, pointerTokens } from './patch/pointer.ts';
export { type Random, seeded, systemRandom } from './random.ts';
export {
  type Clock,
  type DurationMs,
  type EpochMs,
  epochMs,
  later,
  type MonotonicMs,
  monotonicMs,
  sleepWith,
  systemClock,
} from './time.ts';
export {
  bodyOf,
  intercept,
  readAll,
  type Transport,
  type TransportInterceptor,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
