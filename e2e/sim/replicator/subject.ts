/** What the oracles need to know of the hub replicator. */
import {
  anchorName,
  annotations,
  Backend,
  ConfigMap,
  Connector,
  downstreamNamespace,
  EngagedClusters,
  finalizers,
  findCondition,
  HTTPProxy,
  identityOf,
  isConditionTrue,
  isDeleting,
  keyOf,
  type Kind,
  kindById,
  kindId,
  type KubeObject,
  labels,
  Lease,
  mirrorText,
  Namespace,
  objectKey,
  type ObjectName,
  ownValue,
  Project,
  seeded,
  shardOf,
  truthNamespace,
  upstreamOf,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app, Lag, policiesOf, replicatorControllers, type ReplicatorConfig } from '@lifeline/hub-replicator';
import { type ClusterProvider, createLog, noFence, type WriteRight } from '@lifeline/k8s';
import { filesOf, SimulatedProcess } from '@lifeline/k8s/testing';
import type { CopyRules, Output, Placed, ShardRules, Subject, Truth, Upstream } from '@lifeline/sim';
import { control, hub } from '../../hub-replicator/world.ts';

export const installation = 'sim';

/** The kinds that users of these worlds write. */
export const usedKinds: readonly Kind[] = [ConfigMap, Connector, HTTPProxy, Backend];

export interface ReplicatorSubjectOptions {
  readonly replicas: readonly string[];
  readonly projects: readonly string[];
  readonly config: ReplicatorConfig;
}

/** The rights of all its controllers, as they declare them. */
function declaredWrites(config: ReplicatorConfig): readonly WriteRight[] {
  const clock = new VirtualClock();
  const { env } = new SimulatedProcess({
    name: 'rights',
    clock,
    random: seeded('rights'),
    transport: () => () => Promise.reject(new Error('not to be used')),
    files: filesOf({}),
    log: createLog({ clock, write: () => undefined }),
  });
  const provider = (plane: string): ClusterProvider =>
    ({ plane, subscribe: () => ({ [Symbol.dispose]: () => undefined }) }) as unknown as ClusterProvider;
  const { policies } = policiesOf(config.kinds);
  return replicatorControllers({
    env,
    settings: config,
    policies,
    installation,
    lag: new Lag(env),
    hub: provider('hub'),
    projects: provider('project'),
    authority: { provider: provider('control-plane'), kind: Project },
    shards: { fence: () => noFence },
  }).flatMap(({ writes }) => writes);
}

const isSelected = (object: KubeObject): boolean =>
  !isDeleting(object) && (object.kind !== 'ConfigMap' || object.metadata.labels?.[labels.gatewaySync] !== undefined);

const upstreamIn =
  (projects: readonly string[]) =>
  ({ plane, object }: Placed): Upstream | undefined => {
    if (plane !== hub) return undefined;
    const found = upstreamOf(object, new EngagedClusters(projects));
    if (found.state !== 'decoded') return undefined;
    const { cluster, group, kind, namespace, name, uid } = found.upstream;
    const known = kindById(kindId(group, kind));
    if (!known || uid === undefined) return undefined;
    return { plane: cluster, kind: known, uid, name: known.id === Namespace.id ? { name } : { namespace, name } };
  };

const copyRules = (projects: readonly string[]): CopyRules => ({
  planes: [hub],
  authorities: [control],
  isOurs: ({ plane, object }) => plane === hub && object.metadata.labels?.[labels.installation] === installation,
  upstreamOf: upstreamIn(projects),
  isSelected: ({ object }) => isSelected(object),
  copiesOf: ({ object: { metadata } }, truth) =>
    usedKinds.flatMap((kind) =>
      truth
        .objects(hub, kind)
        .filter((copy) => copy.metadata.annotations?.[annotations.upstreamUid] === metadata.uid)
        // Anchors are deleted before, and nothing waits for their end: somebody may hold them.
        .filter((copy) => copy.metadata.name !== anchorName(metadata.uid ?? '') || !isDeleting(copy))
        .map((object) => ({ plane: hub, object })),
    ),
});

type Entries = Readonly<Record<string, unknown>>;

/** What is the app's of a copy; its status is another oracle's. */
function essence(object: KubeObject): unknown {
  const { metadata, ...rest } = object as KubeObject & Entries;
  const body = ['spec', 'data', 'binaryData'].flatMap((field) => {
    const value = ownValue(rest as never, field);
    return value === undefined ? [] : [[field, value]];
  });
  const ours = (entries: Entries | null | undefined): unknown =>
    Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => identityKeys.has(key)));
  return {
    labels: ours(metadata.labels),
    annotations: ours(metadata.annotations),
    body: Object.fromEntries(body) as unknown,
  };
}

