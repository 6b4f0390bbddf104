/** Policies and the Secrets that they name, all the way: labels, mirrors, guard and status, over scripted planes. */
import { type Condition, labels, Namespace, Secret, SecurityPolicy } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { policiesOf } from '../mirror/kinds.ts';
import { Lag } from '../mirror/lag.ts';
import { mirrorControllers } from '../mirror/mirror.ts';
import { EmptiedKinds } from '../sweep/emptied-kinds.ts';
import { defaultSweepRules, SweepGate } from '../sweep/gate.ts';
import { secretLabels } from './label-controller.ts';
import { type Hub, mapped, namespace, type Project, world, type World } from './planes.fixture.ts';

const controllerName = 'example.com/ours';
const secretName = { namespace, name: 'a' };
const policyName = { namespace, name: 'p' };

function start(
  prepare: (project: Project, hub: Hub) => void,
  { selector }: { selector?: string } = {},
): Promise<World> {
  const policies = policiesOf([])
    .policies.filter(({ kind }) => [Secret.id, SecurityPolicy.id].includes(kind.id))
    .map((policy) => (policy.guardsSecrets ? { ...policy, selector } : policy));
  const guarded = policies.filter(({ guardsSecrets }) => guardsSecrets);
  return world(
    (planes) => [
      ...mirrorControllers({
        ...planes,
        policies,
        installation: 'test',
        lag: new Lag(planes.env),
        emptied: new EmptiedKinds(new SweepGate(planes.env, defaultSweepRules)),
        gatewayControllerName: controllerName,
      }),
      ...guarded.map((policy) => secretLabels({ ...planes, policy })),
    ],
    ({ project, hub }) => {
      project.api.put(Namespace, { metadata: { name: namespace, uid: mapped.slice('ns-'.length) } });
      prepare(project, hub);
    },
    { isKarmada: false },
  );
}

const copies = ({ hub }: World): readonly string[] =>
  [hub.api.get(Secret, { namespace: mapped, name: 'a' }), hub.api.get(SecurityPolicy, { namespace: mapped, name: 'p' })]
    .flatMap((object) => object ?? [])
    .map(({ kind }) => kind);
/** Kinds of what was deleted on the hub, in order. */
const deletedIn = ({ hub }: World): readonly string[] =>
  hub.api.writes.filter(({ verb }) => verb === 'delete').map(({ kind }) => kind.kind);
const heldBack = async ({ metrics }: World): Promise<string | undefined> =>
  /^lifeline_policies_held (\d+)$/m.exec(await metrics.text())?.[1];
const accepted = ({ project }: World): Condition | undefined =>
  project.api.get(SecurityPolicy, policyName)?.status?.ancestors?.[0]?.conditions?.[0];

describe.each([
  { name: 'all policies', options: {}, marks: {} },
  { name: 'those that a selector finds', options: { selector: 'tier=edge' }, marks: { tier: 'edge' } },
])('$name', ({ options, marks }) => {
  it('a policy that comes before its Secret is served when the Secret comes, and no sooner', async () => {
    const here = await start((project) => project.policy('p', ['a'], { labels: marks }), options);
    expect(copies(here)).toEqual([]);
    expect(accepted(here)?.reason).toBe('PendingSecret');
    expect(await heldBack(here)).toBe('1');
    here.project.secret('a');
    await here.clock.advance(2000);
    expect(await heldBack(here)).toBe('0');
    expect(copies(here)).toEqual(['Secret', 'SecurityPolicy']);
    expect(accepted(here)?.reason).toBe('DownstreamStatusMissing');
    expect(here.project.marks('a')).toContain('gateway-sync-managed');
    await here.stop();
  });

  it('a policy that is held back and goes is counted no longer', async () => {
    const here = await start((project) => project.policy('p', ['a'], { labels: marks }), options);
    expect(await heldBack(here)).toBe('1');
    here.project.api.remove(SecurityPolicy, policyName);
    await here.clock.advance(2000);
    expect(await heldBack(here)).toBe('0');
    await here.stop();
  });

  it('W8: a Secret that goes takes the copy of its policy with it, and nobody is stuck', async () => {
    const here = await start((project) => {
      project.secret('a');
      project.policy('p', ['a'], { labels: marks });
    }, options);
    await here.clock.advance(2000);
    expect(copies(here)).toEqual(['Secret', 'SecurityPolicy']);
    const held = here.project.api.get(Secret, secretName);
    here.project.secret('a', {
      ...held?.metadata,
      deletionTimestamp: '2026-01-01T00:00:00Z',
    });
    await here.clock.advance(20_000);
    expect(copies(here)).toEqual([]);
    expect(accepted(here)?.reason).toBe('PendingSecret');
    expect(deletedIn(here)).toEqual(['SecurityPolicy', 'Secret', 'ConfigMap']);
    expect(here.project.api.get(Secret, secretName)?.metadata.finalizers ?? []).toEqual([]);
    await here.stop();
  });

  it('a policy that goes lets its Secrets go after it', async () => {
    const here = await start((project) => {
      project.secret('a');
      project.policy('p', ['a'], { labels: marks });
    }, options);
    await here.clock.advance(2000);
    const held = here.project.api.get(SecurityPolicy, policyName);
    here.project.policy('p', ['a'], { ...held?.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' });
    await here.clock.advance(20_000);
    expect(copies(here)).toEqual([]);
    expect(here.project.marks('a')).toEqual([]);
    expect(deletedIn(here)).toEqual(['SecurityPolicy', 'ConfigMap', 'Secret', 'ConfigMap']);
    await here.stop();
  });
});

it('copies whose policies are gone from the project keep no Secret', async () => {
  const here = await start((project, hub) => {
    project.secret('a', { labels: { [labels.gatewaySync]: '' } });
    // The project has no policy at all, so these are left to the sweep.
    for (const name of ['q', 'r']) hub.policy(name, ['a']);
  });
  await here.clock.advance(2000);
  const { resourceVersion: _read, ...metadata } = here.project.api.get(Secret, secretName)?.metadata ?? { name: 'a' };
  here.project.secret('a', { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' });
  await here.clock.advance(20_000);
  expect(deletedIn(here)).toEqual(['Secret', 'ConfigMap']);
  expect(here.project.api.get(Secret, secretName)?.metadata.finalizers ?? []).toEqual([]);
  await here.stop();
});
