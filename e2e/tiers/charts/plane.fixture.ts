/** Whether an API server would take what a chart renders. */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import { describeError, type Kind, Namespace, seeded, truthNamespace, unknownKind } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createClient, type Client } from '@lifeline/k8s';
import { faultsOf } from './fields.fixture.ts';
import { type Manifest, release } from './helm.fixture.ts';

/** What test planes serve of what charts make; the other kinds are held against their field tables only. */
const served: Readonly<Record<string, Kind>> = Object.fromEntries(
  [
    ['', 'ConfigMap', 'configmaps'],
    ['', 'Service', 'services'],
    ['', 'ServiceAccount', 'serviceaccounts'],
    ['apps', 'Deployment', 'deployments'],
    ['rbac.authorization.k8s.io', 'Role', 'roles'],
    ['rbac.authorization.k8s.io', 'RoleBinding', 'rolebindings'],
    ['rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles'],
    ['rbac.authorization.k8s.io', 'ClusterRoleBinding', 'clusterrolebindings'],
  ].map(([group = '', kind = '', plural = '']) => [
    kind,
    {
      ...unknownKind({ group, version: 'v1', kind, plural }),
      scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced',
    },
  ]),
);

/** A test plane with the Namespaces that must be there before a release is. */
export class PlaneOfRelease implements AsyncDisposable {
  readonly #clock: VirtualClock;
  readonly #server: ApiServer;
  readonly #client: Client;
  readonly #signal = new AbortController().signal;

  private constructor() {
    this.#clock = new VirtualClock();
    this.#server = createApiServer({ clock: this.#clock, random: seeded('plane') });
    const { transport } = this.#server;
    const random = seeded('installer');
    this.#client = createClient({
      transport,
      baseUrl: 'https://plane.test',
      clock: this.#clock,
      random,
      userAgent: 'helm',
    });
  }

  /** @param objects whose Namespaces are made; Helm makes the one of the release, and you the others */
  static async create(objects: readonly Manifest[]): Promise<PlaneOfRelease> {
    const plane = new PlaneOfRelease();
    const names = new Set([
      release.namespace,
      truthNamespace,
      ...objects.flatMap(({ metadata }) => metadata.namespace ?? []),
    ]);
    for (const name of names)
      await plane.#clock.run(plane.#client.create(Namespace, { metadata: { name } }, { signal: plane.#signal }));
    return plane;
  }

  /** What is refused, and why: by the server, with strict validation and as a dry run, or as a field that the API does not have. */
  async refused(objects: readonly Manifest[]): Promise<readonly string[]> {
    const faults = objects.flatMap((object) => faultsOf(object).map((fault) => `${nameOf(object)}: ${fault}`));
    for (const object of objects) {
      const kind = served[object.kind ?? ''];
      if (!kind) continue;
      try {
        await this.#clock.run(
          this.#client.create(kind, object as never, { signal: this.#signal, dryRun: true, fieldValidation: 'Strict' }),
        );
      } catch (error) {
        faults.push(`${nameOf(object)}: ${describeError(error)}`);
      }
    }
    return faults;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server[Symbol.dispose]();
    return Promise.resolve();
  }
}

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
