import {
  annotations,
  annotationTrue,
  finalizers,
  type KubeObject,
  labels,
  Secret,
  SecurityPolicy,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { secretLabels, type SecretLabelsOptions } from './label-controller.ts';
import { type Hub, namespace, type Project, world, type World } from './planes.fixture.ts';

const ours = ['gateway-sync', 'gateway-sync-managed'];
const managed = {
  labels: { [labels.gatewaySync]: annotationTrue },
  annotations: { [annotations.gatewaySyncManaged]: annotationTrue },
};
const replicated = { finalizers: [finalizers.replicator] };

const start = (
  prepare: (planes: { project: Project; hub: Hub }) => void,
  options: Partial<SecretLabelsOptions> = {},
): Promise<World> => world((planes) => [secretLabels({ ...planes, policy: { enabled: true }, ...options })], prepare);

const patches = ({ project }: World): number => project.api.requests.filter(({ method }) => method === 'PATCH').length;

describe('secretLabels', () => {
  it('labels what a policy names, all four ways, and nothing else', async () => {
    const here = await start(({ project }) => {
      for (const name of ['a', 'b', 'other']) project.secret(name);
      project.policy('p', ['a', 'b']);
    });
    expect(['a', 'b', 'other'].map((name) => here.project.marks(name))).toEqual([ours, ours, []]);
    expect(patches(here)).toBe(2);
    await here.clock.advance(3_600_000);
    expect(patches(here)).toBe(2);
    expect(here.complaints).toEqual([]);
    await here.stop();
  });

  it('W7: a Secret that comes later is noticed', async () => {
    const here = await start(({ project }) => project.policy('p', ['late']));
    here.project.secret('late');
    await here.clock.advance(1000);
    expect(here.project.marks('late')).toEqual(ours);
    here.project.api.remove(Secret, { namespace, name: 'late' });
    here.project.secret('late');
    await here.clock.advance(1000);
    expect(here.project.marks('late')).toEqual(ours);
    await here.stop();
  });

  it('W6: takes its label off when no policy names the Secret any more, and never a user’s', async () => {
    const here = await start(({ project }) => {
      project.secret('a');
      project.secret('mine', { labels: { [labels.gatewaySync]: '' } });
      project.policy('p', ['a', 'mine']);
      project.policy('q', ['a']);
    });
    here.project.policy('p', []);
    await here.clock.advance(1000);
    expect(here.project.marks('a')).toEqual(ours);
    here.project.policy('q', ['b']);
    await here.clock.advance(1000);
    expect(here.project.marks('a')).toEqual([]);
    expect(here.project.marks('mine')).toEqual(['gateway-sync']);
    await here.stop();
  });

  it('a label that was taken off by hand comes back, one that was left over goes', async () => {
    const here = await start(({ project }) => {
      project.secret('a');
      project.secret('left', managed);
      project.policy('p', ['a']);
    });
    expect(here.project.marks('left')).toEqual([]);
    here.project.secret('a', { annotations: managed.annotations });
    await here.clock.advance(1000);
    expect(here.project.marks('a').toSorted()).toEqual(ours);
    await here.stop();
  });

  it('a policy on its way out needs its Secrets until its copy is gone', async () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    const here = await start(({ project }) => {
      for (const name of ['a', 'b']) project.secret(name, managed);
      project.policy('held', ['a'], { ...replicated, deletionTimestamp });
      project.policy('never-copied', ['b'], { finalizers: ['theirs.example/f'], deletionTimestamp });
    });
    expect(here.project.marks('a')).toEqual(ours);
    expect(here.project.marks('b')).toEqual([]);
    here.project.api.remove(SecurityPolicy, { namespace, name: 'held' });
    await here.clock.advance(1000);
    expect(here.project.marks('a')).toEqual([]);
    await here.stop();
  });

  it('a Secret stays labelled for as long as a copy on the hub names it', async () => {
    const here = await start(({ project, hub }) => {
      for (const name of ['a', 'b']) project.secret(name, managed);
      project.policy('p', ['b'], replicated);
      hub.policy('p', ['a']);
    });
    expect(here.project.marks('a')).toEqual(ours);
    here.hub.policy('p', ['b']);
    await here.clock.advance(1000);
    expect(here.project.marks('a')).toEqual([]);
    expect(here.project.marks('b')).toEqual(ours);
    await here.stop();
  });

  it('a cache that lags takes no label off', async () => {
    const here = await start(({ project }) => {
      project.secret('a');
      project.policy('p', ['a']);
    });
    // The watch shows that p let go; that q took the Secret up it does not.
    here.project.api.dropEvents((event) => (event.object as KubeObject).metadata.name === 'q');
    here.project.policy('q', ['a']);
    here.project.policy('p', []);
    await here.clock.advance(10_000);
    expect(here.project.marks('a')).toEqual(ours);
    await here.stop();
  });

  it('policies that are not replicated need no Secret', async () => {
    const prepare = ({ project }: { project: Project }): void => {
      for (const name of ['a', 'b']) project.secret(name);
      project.secret('left', managed);
      project.policy('p', ['a', 'left']);
      project.policy('q', ['b'], { labels: { tier: 'edge' } });
    };
    const off = await start(prepare, { policy: { enabled: false } });
    expect(['a', 'b', 'left'].map((name) => off.project.marks(name))).toEqual([[], [], []]);
    await off.stop();
    const some = await start(prepare, { policy: { enabled: true, selector: 'tier=edge' } });
    expect(['a', 'b', 'left'].map((name) => some.project.marks(name))).toEqual([[], ours, []]);
    await some.stop();
  });

  it('where project and hub are one, copies are no sources', async () => {
    const copied = { labels: { [labels.upstreamNamespace]: 'default' } };
    const prepare = ({ project }: { project: Project }): void => {
      project.secret('a', copied);
      project.secret('b');
      project.policy('p', ['a', 'b'], copied);
    };
    const single = await start(prepare, { isSingle: true });
    expect(single.project.marks('a')).toEqual(['upstream-namespace']);
    expect(single.project.marks('b')).toEqual([]);
    await single.stop();
    const apart = await start(prepare);
    expect(apart.project.marks('b')).toEqual(ours);
    await apart.stop();
  });

  it('a label that a user sets while ours is on its way is not taken for ours', async () => {
    const here = await start(({ project }) => project.secret('a'));
    here.project.policy('p', ['a']);
    // The event is told and the patch sent; it arrives after the user’s change.
    await here.clock.advance(15);
    here.project.secret('a', { labels: { [labels.gatewaySync]: '' } });
    await here.clock.advance(1000);
    expect(here.project.marks('a')).toEqual(['gateway-sync']);
    expect(here.project.api.requests.filter(({ method }) => method === 'PATCH').map(({ status }) => status)).toEqual([
      409,
    ]);
    await here.stop();
  });
});
