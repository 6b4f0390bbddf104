/** Removes what a project left on the hub, once the project itself is known to be gone. */
import {
  allKinds,
  annotations,
  fieldManagers,
  type Kind,
  labelSelectors,
  Namespace,
  objectKey,
  ownershipOf,
} from '@lifeline/core';
import { type ClusterProvider, type Controller, defineController, type ReconcileContext, watch } from '@lifeline/k8s';
import type { SweepGate } from './gate.ts';
import { projectOf } from './mapped-namespace.ts';
import { sweepProject, sweptKinds } from './project-pass.ts';

export interface ProjectSweepOptions {
  readonly hub: ClusterProvider;
  /** Where the projects themselves stand, and as what. */
  readonly authority: { readonly provider: ClusterProvider; readonly kind: Kind };
  /** The kinds that this installation makes copies of. */
  readonly kinds: readonly Kind[];
  readonly installation: string;
  readonly gate: SweepGate;
  /** Whether this replica looks after a project. */
  readonly holds: (project: string) => boolean;
  /** Projects that are gone because an operator says so, however little the control plane seems to know. Default: none. */
  readonly believed?: readonly string[] | undefined;
}

const owner = fieldManagers.hubReplicator;
const index = 'project';
/**
 * One request for each project of which the hub holds anything: its Namespaces there say its name.
 *
 * Guarantees: nothing is deleted unless the control plane's cache is synced and not empty, and knows one of the projects that the hub has
 * copies of, where there are several; a live read names the project as not found; and that was so for the whole minimum age.
 */
export function projectSweep(options: ProjectSweepOptions): Controller {
  const { hub, authority, kinds, installation, gate, holds } = options;
  const right = { plane: hub.plane, owner } as const;
  return defineController({
    name: 'project-sweep',
    watches: [
      watch(hub, Namespace, {
        labelSelector: labelSelectors.copies,
        metadataOnly: true,
        indexes: { [index]: (namespace) => toList(projectOf(namespace)) },
        mapper: (namespace) => toList(projectOf(namespace)).map(requestOf),
      }),
      watch(authority.provider, authority.kind, {
        metadataOnly: true,
        mapper: ({ metadata }) => [requestOf(metadata.name)],
      }),
    ],
    writes: [
      ...sweptKinds(kinds).map((kind) => ({ ...right, kind, verbs: ['delete'] as const, fields: [], reads: true })),
      {
        ...right,
        kind: Namespace,
        verbs: ['patch', 'delete'],
        fields: [`metadata.annotations["${annotations.upstreamProjectDeleted}"]`],
      },
    ],
    reads: allKinds.filter(({ scope }) => scope === 'Namespaced').map((kind) => ({ plane: hub.plane, kind })),
    floorMs: gate.rules.everyMs,
    workers: 1,
    async reconcile({ cluster: project }, context) {
      if (!holds(project)) return {};
      const gone = await isGone(project, options, context);
      if (gone === 'no') {
        gate.forget(project);
        return {};
      }
      if (gone === 'unsure') {
        gate.count('refused');
        return { after: gate.rules.everyMs };
      }
      const onHub = context.cluster(hub);
      const namespaces = onHub.store(Namespace).byIndex(index, project);
      if (namespaces.length === 0) {
        gate.forget(project);
        return {};
      }
      const youngMs = gate.youngFor(project);
      if (youngMs > 0) {
        gate.count('young');
        return { after: youngMs };
      }
      return sweepProject({ project, namespaces, kinds, installation, gate }, onHub, context);
    },
  });
}

const requestOf = (project: string): { cluster: string; key: ReturnType<typeof objectKey> } => ({
  cluster: project,
  key: objectKey({ name: project }),
});

/**
 * `unsure`: a control plane that knows no project at all, or none of those that the hub has copies of, is not believed: it is another one, or has
 * lost its data. Of a single project on the hub it may be so.
 */
async function isGone(
  project: string,
  { authority, hub, installation, believed = [] }: ProjectSweepOptions,
  { cluster, signal }: ReconcileContext,
): Promise<'yes' | 'no' | 'unsure'> {
  const plane = cluster(authority.provider);
  const projects = plane.store(authority.kind);
  const isKnown = (name: string): boolean => projects.has(objectKey({ name }));
  if (isKnown(project)) return 'no';
  if (!believed.includes(project)) {
    const copied = projectsOnHub(cluster(hub).store(Namespace).list(), installation);
    if (projects.size === 0 || (copied.size > 1 && ![...copied].some(isKnown))) return 'unsure';
  }
  return (await plane.live.findMetadata(authority.kind, { name: project }, { signal })) ? 'no' : 'yes';
}

/** The projects that this installation has a Namespace of. */
function projectsOnHub(namespaces: Iterable<Namespace>, installation: string): ReadonlySet<string> {
  const projects = new Set<string>();
  for (const namespace of namespaces) {
    const project = ownershipOf(namespace, installation) === 'ours' ? projectOf(namespace) : undefined;
    if (project !== undefined) projects.add(project);
  }
  return projects;
}

const toList = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
