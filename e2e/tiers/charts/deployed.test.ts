/**
 * The chart's rights and configuration at work: planes with RBAC whose roles helm installed, and the app as a process of its own, with the
 * variables, files and probes of the rendered pod.
 */
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connector, ConnectorClass, KubeEvent, Namespace, truthNamespace } from '@lifeline/core';
import { expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { Deployed, GuardedPlane } from './deployed.fixture.ts';
import { charts, merged, release, runHelm, template, type Values } from './helm.fixture.ts';

const user = 'replicator';
const subjects = [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }];

it(
  'carries a connector with nothing but the rights and the configuration of the chart',
  { timeout: 180_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const [hub, project] = [
      await GuardedPlane.start('hub', user, stack),
      await GuardedPlane.start('project', user, stack),
    ];
    const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'lifeline-deployed-')));
    const [healthPort, metricsPort] = [await freePort(), await freePort()];
    const values: Values = {
      image: { repository: 'registry.example/hub-replicator' },
      config: { projects: { mode: 'folder' }, shards: { count: 2, durationMs: 5_000 }, healthPort, metricsPort },
      kubeconfigs: { hub: { secret: 'hub' }, projects: { secret: 'projects' } },
    };

    await hub.create(Namespace, { metadata: { name: truthNamespace } });
    for (const [plane, where] of [
      [hub, 'hub'],
      [project, 'project'],
    ] as const) {
      const config = join(folder.path, `${where}.kubeconfig`);
      await writeFile(config, plane.kubeconfig('admin'));
      const flags = ['--namespace', release.namespace, '--create-namespace', '--kubeconfig', config];
      const rights = merged(values, { rights: { only: where, subjects } });
      const ran = await runHelm(['install', `${where}-rights`, join(charts, 'hub-replicator'), ...flags], rights);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
    }

    const objects = await template('hub-replicator', values);
    const running = stack.use(
      await Deployed.start('hub-replicator', objects, {
        hub: { kubeconfig: hub.kubeconfig('app') },
        projects: { 'one.kubeconfig': project.kubeconfig('app') },
      }),
    );
    await running.ready();

    await project.create(ConnectorClass, { metadata: { name: 'tunnels' }, spec: {} });
    const metadata = { namespace: 'default', name: 'carried' };
    await project.create(Connector, { metadata, spec: { connectorClassName: 'tunnels' } });
    await until(
      () => hub.api.objects(Connector).map((copy) => copy.metadata.name),
      (copies) => copies.includes('carried'),
    );
    await until(
      () => project.api.get(Connector, metadata)?.status?.conditions ?? [],
      (conditions) => conditions.some(({ type, status }) => type === 'Accepted' && status === 'True'),
    );
    expect(project.api.objects(KubeEvent)).toEqual([]);
    const metrics = await running.ask('metrics', '/metrics');
    expect(metrics).toMatch(/rest_client_requests_total\{code="201"/);
    expect(metrics.match(/rest_client_requests_total\{code="40[13]".*/g)).toBeNull();
    expect(metrics).toContain('lifeline_shard_held{shard="1"} 1');

    const { ended, ms } = await running.stop();
    expect(ended).toEqual([0, null]);
    expect(ms).toBeLessThan((running.pod.terminationGracePeriodSeconds ?? 0) * 1_000);
    expect(running.output).not.toMatch(/"level":"error"/);
  },
);