const identityKeys = new Set<string>([
  labels.upstreamCluster,
  labels.upstreamGroup,
  labels.upstreamKind,
  labels.upstreamName,
  labels.upstreamNamespace,
  labels.installation,
  annotations.upstreamUid,
  annotations.upstreamGeneration,
]);

interface Source {
  readonly plane: string;
  readonly kind: Kind;
  readonly object: KubeObject;
}

const sources = (projects: readonly string[], truth: Truth): readonly Source[] =>
  projects.flatMap((plane) =>
    usedKinds.flatMap((kind) => truth.objects(plane, kind).map((object) => ({ plane, kind, object }))),
  );

/** Names all planes that it hangs on: who cannot reach one of them is not blamed. */
const placeOf = (plane: string, kind: Kind, name: ObjectName): string =>
  `${plane} ${kind.kind} ${objectKey(name)} in ${hub} while ${control} says so`;
const placeIn = ({ plane, kind, object }: Source): string => placeOf(plane, kind, object.metadata);

function wantedCopies(projects: readonly string[], truth: Truth): ReadonlyMap<string, unknown> {
  const entries = sources(projects, truth)
    .filter(({ object }) => isSelected(object))
    .flatMap((source): [string, unknown][] => {
      const { plane, kind, object } = source;
      const { namespace = '', name, uid = '' } = object.metadata;
      const { generation } = object.metadata as { generation?: number };
      const upstream = { cluster: plane, group: kind.group, kind: kind.kind, namespace, name, uid };
      const copy = {
        ...object,
        metadata: identityOf({ ...upstream, generation }, installation),
      } as unknown as KubeObject;
      const at = downstreamNamespace(truth.get(plane, Namespace, { name: namespace })?.metadata.uid ?? '');
      return [
        [placeIn(source), { at: `${at}/${name}`, ...(essence(copy) as object) }],
        [`anchor of ${placeIn(source)}`, `${at}/${anchorName(uid)}`],
      ];
    });
  return new Map(entries);
}

function presentCopies(projects: readonly string[], truth: Truth): ReadonlyMap<string, unknown> {
  const upstream = upstreamIn(projects);
  const entries = usedKinds.flatMap((kind) =>
    truth.objects(hub, kind).flatMap((object): [string, unknown][] => {
      const named = upstream({ plane: hub, object });
      if (!named || object.metadata.namespace === truthNamespace) return [];
      const place = placeOf(named.plane, named.kind, named.name);
      const at = keyOf(object);
      return kind.id === ConfigMap.id && object.metadata.name === anchorName(named.uid)
        ? [[`anchor of ${place}`, at]]
        : [[place, { at, ...(essence(object) as object) }]];
    }),
  );
  // Two copies of one object are one too many.
  return new Map(
    entries.map(([place, value], index) => [
      entries.findIndex(([other]) => other === place) < index ? `${place}, again` : place,
      value,
    ]),
  );
}

/** Kinds whose status is carried in an annotation. */
const mirroredKinds: readonly Kind[] = [Connector, Backend];

const mirrored = (projects: readonly string[]): Output => ({
  oracle: 'L2',
  want: (truth) =>
    new Map(
      sources(projects, truth)
        .filter(({ kind, object }) => mirroredKinds.includes(kind) && !isDeleting(object))
        .map((source) => [placeIn(source), mirrorText((source.object as { status?: unknown }).status)]),
    ),
  have: (truth) =>
    new Map(
      mirroredKinds
        .flatMap((kind) => truth.objects(hub, kind))
        .flatMap((copy): [string, unknown][] => {
          const named = upstreamIn(projects)({ plane: hub, object: copy });
          const text = copy.metadata.annotations?.[annotations.upstreamStatus];
          return named ? [[placeOf(named.plane, named.kind, named.name), text]] : [];
        }),
    ),
});

const connectorsOf = (
  projects: readonly string[],
  truth: Truth,
): readonly (Source & { readonly object: Connector })[] =>
  projects.flatMap((plane) =>
    truth
      .objects(plane, Connector)
      .filter((object) => !isDeleting(object))
      .map((object) => ({ plane, kind: Connector, object })),
  );

/** Its agent renews: it is ready. It does not: it is not. */
const readiness = (projects: readonly string[]): Output => ({
  oracle: 'L4',
  want: (truth) =>
    new Map(connectorsOf(projects, truth).map((source) => [placeIn(source), renews(truth, source) ? 'True' : 'False'])),
  have: (truth) =>
    new Map(
      connectorsOf(projects, truth).map((source) => [
        placeIn(source),
        findCondition(source.object.status?.conditions, 'Ready')?.status,
      ]),
    ),
});

