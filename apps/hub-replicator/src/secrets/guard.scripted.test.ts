/** Guard and status over scripted planes, around the least controller that needs them. */
import { type Condition, ResourceBinding, Secret, SecurityPolicy } from '@lifeline/core';
import { Refusal } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { guarded } from './guard-controller.fixture.ts';
import { cluster, type Hub, mapped, namespace, type Project, world, type World } from './planes.fixture.ts';

const unavailable = new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'not now' });
const policyName = { namespace, name: 'p' };
const copyName = { namespace: mapped, name: 'p' };

const start = (
  prepare: (planes: { project: Project; hub: Hub }) => void,
  options: { isKarmada?: boolean } = {},
): Promise<World> =>
  world(
    (planes) => [guarded(planes)],
    (planes) => {
      for (const name of ['a', 'b']) planes.project.secret(name);
      prepare(planes);
    },
    options,
  );

const copyIn = ({ hub }: World): SecurityPolicy | undefined => hub.api.get(SecurityPolicy, copyName);
const accepted = ({ project }: World): Condition | undefined =>
  project.api.get(SecurityPolicy, policyName)?.status?.ancestors?.[0]?.conditions?.[0];
const secretsIn = (policy: SecurityPolicy | undefined): readonly string[] | undefined =>
  policy?.spec.apiKeyAuth?.credentialRefs?.map(({ name }) => name);
const statusWrites = ({ project }: World): number =>
  project.api.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/status')).length;

