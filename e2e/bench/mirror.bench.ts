/**
 * The hub replicator as it is shipped, with 300 project planes and 10,000 connectors in one process: how long a flip takes to the hub's
 * annotation, how many flips a second it carries beside what its client can apply, what it holds in memory, and how long it takes to start.
 *
 * `PLANES`, `CONNECTORS` and `SECONDS` make it smaller.
 */
import { Connector, type KubeObject, systemClock } from '@lifeline/core';
import { Agents } from './agents.ts';
import { raw, startApp } from './app.ts';
import { fixed, heldBytes, Lateness, quantile, rateRow, type Span, span, table } from './figures.ts';
import { Flips } from './flips.ts';
import { type Place, Platform, renew } from './platform.ts';

const planes = Number(process.env['PLANES'] ?? 300);
const connectors = Number(process.env['CONNECTORS'] ?? 10_000);
const seconds = Number(process.env['SECONDS'] ?? 90);
const heartbeatMs = 10_000;
/** Of the connectors, those whose agents go away and come back while latency is measured. */
const flapping = Math.min(connectors, 600);
const awayMs = 45_000;
const rounds = 2;
const latencyMs = 50;
/** The app has more in each plane. */
const watchesOfPlane = 10;

const say = (what: string): void => console.error(`${(systemClock.monotonic() / 1000).toFixed(0)} s: ${what}`);

const platform = new Platform({ planes, connectors });
const { hub, places } = platform;
const copies = (): readonly KubeObject[] => hub.api.objects(Connector);

interface Latency {
  readonly delays: readonly number[];
  readonly fromRenewal: readonly number[];
  readonly lateness: readonly number[];
  readonly cpuShare: number;
  readonly renewalsPerSecond: number;
}

/** With the heartbeats of all, agents of some of them go away one after the other for longer than a lease, and come back. */
async function latency(flips: Flips, agents: Agents): Promise<Latency> {
  using late = new Lateness();
  flips.reset();
  const { renewals } = agents;
  const end = span();
  const rest = (seconds * 1_000) / 2 / flapping;
  const leave = async (place: Place): Promise<void> => {
    agents.away.add(place);
    await systemClock.sleep(awayMs);
    flips.back(place.name);
    agents.away.delete(place);
    await renew(place);
  };
  const gone: Promise<void>[] = [];
  for (const place of places.slice(0, flapping)) {
    gone.push(leave(place));
    await systemClock.sleep(rest);
  }
  await Promise.all(gone);
  await systemClock.sleep(5_000);
  const { wallMs, cpuMs } = end();
  return {
    delays: [...flips.delays],
    fromRenewal: [...flips.fromRenewal],
    lateness: late.values,
    cpuShare: cpuMs / wallMs,
    renewalsPerSecond: (agents.renewals - renewals) / (wallMs / 1_000),
  };
}

async function mirrored(turn: number): Promise<Span> {
  await platform.hold(turn);
  await heldBytes();
  const end = span();
  await platform.letGo(turn);
  return end();
}

/** Until every plane is followed, and nothing opens any more. */
async function opened(of: Platform): Promise<void> {
  await of.until(() => of.watches > planes * watchesOfPlane);
  for (let before = 0; before !== of.watches; await systemClock.sleep(3_000)) before = of.watches;
}

/** Of the app, for a plane that has nothing but what every plane has. */
async function idlePlane(): Promise<number> {
  const idle = new Platform({ planes, connectors: 0 });
  const before = await heldBytes();
  const running = startApp(idle.reach());
  await opened(idle);
  const bytes = (await heldBytes()) - before;
  await running.stop();
  idle[Symbol.dispose]();
  return bytes / planes;
}

interface Start extends Span {
  readonly bytes: number;
  readonly writes: number;
}

/** Until all was looked at; nothing has changed since the app last ran. */
async function restart(latencyMs: number): Promise<Start> {
  const before = await heldBytes();
  let writes = 0;
  using taps = new DisposableStack();
  for (const { api } of [hub, ...platform.planes]) {
    taps.use(
      api.tap(
        ({ object }) => (writes += object.kind === 'Lease' || object.metadata.name === 'lifeline-watermark' ? 0 : 1),
      ),
    );
  }
  const end = span();
  const running = startApp(platform.reach(latencyMs));
  await running.looked(connectors);
  const spent = end();
  await opened(platform);
  const bytes = (await heldBytes()) - before;
  await running.stop();
  return { ...spent, bytes, writes };
}

