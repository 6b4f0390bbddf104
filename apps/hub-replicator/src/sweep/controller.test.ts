import {
  allKinds,
  annotations,
  ConfigMap,
  Connector,
  downstreamNamespaceObject,
  HTTPProxy,
  identityOf,
  type Kind,
  Namespace,
  Project,
  seeded,
  Service,
  type Transport,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, fleetFactory, runManager, staticSource } from '@lifeline/k8s';
import { connection, createScriptedApi, filesOf, SimulatedProcess } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { projectSweep } from './controller.ts';
import { defaultSweepRules, SweepGate, type SweepRules } from './gate.ts';

const minute = 60_000;
const urls = { hub: 'https://hub.test', control: 'https://control.test' };

interface Options {
  readonly rules?: Partial<SweepRules>;
  readonly holds?: (project: string) => boolean;
  readonly believed?: readonly string[];
}

function world({ rules = {}, holds = () => true, believed = [] }: Options = {}) {
  const clock = new VirtualClock();
  const plane = (name: string, kinds: readonly Kind[]) =>
    createScriptedApi({ clock, random: seeded(name), kinds, latencyMs: 10 });
  const hub = plane('hub', allKinds);
  const control = plane('control', [Project]);
  const link = { down: false };
  const toControl: Transport = (request, options) =>
    link.down ? Promise.reject(new Error('cut')) : control.transport(request, options);
  const lines: string[] = [];
  const process = new SimulatedProcess({
    name: 'sweeper',
    clock,
    random: seeded('sweeper'),
    transport: ({ server }, signal) => connection(server === urls.hub ? hub.transport : toControl, signal),
    files: filesOf({}),
    log: createLog({ clock, write: (line) => lines.push(line) }),
    onPoint: () => undefined,
  });
  const { env } = process;
  const fleet = fleetFactory(env, 'sweeper');
  const provider = (name: keyof typeof urls) =>
    fleet({ plane: name, source: staticSource({ [name]: { endpoint: { server: urls[name] } } }) });
  const [hubFleet, controlFleet] = [provider('hub'), provider('control')];
  const gate = new SweepGate(env, { ...defaultSweepRules, ...rules });
  const sweep = projectSweep({
    hub: hubFleet,
    authority: { provider: controlFleet, kind: Project },
    kinds: [ConfigMap, Connector, HTTPProxy],
    installation: 'ours',
    gate,
    holds,
    believed,
  });
  const project = (name: string) =>
    control.put(Project, { metadata: { name }, spec: { ownerRef: { kind: 'Organization', name: 'o' } } });
  /** What a project of that name has on the hub: a Namespace, and a Connector with its anchor. */
  const leftovers = (cluster: string, installation = 'ours', count = 1) => {
    const name = `ns-${cluster}`;
    const { metadata } = downstreamNamespaceObject({ cluster, name: 'default', uid: cluster }, installation);
    hub.put(Namespace, { metadata: { ...metadata } });
    for (let at = 0; at < count; at++) {
      const uid = `${cluster}-${at}`;
      const upstream = {
        cluster,
        group: Connector.group,
        kind: Connector.kind,
        namespace: 'default',
        name: `c${at}`,
        uid,
      };
      const marks = identityOf(upstream, installation);
      hub.put(Connector, {
        metadata: { namespace: name, name: `c${at}`, ...marks },
        spec: { connectorClassName: 'x' },
      });
      hub.put(ConfigMap, { metadata: { namespace: name, name: `anchor-${uid}`, ...marks } });
    }
  };
  return {
    ...{ clock, hub, control, link, lines, project, leftovers },
    start: () => void runManager(env, { fleets: [hubFleet, controlFleet], controllers: [sweep] }),
    left: () =>
      [...hub.objects(Connector), ...hub.objects(ConfigMap), ...hub.objects(Namespace)]
        .map(({ metadata }) => metadata.name)
        .sort(),
    metrics: () => env.metrics.text(),
  };
}

