/** Who a downstream object is a copy of: written on it, and read back. */
import type { Int64 } from '../json/value.ts';
import { annotations } from './annotations.ts';
import { type ClusterLookup, decodeCluster, encodeCluster } from './cluster-label.ts';
import { labels } from './labels.ts';
import { decodeLabel, type EncodedLabel, encodeLabel } from './short-label.ts';

/** An upstream object by name. Group and kind are needed wherever kinds are mixed: two groups may have a `Gateway`. */
export interface UpstreamName {
  /** `''` for the single cluster without a name. */
  readonly cluster: string;
  /** `''` for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An upstream object, with what tells it from another of its name. */
export interface Upstream extends UpstreamName {
  readonly uid: string;
  /** Absent for kinds that have none, such as ConfigMap. */
  readonly generation?: Int64 | undefined;
}

/** Metadata to be set as it stands, all at once. */
export interface Identity {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The identity labels and annotations of a copy, with the label of the installation that makes it. */
export function identityOf(upstream: Upstream, installation: string): Identity {
  const { generation, uid } = upstream;
  const carried = encodedLabels({
    [labels.upstreamCluster]: encodeCluster(upstream.cluster),
    [labels.upstreamGroup]: encodeLabel(upstream.group),
    [labels.upstreamKind]: encodeLabel(upstream.kind),
    [labels.upstreamName]: encodeLabel(upstream.name),
    [labels.upstreamNamespace]: encodeLabel(upstream.namespace),
  });
  return {
    labels: { ...carried.labels, [labels.installation]: installation },
    annotations: {
      ...carried.annotations,
      [annotations.upstreamUid]: uid,
      ...(generation === undefined ? {} : { [annotations.upstreamGeneration]: String(generation) }),
    },
  };
}

/** Encoded labels by key, as labels and as the annotations that go with short forms. */
export function encodedLabels(byKey: Readonly<Record<string, EncodedLabel | undefined>>): Identity {
  const labels: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  for (const [key, value] of Object.entries(byKey)) {
    if (!value) continue;
    labels[key] = value.label;
    if (value.annotation !== undefined) annotations[key] = value.annotation;
  }
  return { labels, annotations };
}

interface Marked {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>> | null | undefined;
    readonly annotations?: Readonly<Record<string, string>> | null | undefined;
  };
}

/** What the marks on a downstream object say. `uid` is absent on copies of the Go system. */
export type DecodedUpstream =
  | { readonly state: 'decoded'; readonly upstream: UpstreamName & { readonly uid?: string | undefined } }
  /** `key` is the label that cannot be read. Reported once, skipped: never another tenant's. */
  | { readonly state: 'undecodable'; readonly key: string }
  /** It is no copy: it lacks the labels that every copy has. */
  | { readonly state: 'unmarked' };

/** Whose copy an object is, by its identity labels and annotations. */
export function upstreamOf({ metadata }: Marked, engaged: ClusterLookup): DecodedUpstream {
  const marks = metadata.labels ?? {};
  const exact = metadata.annotations ?? {};
  const keys = [labels.upstreamGroup, labels.upstreamKind, labels.upstreamName, labels.upstreamNamespace];
  if (keys.some((key) => marks[key] === undefined)) return { state: 'unmarked' };

  const cluster = decodeCluster(marks[labels.upstreamCluster], exact[labels.upstreamCluster], engaged);
  if (cluster.state === 'undecodable') return { state: 'undecodable', key: labels.upstreamCluster };
  const texts = keys.map((key) => decodeLabel(marks[key], exact[key]));
  const unread = texts.indexOf(undefined);
  if (unread >= 0) return { state: 'undecodable', key: keys[unread] as string };
  const [group, kind, name, namespace] = texts as [string, string, string, string];
  return {
    state: 'decoded',
    upstream: { cluster: cluster.cluster, group, kind, name, namespace, uid: exact[annotations.upstreamUid] },
  };
}

/** A text that is equal exactly for equal names: a map key, never parsed. */
export const upstreamKey = ({ cluster, group, kind, namespace, name }: UpstreamName): string =>
  JSON.stringify([cluster, group, kind, namespace, name]);

/** Where a copy is, and whose. Two are the same copy exactly when all of these are equal. */
export interface CopyIdentity {
  /** The plane it stands on. */
  readonly plane: string;
  readonly group: string;
  readonly kind: string;
  /** The mapped one. */
  readonly namespace: string;
  readonly name: string;
  readonly upstreamUid: string;
}

/** Whether two are the same copy. A copy with another upstream uid is another one. */
export const sameCopy = (a: CopyIdentity, b: CopyIdentity): boolean =>
  a.plane === b.plane &&
  a.group === b.group &&
  a.kind === b.kind &&
  a.namespace === b.namespace &&
  a.name === b.name &&
  a.upstreamUid === b.upstreamUid;

/**
 * Whether a copy has lost its upstream object. Copies without an upstream uid are never called orphans: nothing can be proven of them.
 * @param living mapped namespaces and uids of all upstream objects of the kind, completely read, see {@link livingKey}
 */
export const isOrphan = (
  copy: { readonly namespace: string; readonly upstreamUid?: string | undefined },
  living: ReadonlySet<string>,
): boolean => copy.upstreamUid !== undefined && !living.has(livingKey(copy.namespace, copy.upstreamUid));

/** The text under which an upstream object counts as living. */
export const livingKey = (mappedNamespace: string, uid: string): string => `${mappedNamespace}/${uid}`;
