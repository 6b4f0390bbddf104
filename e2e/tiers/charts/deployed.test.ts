/**
 * The chart's rights and configuration at work: planes with RBAC whose roles helm installed, and the app as a process of its own, with the
 * variables, files and probes of the rendered pod.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  Connector,
  ConnectorClass,
  type Kind,
  KubeEvent,
  Namespace,
  seeded,
  systemClock,
  systemRandom,
  truthNamespace,
} from '@lifeline/core';
import { createClient } from '@lifeline/k8s';
import { createAuthority, kubeconfig } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { charts, type Manifest, merged, release, runHelm, template, type Values } from './helm.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

const signal = new AbortController().signal;
const root = resolve(charts, '..');
const app = 'replicator';
const subjects = [{ kind: 'User', name: app, apiGroup: 'rbac.authorization.k8s.io' }];
const authority = createAuthority('planes');

/** A plane behind TLS; `admin` may everything, the app what its roles say. */
class GuardedPlane {
  readonly api: ApiServer;
  readonly url: string;

  private constructor(api: ApiServer, url: string) {
    this.api = api;
    this.url = url;
  }

  static async start(role: 'hub' | 'project', stack: AsyncDisposableStack): Promise<GuardedPlane> {
    const tokens = [
      { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
      { token: app, user: app, uid: '', groups: [] },
    ];
    const kinds = kindsOfRole(role).filter(({ group }) => !group.endsWith('karmada.io'));
    const api = stack.use(createApiServer({ clock: systemClock, random: seeded(role), tokens, rbac: true, kinds }));
    const tls = authority.issue({ commonName: 'plane', addresses: ['127.0.0.1'] });
    const { url } = stack.use(await api.listen({ tls }));
    return new GuardedPlane(api, url);
  }

  kubeconfig(token: string): string {
    const config = JSON.parse(kubeconfig(this.url, token)) as { clusters: { cluster: object }[] };
    const ca = Buffer.from(authority.certificate).toString('base64');
    return JSON.stringify({
      ...config,
      clusters: [{ name: 'c', cluster: { ...config.clusters[0]?.cluster, 'certificate-authority-data': ca } }],
    });
  }

  async create(kind: Kind, object: object): Promise<void> {
    const transport: ApiServer['transport'] = (request, options) =>
      this.api.transport({ ...request, headers: { ...request.headers, authorization: 'Bearer admin' } }, options);
    const common = { clock: systemClock, random: systemRandom, userAgent: 'admin' };
    await createClient({ transport, baseUrl: this.url, ...common }).create(kind, object as never, { signal });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until it is so. @throws Error with what it is instead, when it takes too long */
async function until<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<void> {
  const from = systemClock.monotonic();
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return;
    if (systemClock.monotonic() - from > 60_000) throw new Error(`after a minute it is still ${JSON.stringify(seen)}`);
    await systemClock.sleep(100, signal);
  }
}

const only = (objects: readonly Manifest[], kind: string): Manifest => {
  const found = objects.find((object) => object.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

it(
  'carries a connector with nothing but the rights and the configuration of the chart',
  { timeout: 180_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const [hub, project] = [await GuardedPlane.start('hub', stack), await GuardedPlane.start('project', stack)];
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

    // What the kubelet does: the ConfigMap and the Secrets as files. The paths of the pod are below the folder of this test.
    const objects = await template('hub-replicator', values);
    const { container, pod, variables } = workloadOf(only(objects, 'Deployment'));
    const here = (text: string): string => text.replaceAll('/etc/lifeline', join(folder.path, 'etc'));
    const contents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      config: only(objects, 'ConfigMap').data ?? {},
      hub: { kubeconfig: hub.kubeconfig(app) },
      projects: { 'one.kubeconfig': project.kubeconfig(app) },
    };
    for (const { name, mountPath } of container.volumeMounts ?? []) {
      for (const [entry, text] of Object.entries(contents[name] ?? {})) {
        const path = join(here(mountPath), entry);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, here(text));
      }
    }

    const main = join(root, 'apps/hub-replicator/src/main.ts');
    const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, here(value)]));
    const running = spawn(process.execPath, ['--conditions=@lifeline/source', main], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    running.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(running, 'close') as Promise<[number | null]>;
    stack.defer(() => void running.kill('SIGKILL'));

    const ports = new Map(container.ports?.map(({ name, containerPort }) => [name, containerPort]));
    const ask = async (port: string | undefined, path = ''): Promise<string> => {
      try {
        const response = await fetch(`http://127.0.0.1:${ports.get(port)}${path}`);
        return `${response.status} ${await response.text()}`;
      } catch (error) {
        return running.exitCode === null ? (error as Error).message : `exited with ${running.exitCode}: ${output}`;
      }
    };
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      const { port, path } = probe?.httpGet ?? {};
      await until(
        () => ask(String(port), path),
        (answer) => answer.startsWith('200 '),
      );
    }

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
    const metrics = await ask('metrics', '/metrics');
    expect(metrics).toMatch(/rest_client_requests_total\{code="201"/);
    expect(metrics.match(/rest_client_requests_total\{code="40[13]".*/g)).toBeNull();
    expect(metrics).toContain('lifeline_shard_held{shard="1"} 1');

    const asked = systemClock.monotonic();
    running.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(systemClock.monotonic() - asked).toBeLessThan((pod.terminationGracePeriodSeconds ?? 0) * 1_000);
    expect(output).not.toMatch(/"level":"error"/);
  },
);
