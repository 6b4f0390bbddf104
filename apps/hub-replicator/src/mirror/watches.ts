/** What a kind's mirror listens to. */
import {
  ConfigMap,
  downstreamNamespace,
  finalizers,
  hasFinalizer,
  isUrgentStatusChange,
  type KubeObject,
  labelSelectors,
  matchesSelector,
  Namespace,
  objectKey,
  parseKey,
  Secret,
  upstreamOf,
} from '@lifeline/core';
import {
  annotationsChanged,
  anyOf,
  type ClusterProvider,
  deletionStarted,
  type InformerOptions,
  labelsChanged,
  type Mapper,
  type Predicate,
  type ReconcileRequest,
  self,
  type Watch,
  watch,
} from '@lifeline/k8s';
import { policiesOfSecret, policiesOfSource } from '../secrets/policies-of-secret.ts';
import { statusOf } from '../status-up/write.ts';
import type { Rules } from './decide.ts';
import { type EngagedProjects, requestOfCopy, requestOfNamespace } from './engaged.ts';
import { copyIndexes, indexValues } from './identity-index.ts';
import type { TakenPlaces } from './taken-places.ts';

export interface WatchedPlanes {
  readonly projects: ClusterProvider;
  readonly hub: ClusterProvider;
  readonly engaged: EngagedProjects;
  readonly places: TakenPlaces;
  /** Told about each change upstream, before anything is done about it. */
  readonly onChange: (request: ReconcileRequest) => void;
  /** Whether an event of a copy is worth a look. */
  readonly isNews: Predicate<KubeObject>;
  /** Told about a copy whose marks cannot be read. */
  readonly onUnreadable: (copy: KubeObject, key: string) => void;
  /** ConfigMaps are copied: their copies are held whole. */
  readonly copiesConfigMaps: boolean;
}

/** Without content where only some objects are copied, or none: those are read when they change. */
export const isBare = ({ policy }: Pick<Rules, 'policy'>): boolean => !policy.enabled || policy.selector !== undefined;

/** What several controllers hold of the hub, in one cache: what says that it is a copy, without its content. */
export const bareCopies = { labelSelector: labelSelectors.copies, metadataOnly: true } as const;

export function mirrorWatches(rules: Rules, planes: WatchedPlanes): readonly Watch[] {
  const { projects, hub } = planes;
  const { kind, enabled, guardsSecrets } = rules.policy;
  const copies = copyOptions(enabled);
  const fromHub = copyMapper(rules, planes);
  const upstream = { ...upstreamOptions(rules), urgent: isFlip(rules), mapper: upstreamMapper(rules) };
  const anchors = { ...anchorOptions(planes), mapper: fromHub };
  return [
    reported(watch(projects, kind, upstream), planes.onChange),
    watch(projects, Namespace, { metadataOnly: true, mapper: strandedCopies(rules, planes) }),
    onEventsOnly(watch(hub, Namespace, { ...bareCopies, predicate: left, mapper: objectsOf(rules, planes) })),
    watch(hub, kind, { ...copies, predicate: planes.isNews, mapper: fromHub }),
    ...(kind.id === ConfigMap.id ? [] : [watch(hub, ConfigMap, anchors)]),
    ...(guardsSecrets
      ? [
          watch(hub, Secret, { ...bareCopies, mapper: policiesOfSecret(planes.engaged) }),
          watch(projects, Secret, {
            metadataOnly: true,
            predicate: deletionStarted,
            mapper: policiesOfSource(planes.engaged),
          }),
        ]
      : []),
  ];
}

/** A flip of what a copy carries of the status. A list tells of one like a watch does. */
function isFlip({ policy }: Rules): Predicate<KubeObject> {
  if (policy.status.direction !== 'mirror') return () => false;
  return (event) => event.type === 'updated' && isUrgentStatusChange(statusOf(event.old), statusOf(event.object));
}

const upstreamOptions = (rules: Rules): InformerOptions<KubeObject> => ({ metadataOnly: isBare(rules) });

const copyOptions = (whole: boolean): InformerOptions<KubeObject> => ({
  labelSelector: labelSelectors.copies,
  metadataOnly: !whole,
  indexes: copyIndexes,
});

