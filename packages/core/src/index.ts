export { abortable, DeadlineError, deadlineAbort, linkAbort, type LinkedAbort } from './abort.ts';
export { describeError, PlatformError, TerminalError } from './errors.ts';
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
  Work,
  Workload,
  WorkloadDeployment,
} from './kinds/index.ts';
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
export { matchesSelector, parseSelector } from './meta/selector.ts';
export { formatMicroTime, formatTime } from './meta/time.ts';
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