/** What Envoy Gateway says on the hub. */
function judged({ hub }: World, status: 'True' | 'False'): void {
  const copy = hub.api.get(SecurityPolicy, copyName);
  if (!copy) throw new Error('no copy');
  const { resourceVersion: _read, ...metadata } = copy.metadata;
  hub.api.put(SecurityPolicy, {
    ...copy,
    metadata,
    status: {
      ancestors: [
        {
          ancestorRef: { kind: 'Gateway', namespace: mapped, name: 'web' },
          controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
          conditions: [
            {
              type: 'Accepted',
              status,
              reason: status === 'True' ? 'Accepted' : 'Odd',
              message: `seen in ${mapped}`,
              observedGeneration: copy.metadata.generation ?? 0,
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      ],
    },
  });
}

describe('a plain hub', () => {
  const plain = { isKarmada: false };

  it('holds a policy back, says so, and lets it go when its Secret comes', async () => {
    const here = await start(({ project }) => project.policy('p', ['a']), plain);
    expect(copyIn(here)).toBeUndefined();
    const held = accepted(here);
    expect(held).toMatchObject({ status: 'False', reason: 'PendingSecret', observedGeneration: 1 });
    await here.clock.advance(600_000);
    expect(accepted(here)).toEqual(held);
    expect(statusWrites(here)).toBe(1);

    here.hub.secret('a');
    await here.clock.advance(1000);
    expect(secretsIn(copyIn(here))).toEqual(['a']);
    expect(accepted(here)).toMatchObject({ status: 'Unknown', reason: 'DownstreamStatusMissing' });
    judged(here, 'True');
    await here.clock.advance(1000);
    expect(accepted(here)).toMatchObject({ status: 'True', message: `seen in ${namespace}`, observedGeneration: 1 });
    expect(here.complaints).toEqual([]);
    await here.stop();
  });

  it('W8: withdraws the copy when a Secret is lost', async () => {
    const here = await start(({ project, hub }) => {
      hub.secret('a');
      project.policy('p', ['a']);
    }, plain);
    expect(copyIn(here)).toBeDefined();
    here.hub.api.remove(Secret, { namespace: mapped, name: 'a' });
    await here.clock.advance(1000);
    expect(copyIn(here)).toBeUndefined();
    expect(accepted(here)?.reason).toBe('PendingSecret');
    here.hub.secret('a');
    await here.clock.advance(1000);
    expect(copyIn(here)).toBeDefined();
    await here.stop();
  });

  it('W8: a Secret on its way out is lost already', async () => {
    const here = await start(({ project, hub }) => {
      hub.secret('a');
      project.policy('p', ['a']);
    }, plain);
    const { resourceVersion: _read, ...metadata } = here.project.secret('a').metadata;
    here.project.secret('a', { ...metadata, finalizers: ['theirs/f'], deletionTimestamp: '2026-01-01T00:00:00Z' });
    await here.clock.advance(1000);
    expect(copyIn(here)).toBeUndefined();
    expect(here.hub.api.get(Secret, { namespace: mapped, name: 'a' })).toBeDefined();
    await here.stop();
  });

  it('leaves the copy as it is while a new spec waits', async () => {
    const here = await start(({ project, hub }) => {
      hub.secret('a');
      project.policy('p', ['a']);
    }, plain);
    here.project.policy('p', ['b']);
    await here.clock.advance(1000);
    expect(secretsIn(copyIn(here))).toEqual(['a']);
    expect(accepted(here)).toMatchObject({ reason: 'PendingSecret', observedGeneration: 2 });
    here.hub.secret('b');
    await here.clock.advance(1000);
    expect(secretsIn(copyIn(here))).toEqual(['b']);
    await here.stop();
  });

  it('a reference that spells out a namespace leads nowhere on the hub', async () => {
    const here = await start(({ project, hub }) => {
      hub.secret('a');
      const held = project.policy('p', []);
      project.api.put(SecurityPolicy, { ...held, spec: { basicAuth: { users: { namespace, name: 'a' } } } });
    }, plain);
    expect(copyIn(here)).toBeUndefined();
    expect(accepted(here)?.message).toContain('default/a');
    await here.stop();
  });

  it('W12: an event of a Secret is not lost with a project that cannot be used just now', async () => {
    const here = await start(({ project }) => project.policy('p', ['a']), plain);
    here.fleet.suspend(cluster);
    here.hub.secret('a');
    await here.clock.advance(60_000);
    expect(copyIn(here)).toBeUndefined();
    here.resume();
    await here.clock.advance(1000);
    expect(secretsIn(copyIn(here))).toEqual(['a']);
    await here.stop();
  });
});

describe('W9: a Karmada hub', () => {
  it('presence is not enough: the Secret must be applied on every member', async () => {
    const here = await start(({ project, hub }) => {
      hub.secret('a');
      project.policy('p', ['a']);
    });
    expect(copyIn(here)).toBeUndefined();
    here.hub.spread('a', { 'edge-1': true, 'edge-2': false });
    await here.clock.advance(20_000);
    expect(copyIn(here)).toBeUndefined();
    here.hub.spread('a', { 'edge-1': true, 'edge-2': true });
    // Nothing tells of a binding: it is looked at again.
    await here.clock.advance(6_000);
    expect(copyIn(here)).toBeDefined();

    // A third member joins: what is served stays, and unrelated edits go through.
    here.hub.spread('a', { 'edge-1': true, 'edge-2': true, 'edge-3': false });
    here.project.policy('p', ['a'], { labels: { edited: 'yes' } });
    await here.clock.advance(20_000);
    expect(copyIn(here)).toBeDefined();
    expect(accepted(here)?.reason).toBe('DownstreamStatusMissing');
    await here.stop();
  });

  it('a hub that cannot be asked releases nothing', async () => {
    const here = await start(({ project, hub }) => {
      hub.api.refuse = ({ kind }) => (kind.id === ResourceBinding.id ? unavailable : undefined);
      hub.secret('a');
      project.policy('p', ['a']);
    });
    await here.clock.advance(60_000);
    expect(copyIn(here)).toBeUndefined();
    await here.stop();
  });

  it('nothing of a Secret but its metadata is asked for', async () => {
    const accepts: string[] = [];
    const here = await start(({ project, hub }) => {
      hub.api.refuse = ({ kind, headers }) => {
        if (kind.id === Secret.id) accepts.push(headers['accept'] ?? '');
        return undefined;
      };
      hub.secret('a');
      hub.spread('a', { 'edge-1': true });
      project.policy('p', ['a']);
    });
    expect(copyIn(here)).toBeDefined();
    expect(accepts.length).toBeGreaterThan(1);
    expect(accepts.filter((accept) => !accept.includes('PartialObjectMetadata'))).toEqual([]);
    await here.stop();
  });
});

describe('status', () => {
  it('the hub’s status is never written, and a steady world brings no write', async () => {
    const here = await start(({ project }) => project.policy('p', []), { isKarmada: false });
    judged(here, 'False');
    await here.clock.advance(1000);
    expect(accepted(here)?.status).toBe('False');
    const before = here.project.api.writes.length;
    await here.clock.advance(6 * 3_600_000);
    expect(here.project.api.writes.length).toBe(before);
    expect(here.hub.api.requests.filter(({ path }) => path.includes('/status'))).toEqual([]);
    await here.stop();
  });

  it('another writer of the object only costs another look', async () => {
    const here = await start(({ project }) => project.policy('p', []), { isKarmada: false });
    judged(here, 'True');
    for (let edit = 0; edit < 20; edit++) {
      here.project.policy('p', [], { labels: { edit: String(edit) } });
      await here.clock.advance(50);
    }
    await here.clock.advance(2000);
    expect(accepted(here)).toMatchObject({ status: 'True' });
    expect(here.complaints).toEqual([]);
    await here.stop();
  });
});
