/** The example app, as a service account that has exactly the rights that are generated from what its controller declares. */
import { ConfigMap, Lease, Namespace, type PolicyRule } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app, config, copyName, mirror, mirrorLabel } from '@lifeline/example-mirror';
import { electionRules, fleetFactory, rbacRules, staticSource } from '@lifeline/k8s';
import { kubeconfig } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { GuardedPlanes, guardedUrl, processOf, without } from '../rights.fixture.ts';

type PlaneName = 'source' | 'target';
const files = {
  '/sources/one.kubeconfig': kubeconfig(guardedUrl('source')),
  '/target.kubeconfig': kubeconfig(guardedUrl('target')),
};

/** What the app declares for a plane. */
function declared(plane: PlaneName): readonly PolicyRule[] {
  const fleet = fleetFactory(processOf(new VirtualClock(), files).env, 'rights');
  const sources = fleet({ plane: 'source', source: staticSource({}) });
  const target = fleet({ plane: 'target', source: staticSource({}) });
  const rules = rbacRules(plane, [mirror({ sources, target, namespace: 'mirrors' })]);
  return plane === 'target' ? [...rules, ...electionRules] : rules;
}

interface Life {
  readonly copied: boolean;
  readonly released: boolean;
  readonly refused: readonly string[];
}

/** A minute and some, since the first leader ever waits: an object is created, mirrored, edited by somebody, deleted. */
async function live(rights: Readonly<Record<PlaneName, readonly PolicyRule[]>>): Promise<Life> {
  const clock = new VirtualClock();
  using planes = new GuardedPlanes(clock, { source: [], target: [] });
  for (const plane of ['source', 'target'] as const) await planes.grant(plane, rights[plane]);
  await planes.create('target', Namespace, { metadata: { name: 'mirrors' } });
  const name = { namespace: 'default', name: 'settings' };
  const metadata = { ...name, labels: { [mirrorLabel]: 'true' } };
  await planes.create('source', ConfigMap, { metadata, data: { colour: 'blue' } });

  const running = processOf(clock, files, planes.way);
  const done = app.start(
    running.env,
    config.parse({
      sources: { kubeconfigs: '/sources' },
      target: { kubeconfig: '/target.kubeconfig' },
      leaderElection: {},
    }),
  );
  await clock.advance(40_000);
  const copy = { namespace: 'mirrors', name: copyName('one', 'default/settings') };
  const hasCopy = (): boolean => planes.api('target').get(ConfigMap, copy) !== undefined;
  const copied = hasCopy();
  await planes.delete('source', ConfigMap, name);
  await clock.advance(40_000);
  const released = !planes.api('source').get(ConfigMap, name) && !hasCopy();
  running.terminate();
  await clock.run(done);
  expect(planes.api('target').get(Lease, { namespace: 'mirrors', name: 'example-mirror' })).toBeDefined();
  return { copied, released, refused: planes.refused };
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
