/**
 * A hub as the Go system leaves it: written by updates, with the five labels and nothing of ours.
 *
 * @see datum-cloud/network-services-operator@41b6db2 internal/controller/gateway_resource_replicator_controller.go, internal/downstreamclient
 */
import {
  anchorName,
  annotations,
  ConfigMap,
  encodeCluster,
  finalizers,
  type JsonObject,
  type Kind,
  type KubeObject,
  labels,
  Namespace,
  type ObjectName,
  stringifyJson,
} from '@lifeline/core';
import { hub, type Platform } from './world.ts';

/** Who the Go system is in managedFields. */
const manager = 'manager';

const marks = (project: string, kind: Kind, { namespace = '', name }: ObjectName): Record<string, string> => ({
  [labels.upstreamCluster]: encodeCluster(project)?.label ?? '',
  [labels.upstreamGroup]: kind.group,
  [labels.upstreamKind]: kind.kind,
  [labels.upstreamName]: name,
  [labels.upstreamNamespace]: namespace,
});

export interface GoCopy {
  readonly project: string;
  readonly kind: Kind;
  /** The upstream object, which stays as it is but for the finalizer. */
  readonly name: ObjectName;
  /** In place of the upstream object's own, for a copy that was never made anew with it. */
  readonly uid?: string | undefined;
  /** The status that the annotation holds; default: the upstream object's own. */
  readonly status?: unknown;
  /** What upstream does not have any more. */
  readonly leftOvers?: JsonObject | undefined;
}

/** Copies an object to the hub as the Go system does, its Namespace and its anchor first. */
export async function copyAsGo(platform: Platform, copy: GoCopy): Promise<void> {
  const { project, kind, name } = copy;
  const go = platform.world.hands(manager);
  const upstream = platform.api(project).get(kind, name) as
    (KubeObject & { spec?: unknown; data?: unknown; status?: unknown }) | undefined;
  if (!upstream) throw new TypeError(`no ${kind.kind} ${name.name}`);
  const { namespace = '' } = name;
  const mapped = platform.mapped(project, namespace);
  if (!platform.api(hub).get(Namespace, { name: mapped })) {
    const itsMarks = { ...marks(project, Namespace, { namespace, name: namespace }), [labels.upstreamGroup]: '' };
    await platform.do(go.create(hub, Namespace, { metadata: { name: mapped, labels: itsMarks } }));
  }
  const metadata = { namespace: mapped, labels: marks(project, kind, name) };
  const anchor = await platform.do(
    go.create(hub, ConfigMap, { metadata: { ...metadata, name: anchorName(copy.uid ?? upstream.metadata.uid ?? '') } }),
  );
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: anchor.metadata.name, uid: anchor.metadata.uid ?? '' };
  const status = 'status' in copy ? copy.status : upstream.status;
  const text = status === undefined ? undefined : stringifyJson(status);
  const { spec, data } = upstream;
  const body = {
    metadata: {
      ...metadata,
      name: name.name,
      ownerReferences: [owner],
      ...(text !== undefined && { annotations: { [annotations.upstreamStatus]: text } }),
    },
    ...(spec !== undefined && { spec }),
    ...(data !== undefined && { data }),
    ...copy.leftOvers,
  };
  await platform.do(go.create(hub, kind, body as never));
  const held = { metadata: { finalizers: [finalizers.replicator] } };
  await platform.do(go.patch(project, { kind, name }, { type: 'merge', body: held }));
}
