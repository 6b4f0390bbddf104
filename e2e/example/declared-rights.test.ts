/** The example app, as a service account that has exactly the rights that are generated from what its controller declares. */
import { createApiServer } from '@lifeline/apiserver';
import { app, config, copyName, mirror, mirrorLabel } from '@lifeline/example-mirror';
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  type Kind,
  type KubeObject,
  Lease,
  Namespace,
  type PolicyRule,
  seeded,
  type Transport,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import {
  type Client,
  createClient,
  createLog,
  type Draft,
  electionRules,
  fleetFactory,
  rbacRules,
  staticSource,
} from '@lifeline/k8s';
import { filesOf, kubeconfig, SimulatedProcess } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';

const account = 'system:serviceaccount:mirrors:example-mirror';
const tokens = [
  { token: 'admin', user: 'admin', uid: '', groups: ['system:masters'] },
  { token: 'app', user: account, uid: '', groups: [] },
];
const urls = { source: 'https://source.test', target: 'https://target.test' };
type PlaneName = keyof typeof urls;

/** A process of the app's. */
const processOf = (clock: VirtualClock, way: (plane: PlaneName) => Transport): SimulatedProcess =>
  new SimulatedProcess({
    name: 'app',
    clock,
    random: seeded('app'),
    transport: ({ server }) => way(server === urls.source ? 'source' : 'target'),
    files: filesOf({
      '/sources/one.kubeconfig': kubeconfig(urls.source),
      '/target.kubeconfig': kubeconfig(urls.target),
    }),
    log: createLog({ clock, write: () => undefined }),
    onPoint: () => undefined,
  });

const noWay = (): Transport => () => Promise.reject(new Error('not to be used'));

/** What the app declares for a plane. */
function declared(plane: PlaneName): readonly PolicyRule[] {
  const { env } = processOf(new VirtualClock(), noWay);
  const fleet = fleetFactory(env, 'rights');
  const sources = fleet({ plane: 'source', source: staticSource({}) });
  const target = fleet({ plane: 'target', source: staticSource({}) });
  const rules = rbacRules(plane, [mirror({ sources, target, namespace: 'mirrors' })]);
  return plane === 'target' ? [...rules, ...electionRules] : rules;
}

/** The rules, without one verb on one resource. */
const without = (rules: readonly PolicyRule[], verb: string, resource: string): PolicyRule[] =>
  rules.map((rule) =>
    rule.resources?.includes(resource) ? { ...rule, verbs: rule.verbs?.filter((one) => one !== verb) } : rule,
  );

interface Life {
  readonly copied: boolean;
  readonly released: boolean;
  /** `403 …`, for each request that was refused. */
  readonly refused: readonly string[];
}

/** A minute: an object is created, mirrored, edited by somebody, deleted. */
async function live(rights: Readonly<Record<PlaneName, readonly PolicyRule[]>>): Promise<Life> {
  const clock = new VirtualClock();
  const refused: string[] = [];
  const plane = (name: PlaneName) => createApiServer({ clock, random: seeded(name), tokens, rbac: true });
  using source = plane('source');
  using target = plane('target');
  const planes = { source, target };
  const as =
    (name: PlaneName, token: string): Transport =>
    async (request, options) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const response = await planes[name].transport({ ...request, headers }, options);
      if (response.status === 403) refused.push(`403 ${request.method} ${new URL(request.url).pathname}`);
      return response;
    };
  const life = new AbortController();
  const { signal } = life;
  const admin = (name: PlaneName): Client =>
    createClient({
      transport: as(name, 'admin'),
      baseUrl: urls[name],
      clock,
      random: seeded('admin'),
      userAgent: 'admin',
    });
  const create = <T extends KubeObject>(name: PlaneName, kind: Kind<T>, object: Draft<T>): Promise<T> =>
    clock.run(admin(name).create(kind, object, { signal }));
  for (const name of ['source', 'target'] as const) {
    await create(name, ClusterRole, { metadata: { name: 'app' }, rules: [...rights[name]] });
    await create(name, ClusterRoleBinding, {
      metadata: { name: 'app' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'app' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'mirrors', name: 'example-mirror' }],
    });
  }
  await create('target', Namespace, { metadata: { name: 'mirrors' } });
  const name = { namespace: 'default', name: 'settings' };
  await create('source', ConfigMap, {
    metadata: { ...name, labels: { [mirrorLabel]: 'true' } },
    data: { colour: 'blue' },
  });

  const running = processOf(clock, (plane) => as(plane, 'app'));
  const done = app.start(
    running.env,
    config.parse({
      sources: { kubeconfigs: '/sources' },
      target: { kubeconfig: '/target.kubeconfig' },
      leaderElection: {},
    }),
  );
  await clock.advance(20_000);
  const copy = { namespace: 'mirrors', name: copyName('one', 'default/settings') };
  const copied = target.get(ConfigMap, copy) !== undefined;
  const held = source.get(ConfigMap, name);
  await clock.run(admin('source').delete({ kind: ConfigMap, name }, { signal, uid: held?.metadata.uid ?? '' }));
  await clock.advance(40_000);
  const released = !source.get(ConfigMap, name) && !target.get(ConfigMap, copy);
  running.terminate();
  await clock.run(done);
  life.abort(new Error('the end'));
  expect(target.get(Lease, { namespace: 'mirrors', name: 'example-mirror' })).toBeDefined();
  return { copied, released, refused };
}

describe('the example app with the rights that it declares', () => {
  const all = { source: declared('source'), target: declared('target') };

  it('does all its work, and is refused nothing', async () => {
    expect(await live(all)).toEqual({ copied: true, released: true, refused: [] });
  });

  it.each([
    { plane: 'source', verb: 'patch', refuses: 'PATCH /api/v1/namespaces/default/configmaps/settings' },
    { plane: 'source', verb: 'watch', refuses: 'GET /api/v1/configmaps' },
    { plane: 'target', verb: 'delete', refuses: 'DELETE /api/v1/namespaces/mirrors/configmaps/' },
    { plane: 'target', verb: 'patch', refuses: 'PATCH /api/v1/namespaces/mirrors/configmaps/' },
  ] as const)(
    'needs every one of them: without $verb in the $plane it is refused',
    async ({ plane, verb, refuses }) => {
      const { copied, released, refused } = await live({ ...all, [plane]: without(all[plane], verb, 'configmaps') });
      expect(copied && released).toBe(false);
      expect(refused).toContainEqual(expect.stringContaining(`403 ${refuses}`));
    },
  );
});
