/** A policy, its copy, and a server that takes writes: for the tests of this folder. */
import {
  annotations,
  applyJsonPatch,
  epochMs,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  labels,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';
import { policiesOf } from '../mirror/kinds.ts';
import type { KindPolicy } from '../mirror/policy.ts';
import type { StatusUpInputs } from './status-up.ts';

export const uid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
export const mapped = `ns-${uid}`;
export const now = epochMs(Date.UTC(2026, 0, 1, 12));
export const controllerName = 'example.com/ours';
export const edgeController = 'gateway.envoyproxy.io/gatewayclass-controller';

/** The default policy of a kind, switched on. */
export function policyFor(kind: string): KindPolicy {
  const found = policiesOf([]).policies.find((policy) => policy.kind.kind === kind);
  if (!found) throw new Error(`no policy for ${kind}`);
  return { ...found, enabled: true };
}

export interface PairOptions {
  readonly kind: string;
  readonly spec?: JsonObject | undefined;
  /** Upstream. */
  readonly status?: JsonValue | undefined;
  /** On the hub. */
  readonly hub?: JsonValue | undefined;
  /** Of the copy. Default 7, made from upstream generation 3 of 3. */
  readonly hubGeneration?: number | undefined;
}

/** What `statusUp` is asked about an object `default/web` of `org-a/p1`. */
export function pair({ kind, spec = {}, status, hub, hubGeneration = 7 }: PairOptions): StatusUpInputs & {
  readonly copy: KubeObject;
} {
  const policy = policyFor(kind);
  const { apiVersion } = policy.kind;
  const upstream = {
    apiVersion,
    kind,
    metadata: { namespace: 'default', name: 'web', uid: 'u1', resourceVersion: '5', generation: 3 },
    spec,
    ...(status === undefined ? {} : { status }),
  };
  const copy = {
    apiVersion,
    kind,
    metadata: {
      namespace: mapped,
      name: 'web',
      uid: 'u2',
      generation: hubGeneration,
      labels: { [labels.upstreamCluster]: 'cluster-org-a_p1' },
      annotations: { [annotations.upstreamUid]: 'u1', [annotations.upstreamGeneration]: '3' },
    },
    spec,
    ...(hub === undefined ? {} : { status: hub }),
  };
  return { policy, upstream, copy, cluster: 'org-a/p1', controllerName, now };
}

/** What the object is after the writes, as a server would have it: tests hold, each write moves the resourceVersion. */
export function afterWrites(object: KubeObject, writes: readonly Write[]): KubeObject {
  return writes.reduce<KubeObject>((held, write) => {
    if (write.verb !== 'patch' || write.patch.type !== 'json') throw new Error('not a JSON patch');
    if (write.subresource !== 'status') throw new Error('not through the status subresource');
    const patched = applyJsonPatch(held, write.patch.body) as unknown as KubeObject;
    const resourceVersion = String(Number(patched.metadata.resourceVersion) + 1);
    return { ...patched, metadata: { ...patched.metadata, resourceVersion } };
  }, object);
}

/** `.status` as it came out. */
export const statusIn = (object: KubeObject): JsonValue | undefined => (object as unknown as JsonObject)['status'];
