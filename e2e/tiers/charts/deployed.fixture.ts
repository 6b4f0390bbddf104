/** Planes with RBAC behind TLS, and an app as a process of its own, with the variables, files and probes of a rendered pod. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import { type Kind, seeded, systemClock, systemRandom } from '@lifeline/core';
import { createClient } from '@lifeline/k8s';
import { createAuthority, kubeconfig } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';
import { until } from '../../until.ts';
import { charts, type Manifest } from './helm.fixture.ts';
import { only } from './rendered.fixture.ts';
import { type Workload, workloadOf } from './workload.fixture.ts';

const signal = new AbortController().signal;
const root = resolve(charts, '..');
const authority = createAuthority('planes');

/** A plane behind TLS; `admin` may everything, the user what its roles say. Tokens are `admin` and `app`. */
export class GuardedPlane {
  readonly api: ApiServer;
  readonly url: string;

  private constructor(api: ApiServer, url: string) {
    this.api = api;
    this.url = url;
  }

  static async start(
    role: 'hub' | 'project' | 'edge',
    user: string,
    stack: AsyncDisposableStack,
  ): Promise<GuardedPlane> {
    const tokens = [
      { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
      { token: 'app', user, uid: '', groups: [] },
    ];
    const kinds = kindsOfRole(role).filter(({ group }) => !group.endsWith('karmada.io'));
    const api = stack.use(createApiServer({ clock: systemClock, random: seeded(role), tokens, rbac: true, kinds }));
    const tls = authority.issue({ commonName: 'plane', addresses: ['127.0.0.1'] });
    const { url } = stack.use(await api.listen({ tls }));
    return new GuardedPlane(api, url);
  }

  kubeconfig(token: 'admin' | 'app'): string {
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

/** What the kubelet makes of a rendered pod, below a folder of its own. Disposed, it kills what runs. */
export class Deployed implements AsyncDisposable {
  readonly pod: Workload['pod'];
  readonly container: Workload['container'];
  output = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #folder: AsyncDisposable;

  private constructor({ pod, container }: Workload, child: ChildProcess, folder: AsyncDisposable) {
    this.pod = pod;
    this.container = container;
    this.#child = child;
    this.#folder = folder;
    this.#ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** @param contents of volumes, by name, beside the configuration's */
  static async start(
    app: string,
    objects: readonly Manifest[],
    contents: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ): Promise<Deployed> {
    const workload = workloadOf(only(objects, 'Deployment'));
    const folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-deployed-'));
    const here = (text: string): string => text.replaceAll('/etc/lifeline', join(folder.path, 'etc'));
    const all = { ...contents, config: only(objects, 'ConfigMap').data ?? {} };
    for (const { name, mountPath } of workload.container.volumeMounts ?? []) {
      for (const [entry, text] of Object.entries(all[name as keyof typeof all] ?? {})) {
        const path = join(here(mountPath), entry);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, here(text));
      }
    }
    const main = join(root, `apps/${app}/src/main.ts`);
    const env = Object.fromEntries(Object.entries(workload.variables).map(([name, value]) => [name, here(value)]));
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, ['--conditions=@lifeline/source', main], { cwd: root, env, stdio });
    return new Deployed(workload, child, folder);
  }

  /** What a port of the container answers, by the port's name: the code and the text, or why there is none. */
  async ask(port: string, path: string): Promise<string> {
    const number = this.container.ports?.find(({ name }) => name === port)?.containerPort;
    try {
      const response = await fetch(`http://127.0.0.1:${number}${path}`);
      return `${response.status} ${await response.text()}`;
    } catch (error) {
      const { exitCode } = this.#child;
      return exitCode === null ? (error as Error).message : `exited with ${exitCode}: ${this.output}`;
    }
  }

  /** Every probe says that all is well. */
  async ready(): Promise<void> {
    for (const probe of [this.container.startupProbe, this.container.livenessProbe, this.container.readinessProbe]) {
      const { port, path = '' } = probe?.httpGet ?? {};
      await until(
        () => this.ask(String(port), path),
        (answer) => answer.startsWith('200 '),
      );
    }
  }

  /** Asked to stop: the exit code and signal, and how long it took. */
  async stop(): Promise<{ readonly ended: unknown; readonly ms: number }> {
    const asked = systemClock.monotonic();
    this.#child.kill('SIGTERM');
    return { ended: await this.#ended, ms: systemClock.monotonic() - asked };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    await this.#folder[Symbol.asyncDispose]();
  }
}