type Renews = (truth: Truth, source: Source) => boolean;

/** The Lease was renewed within its duration, whatever the agent's clock said. */
const renews: Renews = (truth, { plane, object: { metadata } }) => {
  const { namespace = '', name } = metadata;
  const renewTimeOf = (lease: KubeObject | undefined): unknown =>
    (lease as Lease | undefined)?.spec?.renewTime ?? undefined;
  const now = renewTimeOf(truth.get(plane, Lease, { namespace, name }));
  const lately = [...truth.lately(plane, Lease, { name: { namespace, name }, withinMs: 33_000 })];
  return now !== undefined && lately.some((state) => renewTimeOf(state) !== now);
};

const held = (projects: readonly string[]): Output => ({
  oracle: 'L5',
  want: (truth) =>
    new Map(
      sources(projects, truth)
        .filter(({ object }) => isSelected(object))
        .map((each) => [`${placeIn(each)}, held`, true]),
    ),
  have: (truth) =>
    new Map(
      sources(projects, truth)
        .filter(({ object }) => object.metadata.finalizers?.includes(finalizers.replicator))
        .map((each) => [`${placeIn(each)}, held`, true]),
    ),
});

const copied = (projects: readonly string[]): Output => ({
  oracle: 'L1',
  want: (truth) => wantedCopies(projects, truth),
  have: (truth) => presentCopies(projects, truth),
});

/** What is done in a project, and on the hub for it, hangs on the Lease of its shard. */
function shardRules({ shards: { namespace, name, count } }: ReplicatorConfig, projects: readonly string[]): ShardRules {
  const projectOf = ({ plane, object }: Placed): string | undefined =>
    projects.find(
      (each) =>
        plane === each || (plane === hub && object.metadata.labels?.[labels.upstreamCluster] === `cluster-${each}`),
    );
  return {
    isLease: ({ plane, object: { kind, metadata } }) =>
      plane === hub &&
      kind === 'Lease' &&
      metadata.namespace === namespace &&
      metadata.name.startsWith(`${name}-shard-`),
    leaseOf: (placed) => {
      const project = projectOf(placed);
      if (project === undefined) return undefined;
      return { plane: hub, lease: { namespace, name: `${name}-shard-${shardOf(project, count)}` } };
    },
  };
}

/** Of projects that the control plane calls ready: nothing is to be done about others. */
function whileReady(projects: readonly string[], output: (projects: readonly string[]) => Output): Output {
  const isReady =
    (truth: Truth) =>
    (name: string): boolean =>
      isConditionTrue(truth.get(control, Project, { name })?.status?.conditions, 'Ready');
  return {
    oracle: output(projects).oracle,
    want: (truth) => output(projects.filter(isReady(truth))).want(truth),
    have: (truth) => output(projects.filter(isReady(truth))).have(truth),
  };
}

export const markerOf = (plane: string): string => `secret-of-${plane}`;

export const replicatorSubject = ({ replicas, projects, config }: ReplicatorSubjectOptions): Subject => ({
  app: app.name,
  replicas,
  writes: declaredWrites(config),
  planeOf: ({ name }) => (name === hub ? 'hub' : name === control ? 'control-plane' : 'project'),
  finalizers: [finalizers.replicator],
  copies: copyRules(projects),
  shards: shardRules(config, projects),
  isHousekeeping: ({ plane, object: { kind, metadata } }) =>
    plane === hub &&
    (metadata.namespace === truthNamespace || (kind === 'Namespace' && metadata.name === truthNamespace)),
  // Whichever kind of a project's Namespace comes first makes it.
  isShared: ({ plane, kind }) => plane === hub && kind.id === Namespace.id,
  tenants: {
    markers: new Map(projects.length > 1 ? projects.map((plane) => [plane, markerOf(plane)]) : []),
    projectOf: (placed) => (placed.plane === hub ? upstreamIn(projects)(placed)?.plane : placed.plane),
  },
  mirrors: ({ plane, object }, truth) => {
    const named =
      plane === hub && mirroredKinds.some(({ kind }) => kind === object.kind)
        ? upstreamIn(projects)({ plane, object })
        : undefined;
    const text = object.metadata.annotations?.[annotations.upstreamStatus];
    // What cannot be told whose it is, is judged by others.
    if (!named || text === undefined) return [];
    const lately = truth.lately(named.plane, named.kind, { name: named.name, withinMs: 300_000 });
    return [
      { text, upstream: [...lately].map((state) => (state as { status?: unknown } | undefined)?.status ?? undefined) },
    ];
  },
  conditions: true,
  outputs: [copied, mirrored, readiness, held].map((output) => whileReady(projects, output)),
  idle: { floorMs: 600_000, requestsPerFloor: () => 60 },
});