const idleBytes = await idlePlane();
say(`idle planes measured: ${(idleBytes / 1024).toFixed(1)} KB each`);
await platform.fill();
const running = startApp(platform.reach());
await platform.until(() => copies().length === connectors, 1_200_000);
say('all copied');
const flips = new Flips(platform);
const agents = new Agents({ places, everyMs: heartbeatMs });
await platform.until(() => flips.online === connectors, 1_200_000);
say('all online');
await systemClock.sleep(10_000);
const { delays, fromRenewal, lateness, cpuShare, renewalsPerSecond } = await latency(flips, agents);
agents[Symbol.dispose]();
flips[Symbol.dispose]();
say(
  `latency measured: ${[delays, fromRenewal, lateness].map((ms) => [0.5, 0.99].map((q) => quantile(ms, q).toFixed(1))).join(' · ')}`,
);

// From here on nobody renews, and no Lease ends.
for (const place of places) await renew(place, 3_600);
await systemClock.sleep(10_000);
const carried: Span[] = [];
for (let round = 0; round < rounds; round++) carried.push(await mirrored(round + 1));
say(`flips carried: ${JSON.stringify(carried)}`);
await running.stop();
const applies: Span[] = [];
// The last round puts back what the planes say.
for (const turn of [rounds + 1, rounds]) applies.push(await raw(platform.hubClient(0), turn));
say(`copies applied: ${JSON.stringify(applies)}`);
const quick = await restart(0);
say(`started: ${JSON.stringify(quick)}`);
const slow = await restart(latencyMs);
say(`started with ${latencyMs} ms: ${JSON.stringify(slow)}`);
const later = startApp(platform.reach(latencyMs));
await later.looked(connectors);
const carriedLater = [await mirrored(rounds + 2)];
await later.stop();
const appliesLater = [await raw(platform.hubClient(latencyMs), rounds + 3)];
say('flips carried, copies applied with latency');

const row = (name: string, values: readonly number[]): readonly string[] => [
  name,
  ...[quantile(values, 0.5), quantile(values, 0.99), Math.max(...values)].map((ms) => `${fixed(ms, 1)} ms`),
  fixed(values.length),
];
const rates = (name: string, spans: readonly Span[], base: readonly Span[]): readonly string[] =>
  rateRow(name, { spans, base, each: connectors });
const starts = (name: string, { wallMs, cpuMs, writes }: Start): readonly string[] => [
  name,
  `${fixed(wallMs / 1_000, 1)} s`,
  `${fixed(cpuMs / 1_000, 1)} s`,
  fixed(writes),
];
console.log(`### ${fixed(planes)} planes, ${fixed(connectors)} connectors, ${fixed(renewalsPerSecond)} heartbeats a second

${table([
  ['from → to', 'p50', 'p99', 'worst', 'flips'],
  row('`Ready` flips upstream → annotation on the hub', delays),
  row('the agent renews again → annotation on the hub', fromRenewal),
  row('a timer of 10 ms is late by', lateness),
])}

CPU meanwhile, planes and agents included: ${fixed(100 * cpuShare)} % of one core.

${table([
  ['', 'a second', 'CPU each'],
  rates('the client applies the copies', applies, applies),
  rates('flips carried', carried, applies),
  rates(`the client applies the copies, answers after ${latencyMs} ms`, appliesLater, appliesLater),
  rates(`flips carried, answers after ${latencyMs} ms`, carriedLater, appliesLater),
])}

Memory of the app: ${fixed(idleBytes / 1024, 1)} KB for an idle plane, ${fixed((quick.bytes - planes * idleBytes) / connectors / 1024, 1)} KB for a connector.

${table([['start until all was looked at', 'time', 'CPU', 'writes'], starts('answers at once', quick), starts(`answers after ${latencyMs} ms`, slow)])}
`);
process.exit(0);
