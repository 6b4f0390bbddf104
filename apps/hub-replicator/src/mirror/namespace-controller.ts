/** Keeps the marks of downstream Namespaces: Envoy Gateway's namespace selector and Karmada go by them. */
import { ConfigMap, downstreamNamespace, fieldManagers, Namespace, objectKey, parseKey } from '@lifeline/core';
import { type ClusterProvider, type Controller, defineController, type Mapper, watch } from '@lifeline/k8s';
import type { KubeObject } from '@lifeline/core';
import { type EngagedProjects, requestOfNamespace } from './engaged.ts';
import { namespaceState, namespaceWrite } from './namespace.ts';
import type { UnlistedKinds } from './unlisted-kinds.ts';
import { anchorOptions, bareCopies } from './watches.ts';

export interface NamespaceMarksOptions {
  readonly projects: ClusterProvider;
  readonly hub: ClusterProvider;
  readonly engaged: EngagedProjects;
  readonly installation: string;
  /** ConfigMaps are copied: their copies are held whole. */
  readonly copiesConfigMaps: boolean;
  readonly unlisted: UnlistedKinds;
}

/**
 * One request for each upstream Namespace that the hub has a Namespace of. Makes none and deletes none: the mirrors make them when a copy
 * needs one, and the sweep of a project that is gone deletes them.
 */
export function namespaceMarks(options: NamespaceMarksOptions): Controller {
  const { projects, hub, engaged, installation } = options;
  const fromHub: Mapper<KubeObject> = (namespace) => {
    const request = requestOfNamespace(namespace, engaged);
    return request ? [request] : [];
  };
  const unlisted: Mapper<KubeObject> = (anchor) => {
    options.unlisted.seen(anchor);
    return [];
  };
  return defineController({
    name: 'mirror-namespaces',
    watches: [
      watch(projects, Namespace, { metadataOnly: true, mapper: () => [] }),
      watch(hub, Namespace, { ...bareCopies, mapper: fromHub }),
      watch(hub, ConfigMap, { ...anchorOptions(options), mapper: unlisted }),
    ],
    writes: [
      {
        plane: hub.plane,
        kind: Namespace,
        verbs: ['apply'],
        fields: ['metadata.labels', 'metadata.annotations'],
        owner: fieldManagers.hubReplicator,
      },
    ],
    async reconcile({ cluster: project, key }, { cluster, signal }) {
      const { name } = parseKey(key);
      const namespace = cluster(projects, project).store(Namespace).get(key);
      const uid = namespace?.metadata.uid;
      if (uid === undefined) return {};
      const to = cluster(hub);
      const upstream = { cluster: project, name, uid };
      const mapped = downstreamNamespace(uid);
      const known = to.store(Namespace).get(objectKey({ name: mapped }));
      if (known && namespaceState(known, upstream, installation).at !== 'wanting') return {};
      // The cache holds those only that say what they are: one that lost its marks is out of it.
      const live = await to.live.findMetadata(Namespace, { name: mapped }, { signal });
      if (!live || namespaceState(live, upstream, installation).at !== 'wanting') return {};
      await to.write(namespaceWrite(upstream, installation, live), { signal });
      return {};
    },
  });
}
