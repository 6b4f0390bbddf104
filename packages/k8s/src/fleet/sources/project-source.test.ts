import { ConfigMap, type KubeObject, Project } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createScriptedApi, type ScriptedApi } from '../../testing/scripted-api.ts';
import { testEnv } from '../../testing/test-env.ts';
import type { ClusterProvider } from '../cluster.ts';
import { fleetFactory } from '../fleet-factory.ts';
import { pathEndpoint, projectSource } from './project-source.ts';
import { staticSource } from './static-source.ts';

const core = 'https://core.test';
const planeOf = (name: string): string =>
  `${core}/apis/resourcemanager.miloapis.com/v1alpha1/projects/${name}/control-plane`;

interface World {
  readonly clock: VirtualClock;
  readonly controlPlane: ScriptedApi;
  readonly projects: ClusterProvider;
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** A control plane with Project objects, and the plane of each under a path of it. */
async function setUp(): Promise<World> {
  const clock = new VirtualClock();
  const running = new AbortController();
  const api = (kinds: readonly unknown[], basePath = ''): ScriptedApi =>
    createScriptedApi({ clock, random: seeded(basePath), kinds: kinds as never, basePath });
  const controlPlane = api([Project]);
  const planes = Object.fromEntries(
    ['p1', 'p2'].map((name) => [planeOf(name), api([ConfigMap], new URL(planeOf(name)).pathname)]),
  );
  const env = testEnv({ clock, signal: running.signal, planes: { [core]: controlPlane, ...planes } });
  const fleet = fleetFactory(env, 'test');
  const corePlane = fleet({ plane: 'core', source: staticSource({ core: { endpoint: { server: core } } }) });
  const projects = fleet({
    plane: 'project',
    source: projectSource({
      controlPlane: corePlane,
      kind: Project,
      readyCondition: 'Ready',
      endpoint: pathEndpoint({ server: core }),
      log: env.log,
    }),
  });
  const runs = [corePlane.run(running.signal), projects.run(running.signal)];
  await clock.advance(1_000);
  return {
    clock,
    controlPlane,
    projects,
    lines: env.lines,
    async stop() {
      running.abort(new Error('stop'));
      await Promise.all(runs);
    },
  };
}

const project = (name: string, ready: string, uid?: string): KubeObject =>
  ({
    apiVersion: Project.apiVersion,
    kind: 'Project',
    metadata: { name, ...(uid && { uid }) },
    spec: { ownerRef: { kind: 'Organization', name: 'org' } },
    status: {
      conditions: [
        { type: 'Ready', status: ready, reason: 'x', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  }) as KubeObject;

const put = (plane: ScriptedApi, object: KubeObject): unknown => plane.put(Project, object);

const names = (provider: ClusterProvider): string[] => provider.list().map(({ name }) => name);

describe('projectSource', () => {
  it('engages ready projects at their path, and reads there', async () => {
    const { clock, controlPlane, projects, stop } = await setUp();
    put(controlPlane, project('p1', 'True'));
    put(controlPlane, project('p2', 'False'));
    await clock.advance(1_000);
    expect(names(projects)).toEqual(['p1']);
    projects.get('p1').informer(ConfigMap);
    await clock.advance(1_000);
    expect(projects.get('p1').store(ConfigMap).size).toBe(0);
    put(controlPlane, project('p2', 'True'));
    await clock.advance(1_000);
    expect(names(projects)).toEqual(['p1', 'p2']);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('C28: suspends a project that is not ready, keeps its caches, and resumes it', async () => {
    const { clock, controlPlane, projects, stop } = await setUp();
    put(controlPlane, project('p1', 'True', 'u1'));
    await clock.advance(1_000);
    const cluster = projects.get('p1');
    cluster.informer(ConfigMap);
    await clock.advance(1_000);
    put(controlPlane, project('p1', 'Unknown', 'u1'));
    await clock.advance(1_000);
    expect(() => projects.get('p1')).toThrow('suspended');
    expect(() => cluster.store(ConfigMap)).toThrow('suspended');
    expect(cluster.signal.aborted).toBe(false);
    put(controlPlane, project('p1', 'True', 'u1'));
    await clock.advance(1_000);
    expect(projects.get('p1')).toBe(cluster);
    await stop();
  });

  it('C28: a project made anew under its name starts with empty caches; a deleted one is gone', async () => {
    const { clock, controlPlane, projects, stop } = await setUp();
    put(controlPlane, project('p1', 'True', 'u1'));
    await clock.advance(1_000);
    const old = projects.get('p1');
    put(controlPlane, project('p1', 'True', 'u2'));
    await clock.advance(1_000);
    expect(old.signal.aborted).toBe(true);
    expect(projects.get('p1')).not.toBe(old);
    controlPlane.remove(Project, { name: 'p1' });
    await clock.advance(1_000);
    expect(names(projects)).toEqual([]);
    await stop();
    expect(clock.pending).toBe(0);
  });
});
