/** Where project planes come from, and who can say that a project is gone. */
import { type KubeObject, type Kind, Project, ProjectControlPlane } from '@lifeline/core';
import {
  type ClusterProvider,
  type ClusterSource,
  type Endpoint,
  type Env,
  type FleetSpec,
  kubeconfigFolderSource,
  loadEndpoint,
  pathEndpoint,
  projectSource,
  secretSource,
  staticSource,
} from '@lifeline/k8s';
import type { ReplicatorConfig } from './config.ts';

/** The role of project planes, and of the plane that holds their objects. */
export const projectPlane = 'project';
export const controlPlane = 'control-plane';
export const hubPlane = 'hub';

export interface Projects {
  readonly source: ClusterSource;
  /** The fleet with the control plane that `source` follows, where there is one. */
  readonly followed: readonly ClusterProvider[];
  /** The kind whose objects are the projects. Without it nobody can say for sure that a project is gone, and none is swept. */
  readonly authority?: { readonly provider: ClusterProvider; readonly kind: Kind } | undefined;
}

/** The kind whose objects are the projects, where they come from objects. */
export const projectKind = ({ mode, internal }: ReplicatorConfig['projects']): Kind | undefined =>
  mode === 'projects' ? (internal ? ProjectControlPlane : Project) : undefined;

export interface ProjectsOptions {
  readonly env: Env;
  readonly settings: ReplicatorConfig['projects'];
  readonly hub: Endpoint;
  readonly fleet: (spec: FleetSpec) => ClusterProvider;
}

/** @throws KubeconfigError */
export async function projectsOf({ env, settings, hub, fleet }: ProjectsOptions): Promise<Projects> {
  const { mode } = settings;
  switch (mode) {
    case 'folder':
      return { source: kubeconfigFolderSource({ ...env, path: settings.kubeconfigs ?? '' }), followed: [] };
    case 'single':
      return { source: staticSource({ [settings.name]: { endpoint: hub } }), followed: [] };
    case 'secrets':
    case 'projects': {
      const endpoint = await loadEndpoint(env, settings.kubeconfig);
      const provider = fleet({ plane: controlPlane, source: staticSource({ [controlPlane]: { endpoint } }) });
      if (mode === 'projects') return fromObjects({ env, provider, endpoint, internal: settings.internal });
      const { secretNamespace: namespace = '', secretSelector: labelSelector = '' } = settings;
      return { source: secretSource({ host: provider, namespace, labelSelector, log: env.log }), followed: [provider] };
    }
  }
}

interface FromObjects {
  readonly env: Env;
  readonly provider: ClusterProvider;
  readonly endpoint: Endpoint;
  readonly internal: boolean;
}

function fromObjects({ env, provider, endpoint, internal }: FromObjects): Projects {
  const common = { controlPlane: provider, log: env.log };
  if (!internal) {
    const source = projectSource({
      ...common,
      kind: Project,
      readyCondition: 'Ready',
      endpoint: pathEndpoint(endpoint),
    });
    return { source, followed: [provider], authority: { provider, kind: Project } };
  }
  const source = projectSource({
    ...common,
    kind: ProjectControlPlane,
    readyCondition: 'ControlPlaneReady',
    endpoint: ({ metadata }: KubeObject) => ({ ...endpoint, server: serviceOf(metadata.name) }),
  });
  return { source, followed: [provider], authority: { provider, kind: ProjectControlPlane } };
}

/** @see datum-cloud/network-services-operator@41b6db2 internal/cmd/clusterdiscovery: the Service of a project's API server */
const serviceOf = (project: string): string => `https://milo-apiserver.project-${project}.svc.cluster.local:6443`;
