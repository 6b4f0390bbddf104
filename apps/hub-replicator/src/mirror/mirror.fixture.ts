/** Objects as two planes hold them, for the tests of this folder. */
import {
  anchorName,
  annotations,
  ConfigMap,
  Connector,
  downstreamNamespaceObject,
  HTTPProxy,
  identityOf,
  type Kind,
  type KubeObject,
  type ObjectMeta,
  ownerReferenceTo,
  parseSelector,
  type UpstreamName,
} from '@lifeline/core';
import { anchorObject } from './anchor.ts';
import type { Rules, Seen } from './decide.ts';
import { defaultPolicies } from './kinds.ts';
import type { KindPolicy } from './policy.ts';

export const installation = 'here';
export const namespaceUid = 'ns-uid';
export const mapped = `ns-${namespaceUid}`;
export const uid = 'object-uid';

export const policyOf = (kind: Kind, changes: Partial<KindPolicy> = {}): KindPolicy => {
  const policy = defaultPolicies.find((known) => known.kind.id === kind.id);
  if (!policy) throw new TypeError(`no policy of ${kind.id}`);
  return { ...policy, ...changes };
};

export const rulesOf = (policy: KindPolicy, changes: Partial<Rules> = {}): Rules => ({
  policy,
  selection: parseSelector(policy.selector ?? ''),
  installation,
  single: false,
  bare: false,
  controllerName: 'lifeline.test/gateways',
  ...changes,
});

export const targetOf = (kind: Kind = HTTPProxy, changes: Partial<UpstreamName> = {}): UpstreamName => ({
  cluster: 'org/p1',
  group: kind.group,
  kind: kind.kind,
  namespace: 'default',
  name: 'web',
  ...changes,
});

const versioned = { resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' };

/** An object of the project. */
export const upstreamOf = (
  kind: Kind = HTTPProxy,
  metadata: Partial<ObjectMeta> = {},
  body: object = {},
): KubeObject => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  metadata: { namespace: 'default', name: 'web', uid, generation: 3, ...versioned, ...metadata },
  ...body,
});

export const namespaceOf = (metadata: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', uid: namespaceUid, ...versioned, ...metadata },
});

/** The downstream Namespace, as we make it. */
export function mappedOf(target = targetOf(), metadata: Partial<ObjectMeta> = {}, id = installation): KubeObject {
  const made = downstreamNamespaceObject({ cluster: target.cluster, name: target.namespace, uid: namespaceUid }, id);
  return { ...made, metadata: { ...made.metadata, uid: 'mapped-uid', ...versioned, ...metadata } };
}

export function anchorOf(target = targetOf(), metadata: Partial<ObjectMeta> = {}, id = installation): KubeObject {
  const { metadata: made } = anchorObject({ target, uid, installation: id, namespace: mapped });
  return {
    apiVersion: ConfigMap.apiVersion,
    kind: ConfigMap.kind,
    metadata: { ...made, uid: 'anchor-uid', ...versioned, ...metadata },
  };
}

/** A copy, as we make it. */
export function copyOf(target = targetOf(), metadata: Partial<ObjectMeta> = {}, id = installation): KubeObject {
  const identity = identityOf({ ...target, uid, generation: 3 }, id);
  return {
    apiVersion: target.kind === Connector.kind ? Connector.apiVersion : HTTPProxy.apiVersion,
    kind: target.kind,
    metadata: {
      namespace: mapped,
      name: target.name,
      uid: 'copy-uid',
      ...versioned,
      ...identity,
      ownerReferences: [ownerReferenceTo(anchorOf(target))],
      ...metadata,
    },
  };
}

/** A copy as the Go system leaves it: five labels, and an anchor that is called after a uid. */
export function goCopyOf(
  target = targetOf(),
  owner: string | undefined = uid,
  metadata: Partial<ObjectMeta> = {},
): KubeObject {
  const { labels } = identityOf({ ...target, uid }, installation);
  const { 'lifeline.dev/installation': _ours, ...five } = labels;
  const copy = copyOf(target, { labels: five, annotations: undefined, ownerReferences: undefined, ...metadata });
  if (owner === undefined) return copy;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: anchorName(owner), uid: `anchor-of-${owner}` };
  return { ...copy, metadata: { ...copy.metadata, ownerReferences: [reference] } };
}

export const seenOf = (changes: Partial<Seen> = {}): Seen => ({
  target: targetOf(),
  upstream: upstreamOf(),
  namespace: namespaceOf(),
  mapped: mappedOf(),
  copies: [],
  anchors: [],
  emptied: false,
  ...changes,
});

export const otherUid = { [annotations.upstreamUid]: 'another-uid' };
