/**
 * One informer against one scripted API in bad weather: writes, compactions, restored backups, kinds that go and come back, and faults on
 * three of ten messages. Everything follows from the seed.
 */
import {
  canonicalJson,
  deepEqual,
  describeError,
  type DurationMs,
  intercept,
  type KubeObject,
  type Random,
  type TransportInterceptor,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import type { Log } from '../app/env.ts';
import { createMetrics } from '../app/prometheus.ts';
import { createClient } from '../client/http-client.ts';
import { createRetryBudget } from '../client/retry-budget.ts';
import { evenFaults, faultNames, type FaultName, type FaultPlan, withFaults } from '../testing/faults.ts';
import { Refusal } from '../testing/refusal.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { Trace } from '../testing/trace.ts';
import { createInformer } from './create-informer.ts';
import type { Delta } from './reflector.ts';
import type { SharedInformer } from './shared-informer.ts';
import { Widget, widget } from './widget.fixture.ts';

export interface Storm {
  /** Every request, answer, delta, event and deed, in order, with its virtual time. */
  readonly trace: Trace;
  /** What the faults did, and why lists and watches ended. */
  readonly seen: ReadonlySet<string>;
  /** From the end of the storm until the cache was right. */
  readonly healedInMs: DurationMs;
}

interface World {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly api: ScriptedApi;
  readonly server: keyof typeof weathers;
  readonly informer: SharedInformer<Widget>;
  readonly trace: Trace;
  readonly violations: string[];
  /** Uids that some state of the server did not have any more. */
  readonly gone: Set<string>;
  /** What ends the troubles that are under way. */
  readonly troubles: Set<() => void>;
  readonly views: View[];
  backup: ReturnType<ScriptedApi['snapshot']> | undefined;
}

/** What a subscriber knows, by events alone. */
interface View {
  readonly held: Map<string, Widget>;
  /** Uids that it was told are deleted, since the last restored backup. */
  readonly buried: Set<string>;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const sizes = Array.from({ length: 10 }, (_, size) => String(size));
const deeds = 80;
const longestCalmMs = 15_000;
/**
 * Half of the servers lose nothing: then each trouble has its own way back, the slowest over a kind that was unavailable. The others lose
 * events for good, or are restored and move on past our revision: only a relist that is due finds that out, when a watch ends.
 */
const weathers = {
  honest: { healLimitMs: 6 * 60_000, relistMs: Infinity },
  forgetful: { healLimitMs: 25 * 60_000, relistMs: 10 * 60_000 },
};
const idleMs = 30 * 60_000;

/** Runs a seed. @throws Error that says what was wrong, with the end of the trace */
export async function storm(seed: number): Promise<Storm> {
  const clock = new VirtualClock();
  const trace = new Trace();
  const note = (what: string): void => trace.note(clock.monotonic(), what);
  const random = seeded(`${seed}/weather`);
  const server = seed % 2 === 0 ? 'forgetful' : 'honest';
  const { healLimitMs, relistMs } = weathers[server];
  const seen = new Set<string>();
  const fired = new Map<FaultName, number>();
  const plan: FaultPlan = { ...evenFaults(0.3), hang: 0.005 };
  const latencyMs = random.int(3) === 0 ? 0 : (chance: Random): number => chance.int(300);
  const api = createScriptedApi({ clock, random: seeded(`${seed}/api`), kinds: [Widget], latencyMs, historyLimit: 60 });
  const log = quietLog((line) => note(`log ${line}`));
  const metrics = createMetrics();
  const clientRandom = seeded(`${seed}/client`);
  const client = createClient({
    transport: intercept(api.transport, recorded(note), withFaults(seeded(`${seed}/faults`), plan, { clock, fired })),
    baseUrl: 'https://plane.test',
    clock,
    random: clientRandom,
    budget: createRetryBudget({ clock, random: clientRandom }),
    metrics,
    log,
    userAgent: 'storm',
  });
  const informer = createInformer(Widget, {
    client,
    clock,
    random: clientRandom,
    log,
    metrics,
    plane: 'storm',
    cluster: String(seed),
    freeze: true,
    pace: { relistMs },
    indexes: { bySize: ({ spec }) => [String(spec?.size)] },
    intercept: (delta, deliver) => {
      note(`delta ${brief(delta as Delta<KubeObject>)}`);
      deliver(delta);
    },
  });
  const world: World = {
    clock,
    random,
    api,
    server,
    informer,
    trace,
    violations: [],
    gone: new Set(),
    troubles: new Set(),
    views: [],
    backup: undefined,
  };
  api.streamingLists = random.int(4) > 0;

  const fail = (problem: string): Error => new Error(`${problem}\n${trace.tail(60)}`);
  const check = (): void => {
    if (world.violations[0]) throw fail(world.violations[0]);
    if (api.openWatches() > 1) throw fail(`${api.openWatches()} streams are open`);
  };

  subscribe(world);
  const controller = new AbortController();
  const running = informer.run(controller.signal);
  for (let deed = 0; deed < deeds; deed++) {
    await clock.advance(random.next() ** 2 * longestCalmMs);
    const name = pick(world)(world);
    note(`deed ${name}`);
    check();
  }

  note('the weather clears');
  for (const name of faultNames) plan[name] = 0;
  for (const end of [...world.troubles]) end();
  const clearedAt = clock.monotonic();
  let difference = differenceOf(world);
  while (difference !== undefined && clock.monotonic() - clearedAt < healLimitMs) {
    await clock.advance(5_000);
    check();
    difference = differenceOf(world);
  }
  if (difference !== undefined) throw fail(`not healed within ${healLimitMs} ms: ${difference}`);
  const healedInMs = clock.monotonic() - clearedAt;

  const before = api.requests.length;
  await clock.advance(idleMs);
  // One watch may just be giving way to the next.
  if (api.openWatches() === 0) await clock.advance(1_000);
  check();
  const idle = api.requests.length - before;
  if (idle > 20) throw fail(`${idle} requests in half an hour of peace`);
  if (differenceOf(world)) throw fail(`did not stay right: ${differenceOf(world)}`);
  if (informer.status.at !== 'synced' || api.openWatches() !== 1)
    throw fail(`is ${informer.status.at}, ${api.openWatches()} streams`);

  // The series go with the informer.
  for (const [, reason] of (await metrics.text()).matchAll(/ends_total\{.*reason="([a-z-]+)"/g))
    seen.add(reason as string);
  controller.abort(new Error('the end'));
  await running;
  await clock.settle();
  if (api.openWatches() > 0 || clock.pending > 0)
    throw fail(`left behind: ${api.openWatches()} streams, ${clock.pending} timers`);

  for (const name of fired.keys()) seen.add(name);
  return { trace, seen, healedInMs };
}

/** What the weather may bring: how often, under which name. */
const weather: readonly (readonly [weight: number, name: string, deed: (world: World) => void])[] = [
  [30, 'write', (world) => put(world, { size: world.random.int(sizes.length) })],
  [8, 'remove', (world) => remove(world, one(world, names))],
  [6, 'recreate', (world) => put(world, { size: 1, uid: world.random.uuid() })],
  [3, 'malformed', (world) => put(world, { size: 'not a number' })],
  [3, 'burst', (world) => names.forEach((name) => put(world, { size: world.random.int(sizes.length) }, name))],
  [3, 'compact', ({ api }) => api.compact()],
  [2, 'back up', (world) => (world.backup = world.api.snapshot())],
  [2, 'restore', restore],
  [2, 'close watches', ({ api }) => api.endWatches()],
  [2, 'break watches', ({ api }) => api.endWatches({ error: new Error('connection reset') })],
  [2, 'bookmark', ({ api }) => api.bookmark()],
  [5, 'trouble', (world) => begin(world, one(world, troubles))],
  [1, 'expiry', (world) => (world.api.expiry = one(world, ['status', 'event', 'unsaid'] as const))],
  [1, 'move', ({ informer }) => informer.replaceSource()],
  [1, 'subscribe', subscribe],
];

/** What lasts for a while. */
interface Trouble {
  readonly on?: World['server'];
  readonly longestMs: DurationMs;
  readonly begin: (api: ScriptedApi) => void;
  readonly end: (api: ScriptedApi) => void;
}

const forbidden = new Refusal({ code: 403, reason: 'Forbidden', message: 'not today' });
const troubles: readonly Trouble[] = [
  { longestMs: 200_000, begin: (api) => api.freeze(), end: (api) => api.thaw() },
  { longestMs: 200_000, begin: (api) => api.blackhole(true), end: (api) => api.blackhole(false) },
  { longestMs: 60_000, begin: (api) => api.unserve(Widget), end: (api) => api.serve(Widget) },
  { longestMs: 60_000, begin: (api) => (api.refuse = () => forbidden), end: (api) => (api.refuse = () => undefined) },
  { on: 'forgetful', longestMs: 30_000, begin: (api) => api.dropEvents(0.3), end: (api) => api.dropEvents(0) },
];

const one = <T>({ random }: World, items: readonly T[]): T => items[random.int(items.length)] as T;

function pick({ random }: World): (world: World) => string {
  let at = random.int(weather.reduce((sum, [weight]) => sum + weight, 0));
  const [, name, deed] = weather.find(([weight]) => (at -= weight) < 0) as (typeof weather)[number];
  return (world) => (deed(world), name);
}

function put(world: World, { size, uid }: { size: unknown; uid?: string }, name = one(world, names)): void {
  const { metadata, ...rest } = widget(name, 0, { size });
  const held = world.api.get(Widget, metadata);
  if (uid && held) world.gone.add(held.metadata.uid as string);
  const managedFields = [{ manager: 'storm' }];
  world.api.put(Widget, { ...rest, metadata: { name, namespace: 'default', managedFields, ...(uid ? { uid } : {}) } });
}

function remove(world: World, name: string): void {
  const held = world.api.get(Widget, { namespace: 'default', name });
  if (held) world.gone.add(held.metadata.uid as string);
  world.api.remove(Widget, { namespace: 'default', name });
}

/** What was made since the backup is gone. */
function restore(world: World): void {
  const { api, backup } = world;
  if (!backup || world.server === 'honest') return;
  api.thaw();
  for (const { metadata } of api.objects(Widget)) world.gone.add(metadata.uid as string);
  for (const { buried } of world.views) buried.clear();
  api.restore(backup);
}

/** Begins a trouble that ends by itself, or when the weather clears. */
function begin({ api, server, clock, random, troubles: underWay }: World, trouble: Trouble): void {
  if (trouble.on !== undefined && trouble.on !== server) return;
  trouble.begin(api);
  const over = (): void => {
    timer[Symbol.dispose]();
    underWay.delete(over);
    trouble.end(api);
  };
  const timer = clock.timer(random.int(trouble.longestMs), over);
  underWay.add(over);
}

/** Sees that each event fits what the ones before it told. */
function subscribe({ informer, views, violations, gone, trace, clock }: World): void {
  const held = new Map<string, Widget>();
  const buried = new Set<string>();
  const number = views.push({ held, buried });
  informer.subscribe((event, origin) => {
    const { name, uid = '', resourceVersion } = event.object.metadata;
    const what = `${event.type} ${name}@${resourceVersion} ${uid} to ${number} (${origin})`;
    const claim = (holds: boolean, problem: string): unknown => holds || violations.push(`${what}: ${problem}`);
    trace.note(clock.monotonic(), 'event', what);
    const known = held.get(name);
    switch (event.type) {
      case 'added':
        claim(known === undefined, 'it was there');
        claim(!buried.has(uid), 'it was deleted');
        return held.set(name, event.object);
      case 'updated':
        claim(known === event.old && known.metadata.uid === uid, 'it was not that');
        claim(!deepEqual(event.old, event.object), 'nothing changed');
        return held.set(name, event.object);
      case 'deleted':
        claim(known === event.object, 'it was not that');
        claim(gone.has(uid), 'it never went');
        buried.add(uid);
        return held.delete(name);
      case 'malformed':
        claim(known === event.old, 'it was not that');
        return held.delete(name);
    }
  });
}

/** The first thing in which the cache, or a view of it, is not what the server holds. */
function differenceOf({ api, informer: { store }, views }: World): string | undefined {
  const served = new Map(api.objects(Widget).map((object) => [`default/${object.metadata.name}`, object]));
  for (const [key, object] of served) {
    const { managedFields: _, ...metadata } = object.metadata;
    const isSound = Widget.schema.safeParse(object).success;
    if (isSound === store.malformed().has(key)) return `${key} is malformed on one side only`;
    if (isSound && canonicalJson(store.get(key) ?? null) !== canonicalJson({ ...object, metadata }))
      return `${key} differs`;
  }
  for (const key of store.keys()) if (!served.has(key)) return `${key} is held and not served`;
  const listed = [...store.list()];
  const isListed = (objects: readonly Widget[]): boolean =>
    objects.length === listed.length && listed.every((object) => objects.includes(object));
  if (!isListed(sizes.flatMap((size) => store.byIndex('bySize', size)))) return 'the index holds something else';
  const other = views.findIndex(({ held }) => !isListed([...held.values()]));
  return other < 0 ? undefined : `subscriber ${other + 1} sees something else`;
}

function brief(delta: Delta<KubeObject>): string {
  const objects = delta.type === 'replaced' ? delta.items : [delta.object];
  return `${delta.type} ${objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).join(' ')}`;
}

function recorded(note: (what: string) => void): TransportInterceptor {
  return (next) => async (request, options) => {
    const { pathname, search } = new URL(request.url);
    note(`> ${request.method} ${pathname}${search}`);
    try {
      const response = await next(request, options);
      note(`< ${response.status}`);
      return { ...response, body: recordedBody(response.body, note) };
    } catch (error) {
      note(`< ${describeError(error)}`);
      throw error;
    }
  };
}

function recordedBody(body: AsyncIterable<Uint8Array>, note: (what: string) => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        async next() {
          const chunk = await chunks.next();
          note(chunk.done ? '< end' : `< ${chunk.value.length} bytes`);
          return chunk;
        },
        async return() {
          note('> no more');
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function quietLog(write: (line: string) => void): Log {
  const line = (fields: object, message: string): void => write(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: line, info: line, warn: line, error: line, child: () => log };
  return log;
}

// `node --conditions=@lifeline/source packages/k8s/src/cache/storm.fixture.ts SEED…`: the hash of each trace; with `--trace` the traces.
if (import.meta.main) {
  const words = process.argv.slice(2);
  for (const seed of words.filter((word) => word !== '--trace')) {
    const { trace } = await storm(Number(seed));
    console.log(words.includes('--trace') ? trace.toString() : trace.hash);
  }
}
