/** The parts of a rendered Deployment that tests speak of. */
import type { V1Container, V1Deployment, V1PodSpec } from '@kubernetes/client-node';
import type { Manifest } from './helm.fixture.ts';

export interface Workload {
  readonly pod: V1PodSpec;
  readonly container: V1Container;
  readonly annotations: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether these labels, all of them, are on its pods, and are its own selector or part of it. */
  selects(labels: Readonly<Record<string, string>> | undefined): boolean;
  /** Whether a path lies in a volume that is mounted. */
  readable(path: string): boolean;
}

/** @throws Error when it has not exactly one container, or a mount without a volume */
export function workloadOf(deployment: Manifest): Workload {
  const { spec } = deployment as unknown as V1Deployment;
  const pod = spec?.template.spec;
  const [container, ...others] = pod?.containers ?? [];
  if (!pod || !container || others.length > 0) throw new Error('want one container');
  const volumes = new Set(pod.volumes?.map(({ name }) => name));
  const mounts = container.volumeMounts ?? [];
  for (const { name } of mounts)
    if (!volumes.delete(name)) throw new Error(`${name} is mounted twice, or is no volume`);
  if (volumes.size > 0) throw new Error(`not mounted: ${[...volumes].join()}`);
  const onPods = spec?.template.metadata?.labels ?? {};
  const own = spec?.selector.matchLabels ?? {};
  return {
    pod,
    container,
    annotations: spec?.template.metadata?.annotations ?? {},
    variables: Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value ?? ''])),
    selects: (labels = {}) => {
      const entries = Object.entries(labels);
      return entries.length > 0 && entries.every(([key, value]) => onPods[key] === value && own[key] === value);
    },
    readable: (path) => mounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`)),
  };
}