describe('the sweep of a project that is gone', () => {
  it('takes everything of it after the minimum age, the Namespace last and marked before; nothing of others', async () => {
    const { clock, hub, project, leftovers, start, left, metrics } = world();
    project('lives');
    leftovers('lives');
    leftovers('gone');
    start();
    await clock.advance(4.9 * minute);
    expect(left()).toHaveLength(6);
    await clock.advance(30 * minute);
    expect(left()).toEqual(['anchor-lives-0', 'c0', 'ns-lives']);
    const written = hub.writes
      .filter(({ who }) => who === 'lifeline-hub-replicator' || who === 'sweeper')
      .map(({ verb, kind }) => `${verb} ${kind.kind}`);
    expect(written).toEqual(['patch Namespace', 'delete Connector', 'delete ConfigMap', 'delete Namespace']);
    expect(await metrics()).toContain('lifeline_sweep_total{result="deleted"} 3');
    expect(await metrics()).toContain('lifeline_orphans 0');
  });

  it('marks the Namespace as one whose project was deleted, for those who wait for its copies', async () => {
    const { clock, hub, project, leftovers, start } = world({ rules: { maxDeletions: 1 } });
    project('lives');
    leftovers('gone', 'ours', 3);
    start();
    await clock.advance(6 * minute);
    expect(hub.get(Namespace, { name: 'ns-gone' })?.metadata.annotations?.[annotations.upstreamProjectDeleted]).toBe(
      'true',
    );
    expect(hub.objects(Connector)).toHaveLength(2);
  });

  it('at most so many in a sweep, and the rest later', async () => {
    const { clock, hub, project, leftovers, start, left } = world({ rules: { maxDeletions: 4 } });
    project('lives');
    leftovers('gone', 'ours', 6);
    start();
    await clock.advance(5.5 * minute);
    expect(hub.objects(Connector).length + hub.objects(ConfigMap).length).toBe(8);
    await clock.advance(60 * minute);
    expect(left()).toEqual([]);
  });

  it('C19: what is of another installation, of none, or beside ours stays, and so does its Namespace', async () => {
    const { clock, hub, project, leftovers, start, left, metrics } = world();
    project('lives');
    leftovers('gone');
    leftovers('theirs', 'other');
    hub.put(Service, { metadata: { namespace: 'ns-gone', name: 'by-somebody' } });
    hub.put(Connector, { metadata: { namespace: 'ns-gone', name: 'unlabelled' }, spec: { connectorClassName: 'x' } });
    start();
    await clock.advance(60 * minute);
    expect(left()).toEqual(['anchor-theirs-0', 'c0', 'ns-gone', 'ns-theirs', 'unlabelled']);
    expect(hub.objects(Service)).toHaveLength(1);
    expect(hub.get(Namespace, { name: 'ns-theirs' })?.metadata.annotations).not.toHaveProperty([
      annotations.upstreamProjectDeleted,
    ]);
    expect(await metrics()).toMatch(/lifeline_sweep_total\{result="foreign"\} [1-9]/);
  });

  it('a dry run counts, and touches nothing', async () => {
    const { clock, hub, project, leftovers, start, left, metrics } = world({ rules: { dryRun: true } });
    project('lives');
    leftovers('gone');
    const before = hub.revision;
    start();
    await clock.advance(60 * minute);
    expect([left().length, hub.revision]).toEqual([3, before]);
    expect(await metrics()).toMatch(/lifeline_sweep_total\{result="dry-run"\} [1-9]/);
    expect(await metrics()).toContain('lifeline_orphans 2');
  });

  it('a control plane that knows no project at all is not believed', async () => {
    const { clock, leftovers, start, left, metrics } = world();
    leftovers('gone');
    start();
    await clock.advance(60 * minute);
    expect(left()).toHaveLength(3);
    expect(await metrics()).toMatch(/lifeline_sweep_total\{result="refused"\} [1-9]/);
  });

  it('nor is one that knows none of the projects that the hub has copies of, unless an operator says so', async () => {
    const { clock, project, leftovers, start, left, metrics } = world({ believed: ['said'] });
    project('new');
    for (const name of ['a', 'b', 'said']) leftovers(name);
    start();
    await clock.advance(60 * minute);
    expect(left()).toEqual(['anchor-a-0', 'anchor-b-0', 'c0', 'c0', 'ns-a', 'ns-b']);
    expect(await metrics()).toMatch(/lifeline_sweep_total\{result="refused"\} [1-9]/);
    leftovers('new');
    await clock.advance(60 * minute);
    expect(left()).toEqual(['anchor-new-0', 'c0', 'ns-new']);
  });

  it('one that cannot be reached proves nothing, nor does a cache that was not told of a project', async () => {
    const { clock, control, link, project, leftovers, start, left } = world();
    project('lives');
    start();
    await clock.advance(minute);
    control.dropEvents(() => true);
    project('untold');
    leftovers('untold');
    await clock.advance(60 * minute);
    link.down = true;
    await clock.advance(60 * minute);
    expect(left()).toHaveLength(3);
  });

  it('a project that comes back in time keeps everything', async () => {
    const { clock, control, project, leftovers, start, left } = world();
    project('lives');
    leftovers('shop');
    start();
    await clock.advance(4 * minute);
    project('shop');
    await clock.advance(10 * minute);
    control.remove(Project, { name: 'shop' });
    await clock.advance(4 * minute);
    expect(left()).toHaveLength(3);
    await clock.advance(10 * minute);
    expect(left()).toEqual([]);
  });

  it('is for the replica that looks after the project', async () => {
    const { clock, project, leftovers, start, left } = world({ holds: (name) => name === 'mine' });
    project('lives');
    leftovers('lives');
    leftovers('mine');
    leftovers('yours');
    start();
    await clock.advance(60 * minute);
    expect(left()).toEqual(['anchor-lives-0', 'anchor-yours-0', 'c0', 'c0', 'ns-lives', 'ns-yours']);
  });
});
