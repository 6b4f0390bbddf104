/** Says of each Connector of the project planes whether it is accepted, and whether its agent is alive. */
import {
  conditionTypes,
  Connector,
  ConnectorClass,
  fieldManagers,
  findCondition,
  isConditionTrue,
  isDeleting,
  isMappedNamespace,
  keyOf,
  labels,
  Lease,
  Namespace,
  objectKey,
} from '@lifeline/core';
import {
  changed,
  type ClusterProvider,
  type Controller,
  defineController,
  type Env,
  laneOf,
  type ReadOptions,
  type ScopedCluster,
  self,
  type Watch,
  watch,
  type WriteRight,
} from '@lifeline/k8s';
import { judge, statusWrite } from './decide.ts';
import { ensureLease, type LeaseFinding } from './ensure-lease.ts';
import { hear } from './hear.ts';
import { leaseWatch } from './lease-watch.ts';
import type { LeaseSettings } from './lease-writes.ts';

export interface ConnectorOptions extends LeaseSettings {
  readonly projects: ClusterProvider;
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Project and hub are one API server: copies stand among their sources, and are nobody's agent's. Default false. */
  readonly isSingle?: boolean | undefined;
}

/** Connectors by the name of their class. */
const classIndex = 'connector-class';

/**
 * Guarantees: `Ready` moves only by renewals that were observed, or missed, while the plane's Leases were followed; a heartbeat costs no
 * request, no write and no reconcile; a plane without Leases still has `Accepted`.
 */
export function connectors({ projects, env, isSingle = false, ...settings }: ConnectorOptions): Controller {
  const leases = leaseWatch(projects, env);
  return defineController({
    name: 'connector',
    // The Connectors first: the index by class is theirs.
    watches: [
      connectorWatch(projects),
      leases.watch,
      classWatch(projects),
      ...(isSingle ? [watch(projects, Namespace, { metadataOnly: true, mapper: () => [] })] : []),
    ],
    writes: rights(projects.plane),
    async reconcile(request, { clock, signal, cluster, log }) {
      const project = cluster(projects, request.cluster);
      const connector = project.store(Connector).get(request.key);
      const table = leases.tableOf(request.cluster);
      if (!table) return;
      if (!connector || isDeleting(connector)) return table.forget(request.key);
      if (isSingle && (await isCopy(project, connector, { signal }))) return table.forget(request.key);
      const classExists = await isClassThere(project, connector, { signal });
      const finding: LeaseFinding = classExists
        ? await ensureLease({ project, table, connector, settings, key: request.key, clock, signal })
        : { freshness: table.freshness(request.key), leaseExists: false };
      signal.throwIfAborted();
      const { freshness, leaseExists, fault } = finding;
      const verdict = judge({ connector, classExists, freshness });
      const write = statusWrite(connector, { ...verdict, leaseExists }, clock.now());
      if (write) await project.write(write, { signal });
      const { status, message } = verdict.ready;
      if (isConditionTrue(connector.status?.conditions, conditionTypes.ready) !== (status === 'True')) {
        log.info({ ready: status, because: message }, 'the connector’s Ready has flipped');
      }
      if (!classExists) table.forget(request.key);
      else if (freshness.state !== 'unproven') table.judged(request.key, freshness.state);
      else table.judged(request.key, status === 'True' ? 'fresh' : 'unproven');
      if (fault !== undefined) throw fault;
    },
  });
}

/** The agent rewrites its connection details every few seconds, and nothing of ours depends on them. */
const connectorWatch = (projects: ClusterProvider): Watch =>
  watch(projects, Connector, {
    mapper: self,
    indexes: { [classIndex]: classNames },
    predicate: changed(({ metadata, status }) => [
      metadata.generation,
      metadata.deletionTimestamp,
      status?.leaseRef,
      findCondition(status?.conditions, conditionTypes.accepted),
      findCondition(status?.conditions, conditionTypes.ready),
    ]),
  });

const classNames = ({ spec }: Connector): readonly string[] => [spec.connectorClassName];

/** Only whether a class exists matters, and only to the connectors that name it. */
const classWatch = (projects: ClusterProvider): Watch =>
  hear(projects, ConnectorClass, (cluster, enqueue) =>
    cluster.informer(ConnectorClass).subscribe((event, origin) => {
      if (event.type === 'updated') return;
      const { store } = cluster.informer(Connector);
      for (const connector of store.byIndex(classIndex, event.object.metadata.name)) {
        enqueue({ cluster: cluster.name, key: keyOf(connector) }, laneOf(origin));
      }
    }),
  );

const rights = (plane: string): readonly WriteRight[] => [
  {
    plane,
    kind: Connector,
    verbs: ['apply'],
    fields: [
      `status.conditions.${conditionTypes.accepted}`,
      `status.conditions.${conditionTypes.ready}`,
      'status.leaseRef',
    ],
    owner: fieldManagers.connector,
  },
  {
    plane,
    kind: Lease,
    verbs: ['create', 'patch'],
    fields: [`metadata.labels["${labels.installation}"]`, 'metadata.ownerReferences', 'spec.leaseDurationSeconds'],
    owner: fieldManagers.connector,
  },
];

/** It stands in a namespace of copies. A namespace that the cache lacks is read live. */
async function isCopy(project: ScopedCluster, { metadata }: Connector, options: ReadOptions): Promise<boolean> {
  const name = metadata.namespace ?? '';
  const cached = project.store(Namespace).get(objectKey({ name }));
  const namespace = cached ?? (await project.live.findMetadata(Namespace, { name }, options));
  return namespace !== undefined && isMappedNamespace(namespace);
}

/** As the cache says. A class that a connector has been accepted by, or is ready with, is looked for live before it is said to be gone. */
async function isClassThere(project: ScopedCluster, connector: Connector, options: ReadOptions): Promise<boolean> {
  const { spec, status } = connector;
  const name = spec.connectorClassName;
  if (!name) return false;
  if (project.store(ConnectorClass).has(name)) return true;
  const { accepted, ready } = conditionTypes;
  if (![accepted, ready].some((type) => isConditionTrue(status?.conditions, type))) return false;
  return (await project.live.find(ConnectorClass, { name }, options)) !== undefined;
}
