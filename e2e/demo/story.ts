/** The demo itself: does one thing after the other to the planes, and tells what comes of it, moment by moment. */
import { ConfigMap, type DurationMs, keyOf, Lease } from '@lifeline/core';
import { mirrorLabel } from '@lifeline/example-mirror';
import type { Fact, Moment } from './moment.ts';
import { type DemoPlanes, type Identity, type Replica, replicas, type Source, sources } from './planes.ts';

/** Between two acts nothing is done. */
const pauseMs: DurationMs = 2_000;
const restMs: DurationMs = 60_000;

/** The ConfigMap that every source has. */
const settings = { namespace: 'default', name: 'settings' };

/**
 * Time stands still while a moment is looked at: what it says can be seen in the planes right then.
 *
 * @throws Error when something that should follow does not
 */
export async function* story(planes: DemoPlanes): AsyncGenerator<Moment, void, undefined> {
  const { clock } = planes.simulation;
  for await (const fact of facts(planes)) yield { ...fact, at: clock.monotonic() };
}

async function* facts(planes: DemoPlanes): AsyncGenerator<Fact, void, undefined> {
  const pause = (): Promise<void> => planes.simulation.clock.advance(pauseMs);
  const [first, second] = sources;
  const leader = yield* start(planes);
  await pause();
  for (const source of sources) yield* create(planes, source);
  await pause();
  yield edit(planes, first, 'blue');
  yield await followed(planes, first, 'blue');
  await pause();
  yield* deleteCopy(planes, first);
  await pause();
  yield await rest(planes);
  const successor = yield* kill(planes, leader, second);
  await pause();
  yield* deleteSource(planes, first);
  await pause();
  yield* stop(planes, successor);
}

interface Leader {
  readonly replica: Replica;
  readonly identity: Identity;
}

async function* start(planes: DemoPlanes): AsyncGenerator<Fact, Leader, undefined> {
  for (const replica of replicas) planes.simulation.start(replica);
  yield { what: 'replicas start', replicas };
  const tookMs = await planes.until('one leads', () => planes.leaseHolder() !== undefined);
  const leader = await leaderOf(planes);
  yield { what: 'leads', ...leader, tookMs };
  return leader;
}

async function* create(planes: DemoPlanes, source: Source): AsyncGenerator<Fact, void, undefined> {
  put(planes, source, source);
  yield { what: 'create', source };
  yield { what: 'copied', source, ...(await newCopy(planes, source)) };
}

function edit(planes: DemoPlanes, source: Source, value: string): Fact {
  put(planes, source, value);
  return { what: 'edit', source, value };
}

async function followed(
  planes: DemoPlanes,
  source: Source,
  value: string,
): Promise<Extract<Fact, { what: 'followed' }>> {
  const isThere = (): boolean => planes.copyOf(source, settings)?.data?.value === value;
  return { what: 'followed', source, value, tookMs: await planes.until(`${value} in the copy`, isThere) };
}

async function* deleteCopy(planes: DemoPlanes, source: Source): AsyncGenerator<Fact, void, undefined> {
  planes.target.remove(ConfigMap, planes.copyOf(source, settings)?.metadata ?? settings);
  yield { what: 'delete copy', source };
  yield { what: 'back', source, ...(await newCopy(planes, source)) };
}

async function newCopy(planes: DemoPlanes, source: Source): Promise<{ copy: string; tookMs: DurationMs }> {
  const tookMs = await planes.until(`a copy of ${source}`, () => planes.copyOf(source, settings) !== undefined);
  return { copy: keyOf(planes.copyOf(source, settings) as ConfigMap), tookMs };
}

async function rest(planes: DemoPlanes): Promise<Fact> {
  const [renewals, writes] = [planes.writesOf(Lease), planes.writesOf(ConfigMap)];
  await planes.simulation.clock.advance(restMs);
  return {
    what: 'rest',
    forMs: restMs,
    renewals: planes.writesOf(Lease) - renewals,
    otherWrites: planes.writesOf(ConfigMap) - writes,
  };
}

/** The leader dies without a word, and at the same moment a source is edited. */
async function* kill(planes: DemoPlanes, leader: Leader, edited: Source): AsyncGenerator<Fact, Leader, undefined> {
  planes.simulation.kill(leader.replica);
  yield { what: 'kill', ...leader };
  yield edit(planes, edited, 'green');
  const tookMs = await planes.until('another leads', () => planes.leaseHolder() !== leader.identity);
  const successor = await leaderOf(planes);
  yield { what: 'leads', ...successor, tookMs };
  const fact = await followed(planes, edited, 'green');
  yield { ...fact, tookMs: tookMs + fact.tookMs };
  return successor;
}

async function* deleteSource(planes: DemoPlanes, source: Source): AsyncGenerator<Fact, void, undefined> {
  const { clock } = planes.simulation;
  const object = (): ConfigMap | undefined => planes.source(source).get(ConfigMap, settings);
  await planes.requestDeletion(source, settings);
  const started = clock.monotonic();
  yield { what: 'delete source', source, finalizers: object()?.metadata.finalizers ?? [] };
  await planes.until('the copy is gone', () => planes.copyOf(source, settings) === undefined);
  yield { what: 'copy gone', source, tookMs: clock.monotonic() - started };
  await planes.until('the source is gone', () => object() === undefined);
  yield { what: 'released', source, tookMs: clock.monotonic() - started };
}

async function* stop(planes: DemoPlanes, leader: Leader): AsyncGenerator<Fact, void, undefined> {
  const { simulation } = planes;
  const started = simulation.clock.monotonic();
  yield { what: 'stop', replicas: replicas.filter((replica) => !simulation.process(replica).dead) };
  await simulation.stop();
  if (planes.leaseHolder() === leader.identity) throw new Error('the Lease was not given back');
  yield {
    what: 'stopped',
    timers: simulation.clock.pending,
    watches: planes.all.reduce((sum, plane) => sum + plane.openWatches(), 0),
    tookMs: simulation.clock.monotonic() - started,
  };
}

async function leaderOf(planes: DemoPlanes): Promise<Leader> {
  await planes.simulation.clock.settle();
  const leaders = await planes.leaders();
  const [replica] = leaders;
  const identity = planes.leaseHolder();
  if (!replica || leaders.length > 1 || !identity) throw new Error(`${leaders.length} replicas lead`);
  return { replica, identity };
}

/** Somebody's ConfigMap, with the label that has it mirrored. */
function put(planes: DemoPlanes, source: Source, value: string): void {
  const plane = planes.source(source);
  const metadata = { ...plane.get(ConfigMap, settings)?.metadata, ...settings, labels: { [mirrorLabel]: 'true' } };
  plane.put(ConfigMap, { metadata, data: { value } });
}
