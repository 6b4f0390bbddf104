import { classifyStatus, Connector, labels, nodeIdKey, seeded, sharedNodeIds, writtenNodeId } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, fleetFactory, type FleetControl } from '@lifeline/k8s';
import { connection, createScriptedApi, filesOf, SimulatedProcess } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { connectorCensus } from './census.ts';

const namespace = 'default';
const projects = ['p1', 'p2', 'p3'];

/** Three planes that can be engaged and disengaged. */
function world({ isSingle = false } = {}) {
  const clock = new VirtualClock();
  const planes = Object.fromEntries(
    projects.map((name) => [name, createScriptedApi({ clock, random: seeded(name), kinds: [Connector] })]),
  );
  const plane = (name: string) => planes[name] as NonNullable<(typeof planes)[string]>;
  const { env, metrics } = new SimulatedProcess({
    name: 'replicator',
    clock,
    random: seeded('process'),
    transport: ({ server }, life) => connection(plane(new URL(server).hostname).transport, life),
    files: filesOf({}),
    log: createLog({ clock, write: () => undefined }),
  });
  let fleet: FleetControl | undefined;
  const source = (control: FleetControl, signal: AbortSignal): Promise<void> => {
    fleet = control;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  };
  const provider = fleetFactory(env, 'test')({ plane: 'project', source });
  const stopping = new AbortController();
  const running = provider.run(stopping.signal);
  const census = connectorCensus({ projects: provider, metrics, isSingle });
  return {
    clock,
    plane,
    census,
    engage: (name: string) => fleet?.engage(name, { endpoint: { server: `https://${name}` } }),
    disengage: (name: string) => fleet?.disengage(name),
    /** The series of both metrics, by what stands before the value. */
    async shown(): Promise<Record<string, number>> {
      const lines = (await metrics.text()).matchAll(
        /^lifeline_(connectors|shared_node_ids)(?:\{state="(\w+)"\})? (\d+)$/gm,
      );
      return Object.fromEntries(Array.from(lines, ([, name, state, value]) => [state ?? name, Number(value)]));
    },
    async stop() {
      stopping.abort(new Error('stop'));
      await clock.run(running);
      census[Symbol.dispose]();
      expect(clock.pending).toBe(0);
    },
  };
}

const status = (id: string, ready: boolean): NonNullable<Connector['status']> => ({
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: 'R', message: 'm' }],
  connectionDetails: { type: 'PublicKey', publicKey: { id, homeRelay: 'https://relay.example', addresses: [] } },
});

describe('connectorCensus', () => {
  const put = (
    { plane }: ReturnType<typeof world>,
    { project, name, ...held }: { project: string; name: string; status?: Connector['status'] },
  ): Connector =>
    plane(project).put(Connector, { metadata: { namespace, name }, spec: { connectorClassName: 'c' }, ...held });

  it.each([
    [true, 1],
    [false, 2],
  ])('a copy beside its source counts once (project and hub in one: %j)', async (isSingle, online) => {
    const w = world({ isSingle });
    put(w, { project: 'p1', name: 'a', status: status('ab'.repeat(32), true) });
    const copy = { namespace: 'ns-x', name: 'a', labels: { [labels.upstreamNamespace]: namespace } };
    const spec = { connectorClassName: 'c' };
    w.plane('p1').put(Connector, { metadata: copy, spec, status: status('ab'.repeat(32), true) });
    w.engage('p1');
    await w.clock.advance(1_000);
    expect(await w.shown()).toMatchObject({ online, offline: 0 });
    await w.stop();
  });

  it('counts by liveness, and node ids that several projects use, in whatever way they are written', async () => {
    const w = world();
    const id = 'AB'.repeat(32);
    put(w, { project: 'p1', name: 'a', status: status(id, true) });
    put(w, { project: 'p1', name: 'b', status: status(id, false) });
    put(w, { project: 'p1', name: 'c' });
    w.engage('p1');
    await w.clock.advance(1_000);
    expect(await w.shown()).toEqual({ online: 1, offline: 2, unknown: 0, shared_node_ids: 0 });
    // Offline ones share as well.
    put(w, { project: 'p2', name: 'a', status: status(id.toLowerCase(), false) });
    w.engage('p2');
    await w.clock.advance(1_000);
    expect(await w.shown()).toEqual({ online: 1, offline: 3, unknown: 0, shared_node_ids: 1 });
    w.disengage('p1');
    expect(await w.shown()).toEqual({ online: 0, offline: 1, unknown: 0, shared_node_ids: 0 });
    await w.stop();
    expect(await w.shown()).not.toHaveProperty('online');
  });

  it('a mirrored status in a project plane is a tenant’s own words', async () => {
    const w = world();
    const annotations = { 'networking.datumapis.com/upstream-status': JSON.stringify(status('ab'.repeat(32), true)) };
    w.plane('p1').put(Connector, {
      metadata: { namespace, name: 'a', annotations },
      spec: { connectorClassName: 'c' },
    });
    w.engage('p1');
    await w.clock.advance(1_000);
    expect(await w.shown()).toMatchObject({ online: 0, offline: 1 });
    await w.stop();
  });

  it.each([1, 2, 3, 4, 5])('says what a count of everything says, whatever comes and goes: seed %i', async (seed) => {
    const w = world();
    const random = seeded(seed);
    const engaged = new Set<string>();
    const pick = <T>(from: readonly T[]): T => from[random.int(from.length)] as T;
    const ids = ['1', '2', '3', 'not an id'].map((digit) => (digit.length === 1 ? digit.repeat(64) : digit));
    for (let step = 0; step < 150; step++) {
      const [project, name] = [pick(projects), pick(['a', 'b', 'c', 'd'])];
      switch (random.int(6)) {
        case 0:
          if (engaged.delete(project)) w.disengage(project);
          break;
        case 1:
          engaged.add(project);
          w.engage(project);
          break;
        case 2:
          w.plane(project).remove(Connector, { namespace, name });
          break;
        case 3:
          put(w, { project, name });
          break;
        default:
          put(w, { project, name, status: status(pick(ids), random.int(2) === 0) });
      }
      await w.clock.advance(100);
      const all = [...engaged].flatMap((from) =>
        w
          .plane(from)
          .objects(Connector)
          .map((connector) => ({ from, connector })),
      );
      const online = all.filter(({ connector }) => classifyStatus(connector.status).state === 'online').length;
      const claims = all.flatMap(({ from, connector }) => {
        const written = writtenNodeId(connector.status);
        const key = typeof written === 'string' ? nodeIdKey(written) : undefined;
        const of = { connector: `${from}/${connector.metadata.name}`, project: from, createdAt: undefined };
        return key === undefined ? [] : [{ ...of, nodeIdKey: key }];
      });
      expect(await w.shown(), `seed ${seed}, step ${step}`).toEqual({
        online,
        offline: all.length - online,
        unknown: 0,
        shared_node_ids: sharedNodeIds(claims).size,
      });
    }
    await w.stop();
  });
});
