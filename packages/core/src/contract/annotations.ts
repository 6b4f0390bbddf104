/** Annotation keys. The exact form of a shortened identity label stands under the label's own key, see `labels.ts`. */

const meta = 'meta.datumapis.com';
const networking = 'networking.datumapis.com';
const compute = 'compute.datumapis.com';

/** What a key needs so that Envoy Gateway carries it into the metadata that the hook sees, with this prefix cut off. */
export const gatewayAnnotationPrefix = 'gateway.envoyproxy.io/';

export const annotations = {
  /** The uid of the upstream object. A copy with another uid is another copy. */
  upstreamUid: `${meta}/upstream-uid`,
  /** The upstream generation whose spec the copy carries; written in the same request as that spec. */
  upstreamGeneration: `${meta}/upstream-generation`,
  /** On a downstream Namespace, before its project is swept: claims of its Instances need not be waited for. */
  upstreamProjectDeleted: `${meta}/upstream-project-deleted`,

  /** The whole upstream `.status`, canonical JSON. Absent when there is none. */
  upstreamStatus: `${networking}/upstream-status`,
  /** When that content was first seen upstream, RFC 3339. */
  upstreamStatusObservedAt: `${networking}/upstream-status-observed-at`,
  /** `"true"` while the mirrored status is a reduced one. */
  upstreamStatusTruncated: `${networking}/upstream-status-truncated`,

  /** `"true"` on a Secret that carries the gateway-sync label because a policy names it, and for no other reason. */
  gatewaySyncManaged: `${networking}/gateway-sync-managed`,

  /** The stamp on a Gateway, see `liveness/stamp.ts`. The default of a setting; its prefix decides whether Envoy Gateway shows it to the hook. */
  intent: `${gatewayAnnotationPrefix}lifeline-intent`,

  /** On claims and copies: the uid of the cell's Instance. */
  instanceUid: `${compute}/instance-uid`,
  /** In a Workload template: when a restart was asked for, RFC 3339 with milliseconds. */
  restartedAt: `${compute}/restartedAt`,
  /** On a project WorkloadDeployment: the hub namespace of its copy, recorded before the first hub write. */
  federationNamespace: `${compute}/federation-namespace`,
  /** On a project WorkloadDeployment: the permanent id of the hub copy's ResourceBinding. */
  bindingId: `${compute}/binding-id`,
} as const;

/** The value of annotations that are only ever there or not. */
export const annotationTrue = 'true';

/** Whether a change of this annotation makes Envoy Gateway call the hook. A setting that fails this draws a warning at start. */
export const reachesHook = (key: string): boolean =>
  key.length > gatewayAnnotationPrefix.length && key.startsWith(gatewayAnnotationPrefix);
