/** The retranslator, as a service account that has exactly the rights that it declares. */
import {
  annotations,
  bodyOf,
  canonicalJson,
  Connector,
  Gateway,
  HTTPProxy,
  labels,
  Namespace,
  type PolicyRule,
  type Transport,
  truthNamespace,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { config as serverConfig, extensionServerRights } from '@lifeline/edge-extension-server';
import { app, config, retranslatorRights, type RetranslatorRights } from '@lifeline/edge-retranslator';
import { kubeconfig } from '@lifeline/k8s/testing';
import { gatewayObjects, kindsOfRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { GuardedPlanes, guardedUrl, processOf, without } from '../rights.fixture.ts';
import { className, namespace, statusOf, through } from './edge-world.ts';

const servers = { namespace: 'lifeline', service: 'lifeline/servers' };
const reports = { service: servers.service };
const settings = config.parse({ edge: { kubeconfig: '/edge.kubeconfig', gatewayClasses: [className] }, reports });
const files = { '/edge.kubeconfig': kubeconfig(guardedUrl('edge')) };
const declared = retranslatorRights(settings);
const where: Readonly<Record<keyof RetranslatorRights, string | undefined>> = {
  cluster: undefined,
  truth: truthNamespace,
  reports: servers.namespace,
};

/** What a Connector's copy says. */
const saying = (ready: 'True' | 'False'): object => ({
  [annotations.upstreamStatus]: canonicalJson(statusOf({ ready })),
});

/** An API server that cannot stream lists: they are asked for by `list` there. */
const older =
  (way: Transport): Transport =>
  async (request, options) => {
    if (!request.url.includes('sendInitialEvents')) return await way(request, options);
    const message = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch';
    const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 422, reason: 'Invalid', message };
    const body = bodyOf(new TextEncoder().encode(JSON.stringify(status)));
    return { status: 422, headers: { 'content-type': 'application/json' }, body };
  };

interface Life {
  /** For the tunnel that went. */
  readonly stamped: boolean;
  readonly refused: readonly string[];
}

async function live(rights: RetranslatorRights, server = (way: Transport): Transport => way): Promise<Life> {
  const clock = new VirtualClock();
  using planes = new GuardedPlanes(clock, { edge: kindsOfRole('edge') });
  for (const name of [truthNamespace, servers.namespace])
    await planes.create('edge', Namespace, { metadata: { name } });
  await planes.create('edge', Namespace, {
    metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } },
  });
  for (const [role, rules] of Object.entries(rights) as [keyof RetranslatorRights, readonly PolicyRule[]][])
    await planes.grant('edge', rules, where[role]);

  const connector = { namespace, name: 'a' };
  await planes.create('edge', Connector, {
    metadata: { ...connector, labels: { [labels.upstreamCluster]: 'cluster-acme' }, annotations: saying('True') },
    spec: { connectorClassName: className },
  });
  const proxy = await planes.create('edge', HTTPProxy, {
    metadata: { namespace, name: 'web' },
    spec: { hostnames: ['web.example'], rules: through('a') },
  });
  for (const { kind, object } of gatewayObjects(proxy, { gatewayClassName: className }))
    if (kind === Gateway) await planes.create('edge', kind, object);

  const running = processOf(clock, files, (plane) => server(planes.way(plane)));
  const done = app.start(running.env, settings);
  const stamp = (): string | undefined =>
    planes.api('edge').get(Gateway, { namespace, name: 'web' })?.metadata.annotations?.[annotations.intent];
  await clock.advance(seconds(20));
  const before = stamp();
  await planes.patch('edge', { kind: Connector, name: connector }, { metadata: { annotations: saying('False') } });
  await clock.advance(seconds(20));
  const stamped = stamp() !== before;
  running.terminate();
  await clock.run(done);
  return { stamped, refused: planes.refused };
}

describe('the retranslator with the rights that it declares', () => {
  it.each([
    { name: 'one that streams lists', server: undefined },
    { name: 'an older one', server: older },
  ])('stamps, and is refused nothing by $name', async ({ server }) => {
    expect(await live(declared, server)).toEqual({ stamped: true, refused: [] });
  });

  it.each(
    (Object.keys(where) as (keyof RetranslatorRights)[]).flatMap((role) =>
      declared[role].flatMap(({ resources, verbs }) =>
        (resources ?? []).flatMap((resource) => (verbs ?? []).map((verb) => ({ role, verb, resource }))),
      ),
    ),
  )('needs every one of them: without $verb of $resource ($role) it is refused', async ({ role, verb, resource }) => {
    const { refused } = await live({ ...declared, [role]: without(declared[role], verb, resource) }, older);
    expect(refused).toContainEqual(expect.stringMatching(new RegExp(`^403 .*/${resource}\\b`)));
  });

  it('inside an extension server has the same, and that has no other', () => {
    const address = { listen: ['127.0.0.1:0'] };
    const both = { gatewayClasses: [className], hook: address, report: address, edit: {}, reports };
    expect(extensionServerRights(serverConfig.parse(both))).toEqual(declared);
  });
});
