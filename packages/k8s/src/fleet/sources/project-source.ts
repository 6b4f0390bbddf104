import { type KubeObject, type Kind, untilAborted } from '@lifeline/core';
import type { Log } from '../../app/env.ts';
import type { Endpoint } from '../../transport/endpoint.ts';
import type { Cluster, ClusterProvider, ClusterSource, FleetControl } from '../cluster.ts';
import { followObjects } from './follow-objects.ts';

export interface ProjectSourceOptions<T extends KubeObject> {
  /** The control plane that holds the objects. */
  readonly controlPlane: ClusterProvider;
  /** `Project`, or `ProjectControlPlane` inside the platform. */
  readonly kind: Kind<T>;
  /** The condition that says whether the plane can be used: `Ready`, `ControlPlaneReady`. */
  readonly readyCondition: string;
  /** Where a project's plane lives: see {@link pathEndpoint}. */
  readonly endpoint: (object: T) => Endpoint;
  readonly log: Log;
}

/** Condition entries, whatever else the kind has. */
interface WithConditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type?: unknown; readonly status?: unknown }[] | null;
  } | null;
}

/**
 * A cluster for each project that a control plane knows: engaged while its condition is True, suspended (caches kept, nothing read or
 * written) while it is anything else, disengaged when the object is gone. The object's uid is the cluster's identity: a project made anew
 * under its name starts with empty caches.
 */
export const projectSource =
  <T extends KubeObject>(options: ProjectSourceOptions<T>): ClusterSource =>
  async (fleet, signal) => {
    const follow = (cluster: Cluster): void => {
      followObjects(cluster, cluster.informer(options.kind), {
        present: (object) => steer(fleet, object, options),
        gone: (name) => fleet.disengage(name),
      });
    };
    using _following = options.controlPlane.subscribe(follow);
    await untilAborted(signal);
  };

function steer<T extends KubeObject>(fleet: FleetControl, object: T, options: ProjectSourceOptions<T>): void {
  const { name, uid } = object.metadata;
  const conditions = (object as WithConditions).status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === options.readyCondition)?.status === 'True';
  if (!ready) {
    fleet.suspend(name);
    options.log.info({ cluster: name, kind: options.kind.kind }, `suspended: ${options.readyCondition} is not True`);
    return;
  }
  fleet.engage(name, { endpoint: options.endpoint(object), identity: uid });
}

/** Planes under a URL path of one API server: the template's host, with the project's path in place of its own. */
export const pathEndpoint =
  (template: Endpoint, path: (name: string) => string = projectPath): ((object: KubeObject) => Endpoint) =>
  ({ metadata }) => ({ ...template, server: new URL(path(encodeURIComponent(metadata.name)), template.server).href });

/** @see datum-cloud/milo: the project control plane is a sub-resource of the Project */
const projectPath = (name: string): string =>
  `/apis/resourcemanager.miloapis.com/v1alpha1/projects/${name}/control-plane`;