/** Of the hub's ConfigMaps: one cache for all that look at anchors. */
export const anchorOptions = ({
  copiesConfigMaps,
}: Pick<WatchedPlanes, 'copiesConfigMaps'>): InformerOptions<KubeObject> => copyOptions(copiesConfigMaps);

/** False while the hub says that it has no such kind, or does not let us list it. */
export const isServed = (hub: ClusterProvider, { policy }: Rules): boolean =>
  hub.list().every((plane) => plane.informer(policy.kind, copyOptions(policy.enabled)).status.at !== 'unavailable');

/** All that are or were copied: one that is not selected any more may still be held by our finalizer. */
function upstreamMapper({ policy, selection }: Rules): Mapper<KubeObject> {
  return (object, cluster) => {
    const isSelected = policy.enabled && matchesSelector(selection, object.metadata.labels);
    return isSelected || hasFinalizer(object, finalizers.replicator) ? self(object, cluster) : [];
  };
}

function copyMapper({ policy }: Rules, { engaged, onUnreadable }: WatchedPlanes): Mapper<KubeObject> {
  return (copy) => {
    const mapped = requestOfCopy(policy.kind, copy, engaged);
    if (mapped.at === 'unreadable') onUnreadable(copy, mapped.key);
    return mapped.at === 'request' ? [mapped.request] : [];
  };
}

/** A downstream Namespace has gone, or says something else than before: whoever may or may not stand in it looks again. */
const left: Predicate<KubeObject> = (event) =>
  event.type === 'deleted' || (event.type === 'updated' && anyOf(labelsChanged, annotationsChanged)(event));

/** The objects of the kind in the upstream Namespace that a downstream one names; where it names none, those that were refused it. */
function objectsOf(rules: Rules, { engaged, places }: WatchedPlanes): Mapper<KubeObject> {
  const mapper = upstreamMapper(rules);
  return (mapped) => {
    const of = requestOfNamespace(mapped, engaged);
    const project = of && engaged.get(of.cluster);
    if (!of || !project) return places.seekersOf(mapped.metadata.name, rules.policy.kind.id);
    const { name } = parseKey(of.key);
    const { store } = project.informer(rules.policy.kind, upstreamOptions(rules));
    return [...store.list()]
      .filter(({ metadata }) => metadata.namespace === name)
      .flatMap((object) => mapper(object, of.cluster));
  };
}

/**
 * What an upstream Namespace leaves on the hub: copies in the mapped namespace of an earlier one of its name, and those whose object is not
 * in it. So what went while nobody watched is found as soon as its project is there, and not at the pace of the floor.
 */
function strandedCopies(rules: Rules, { hub, engaged }: WatchedPlanes): Mapper<KubeObject> {
  const { kind, enabled } = rules.policy;
  return ({ metadata }, cluster) => {
    const [plane] = hub.list();
    const { name: namespace, uid } = metadata;
    const project = engaged.get(cluster);
    if (!plane || !project || uid === undefined) return [];
    const { store } = plane.informer(kind, copyOptions(enabled));
    const objects = project.informer(kind, upstreamOptions(rules)).store;
    const { group } = kind;
    const mapped = downstreamNamespace(uid);
    return indexValues('namespace', { cluster, group, kind: kind.kind, namespace, name: '' })
      .flatMap((value) => store.byIndex('namespace', value))
      .flatMap((copy): readonly ReconcileRequest[] => {
        const decoded = upstreamOf(copy, engaged);
        if (decoded.state !== 'decoded' || decoded.upstream.cluster !== cluster) return [];
        const key = objectKey(decoded.upstream);
        return copy.metadata.namespace === mapped && objects.has(key) ? [] : [{ cluster, key }];
      });
  };
}

/** The floor looks at the objects themselves. */
const onEventsOnly = (inner: Watch): Watch => ({ ...inner, requests: () => [] });

/** Tells about requests that events bring; what the floor looks at is no change. */
const reported = (inner: Watch, onChange: (request: ReconcileRequest) => void): Watch => ({
  ...inner,
  subscribe: (cluster, enqueue) =>
    inner.subscribe(cluster, (request, lane) => {
      onChange(request);
      enqueue(request, lane);
    }),
});
