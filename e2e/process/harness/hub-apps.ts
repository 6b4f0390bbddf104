/** The hub replicator, with its rights on the hub and in every project. */
import { mkdir } from 'node:fs/promises';
import { createAccount, fullName, hubReplicator, install, namespace, startApp, writeKubeconfig } from './deploy.ts';
import { file, hub, type PlaneName, projects } from './names.ts';
import type { Plane } from './planes.ts';
import type { ProcessTable } from './process-table.ts';

/** A dead agent is noticed within seconds. */
export const leaseDurationSeconds = 5;

const config = {
  projects: { mode: 'folder' },
  connector: { leaseDurationSeconds },
  shards: { count: 4, durationMs: 5_000 },
  kinds: ['Gateway', 'HTTPRoute'].map((kind) => ({ group: 'gateway.networking.k8s.io', kind, enabled: true })),
};

const name = hubReplicator.chart;

export async function installReplicator(planes: ReadonlyMap<PlaneName, Plane>): Promise<void> {
  const values = {
    image: { repository: 'registry.example/hub-replicator' },
    config,
    kubeconfigs: { projects: { secret: 'projects' } },
  };
  const account = fullName(hubReplicator);
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  await mkdir(file(name, 'projects'), { recursive: true });
  const work = projects.map(async (project) => {
    await install(hubReplicator, project, { ...values, rights: { only: 'project', subjects } });
    await createAccount(project, account);
    await writeKubeconfig(file(name, 'projects', `${project}.kubeconfig`), planes.get(project) as Plane, account);
  });
  await install(hubReplicator, hub, values);
  await writeKubeconfig(file(name, 'hub.kubeconfig'), planes.get(hub) as Plane, account);
  await Promise.all(work);
}

export interface AppPorts {
  readonly health: number;
  readonly metrics: number;
}

export async function startReplicator(
  table: ProcessTable,
  { health, metrics }: AppPorts,
  isReady: () => Promise<boolean>,
): Promise<void> {
  await startApp(table, {
    name,
    release: hubReplicator,
    config: {
      ...config,
      hub: { kubeconfig: file(name, 'hub.kubeconfig') },
      projects: { ...config.projects, kubeconfigs: file(name, 'projects') },
      healthPort: health,
      metricsPort: metrics,
    },
    isReady,
  });
}
