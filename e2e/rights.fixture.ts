/** Planes with RBAC, an app as a service account on them, and an administrator. */
import { type ApiServer, createApiServer } from '@lifeline/apiserver';
import {
  ClusterRole,
  ClusterRoleBinding,
  type Kind,
  type KubeObject,
  type ObjectName,
  type PolicyRule,
  Role,
  RoleBinding,
  seeded,
  type Transport,
} from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import { type Client, createClient, createLog, type PatchBody } from '@lifeline/k8s';
import { filesOf, SimulatedProcess } from '@lifeline/k8s/testing';

const account = { namespace: 'lifeline', name: 'app' };
const tokens = [
  { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
  { token: 'app', user: `system:serviceaccount:${account.namespace}:${account.name}`, uid: '', groups: [] },
];

export const guardedUrl = (plane: string): string => `https://${plane}.test`;

/** A process of the app's; `way` leads to a plane. */
export const processOf = (
  clock: VirtualClock,
  files: Readonly<Record<string, string>>,
  way: (plane: string) => Transport = () => () => Promise.reject(new Error('not to be used')),
): SimulatedProcess =>
  new SimulatedProcess({
    name: 'app',
    clock,
    random: seeded('app'),
    transport: ({ server }) => way(new URL(server).hostname.replace(/\.test$/, '')),
    files: filesOf(files),
    log: createLog({ clock, write: () => undefined }),
    onPoint: () => undefined,
  });

/** The rules, without one verb on one resource. */
export const without = (rules: readonly PolicyRule[], verb: string, resource: string): PolicyRule[] =>
  rules.flatMap((rule) =>
    rule.resources?.includes(resource)
      ? [
          { ...rule, resources: rule.resources.filter((one) => one !== resource) },
          { ...rule, resources: [resource], verbs: rule.verbs?.filter((one) => one !== verb) },
        ].filter(({ resources, verbs }) => resources.length > 0 && verbs && verbs.length > 0)
      : [rule],
  );

export interface Target {
  readonly kind: Kind;
  readonly name: ObjectName;
  readonly subresource?: 'status';
}

export class GuardedPlanes implements Disposable {
  readonly clock: VirtualClock;
  /** `403 …`, for each request of the app's that was refused. */
  readonly refused: string[] = [];
  readonly #planes: ReadonlyMap<string, ApiServer>;
  readonly #life = new AbortController();

  /** @param kinds of each plane, beside the built-in ones */
  constructor(clock: VirtualClock, kinds: Readonly<Record<string, readonly Kind[]>>) {
    this.clock = clock;
    this.#planes = new Map(
      Object.entries(kinds).map(([name, served]) => [
        name,
        createApiServer({ clock, random: seeded(name), tokens, rbac: true, kinds: served }),
      ]),
    );
  }

  api(plane: string): ApiServer {
    const api = this.#planes.get(plane);
    if (!api) throw new TypeError(`no plane ${plane}`);
    return api;
  }

  /** The way of the app, with its own token. */
  readonly way = (plane: string): Transport => this.#as(plane, 'app');

  create<T extends KubeObject>(plane: string, kind: Kind<T>, object: unknown): Promise<T> {
    return this.clock.run(this.#admin(plane).create(kind, object as never, { signal: this.#life.signal }));
  }

  patch(plane: string, target: Target, body: Record<string, unknown>): Promise<unknown> {
    const patch: PatchBody = { type: 'merge', body };
    const { signal } = this.#life;
    return this.clock.run(this.#admin(plane).patch(target, patch, { signal, subresource: target.subresource }));
  }

  async delete(plane: string, kind: Kind, name: ObjectName): Promise<void> {
    const uid = this.api(plane).get(kind, name)?.metadata.uid ?? '';
    await this.clock.run(this.#admin(plane).delete({ kind, name }, { signal: this.#life.signal, uid }));
  }

  /** Gives the app rights: everywhere in a plane, or in one namespace. */
  async grant(plane: string, rules: readonly PolicyRule[], namespace?: string): Promise<void> {
    const [role, binding] = namespace === undefined ? [ClusterRole, ClusterRoleBinding] : [Role, RoleBinding];
    const metadata = { name: account.name, namespace };
    await this.create(plane, role, { metadata, rules });
    await this.create(plane, binding, {
      metadata,
      roleRef: { apiGroup: Role.group, kind: role.kind, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the end'));
    for (const api of this.#planes.values()) api[Symbol.dispose]();
  }

  #admin(plane: string): Client {
    const transport = this.#as(plane, 'admin');
    const { clock } = this;
    return createClient({ transport, baseUrl: guardedUrl(plane), clock, random: seeded('admin'), userAgent: 'admin' });
  }

  #as(plane: string, token: string): Transport {
    return async (request, options) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const response = await this.api(plane).transport({ ...request, headers }, options);
      if (response.status === 403) this.refused.push(`403 ${request.method} ${new URL(request.url).pathname}`);
      return response;
    };
  }
}

/** Each right on its own: `group/resource verb`. */
export const grants = (rules: readonly PolicyRule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      (apiGroups ?? []).flatMap((group) =>
        (resources ?? []).flatMap((resource) => (verbs ?? []).map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );
