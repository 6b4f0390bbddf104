/**
 * The closed loop in small: Envoy Gateway processes that translate when a stamp changes, extension servers that answer from their index, and
 * retranslators, each with caches of its own that can be held back.
 */
import { type DurationMs, intentVersion, type ObjectKey, type Outcome } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, createMetrics } from '@lifeline/k8s';
import { connector, gateway, proxy } from '../index/scene.fixture.ts';
import { LiveIndex } from '../index/live-index.ts';
import type { CallPhase, CallReport, ReportMessage, ReportRow } from '../report/report.ts';
import { rowKey } from './answers.ts';
import { Retranslator } from './retranslator.ts';
import type { Written } from './stamper.ts';

export interface LoopOptions {
  readonly merged: boolean;
  readonly gateways?: number;
  readonly callers?: number;
  readonly replicas?: number;
  /** Of a call. */
  readonly callMs?: DurationMs;
}

const watchMs: DurationMs = 5;
const translateMs: DurationMs = 20;
const reconnectMs: DurationMs = 2_000;

type Held = 'connectors' | 'others';

/** An index whose watches can be held back. Whoever holds back all of them writes nothing either. */
class Cache {
  readonly index: LiveIndex;
  readonly #clock: VirtualClock;
  #held: (() => void)[] | undefined;
  #holds: Held | 'all' = 'all';

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    this.index = new LiveIndex({ clock, classes: ['edge'] });
  }

  tell(change: (index: LiveIndex) => void, what: Held): void {
    this.#clock.timer(watchMs, () => {
      if (this.#held && (this.#holds === 'all' || what === this.#holds)) this.#held.push(() => change(this.index));
      else change(this.index);
    });
  }

  get isFrozen(): boolean {
    return this.#held !== undefined && this.#holds === 'all';
  }

  freeze(what: Held | 'all' = 'all'): void {
    this.#holds = what;
    this.#held ??= [];
  }

  thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const change of held) change();
  }
}

interface MadeCall {
  readonly caller: string;
  readonly call: number;
  readonly keys: readonly ObjectKey[];
}

interface Told {
  readonly caller: string;
  readonly group: string;
  readonly rows: Map<ObjectKey, ReportRow>;
  at: number;
  call: number;
  /** The last call, if it had no answer. */
  failed?: { readonly call: number; readonly phase: CallPhase; readonly at: number } | undefined;
}

/** A process: an extension server with its retranslator, one index for both. */
export class Server {
  replica = '';
  isUp = false;
  calls = 0;
  /** Of the digest. A later one takes effect at the next start. */
  version = intentVersion;
  readonly name: string;
  readonly #loop: Loop;
  #cache: Cache | undefined;
  #retranslator: Retranslator | undefined;
  #starts = 0;
  #runs = intentVersion;
  /** By caller and group. */
  readonly #told = new Map<string, Told>();

  constructor(loop: Loop, name: string) {
    this.#loop = loop;
    this.name = name;
    this.start();
  }

  get retranslator(): Retranslator | undefined {
    return this.#retranslator;
  }

  get cache(): Cache {
    if (!this.#cache) throw new Error('it does not run');
    return this.#cache;
  }

  start(): void {
    const { clock } = this.#loop;
    this.replica = `${this.name}.${++this.#starts}`;
    this.#runs = this.version;
    const cache = new Cache(clock);
    // A retranslator may stamp as soon as it is made, and what follows its list is heard.
    this.#cache = cache;
    this.#loop.fill(cache.index);
    const retranslator = new Retranslator({
      clock,
      log: createLog({ clock, write: () => undefined }),
      metrics: createMetrics(),
      index: cache.index,
      write: (key, value) => (cache.isFrozen ? Promise.resolve('failed') : this.#loop.stamp(key, value)),
      digestVersion: this.#runs,
    });
    this.#retranslator = retranslator;
    this.isUp = true;
    for (const server of this.#loop.servers)
      if (server.isUp) retranslator.programmed.replayed(server.replica, server.replay());
    for (const server of this.#loop.servers) server.#retranslator?.programmed.replayed(this.replica, this.replay());
    retranslator.programmed.replayed(this.replica, this.replay());
  }

  /** Ends the process; it is back a second later. */
  restart(): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.#told.clear();
    this.#retranslator?.[Symbol.dispose]();
    this.#retranslator = undefined;
    this.#cache = undefined;
    for (const server of this.#loop.servers) server.#retranslator?.programmed.streamEnded(this.replica);
    this.#loop.clock.timer(1_000, () => this.start());
  }

  hear(message: ReportMessage): void {
    this.#retranslator?.take(message);
  }

  tell(change: (index: LiveIndex) => void, what: Held = 'others'): void {
    this.#cache?.tell(change, what);
  }

  replay(): readonly ReportMessage[] {
    const now = this.#loop.clock.monotonic();
    const calls = [...this.#told.values()].flatMap(({ rows, at, failed, ...told }): ReportMessage[] => [
      { ...this.#call(told, 'answered', [...rows.values()]), ageMs: now - at },
      ...(failed ? [{ ...this.#call({ ...told, call: failed.call }, failed.phase, []), ageMs: now - failed.at }] : []),
    ]);
    const connected = this.#loop.callers
      .filter(({ server }) => server === this)
      .map(({ name }): ReportMessage => ({ at: 'caller', replica: this.replica, caller: name, connected: true }));
    return [...connected, ...calls, { at: 'synced', replica: this.replica, digestVersion: this.#runs }];
  }

  report({ caller, call, keys }: MadeCall, phase: CallPhase): void {
    const told = { caller, call, group: keys.join('\n') };
    this.#loop.say(this.#call(told, phase, this.#rows(told, phase, keys)));
  }

  #rows(
    { caller, call, group }: { caller: string; call: number; group: string },
    phase: CallPhase,
    keys: readonly ObjectKey[],
  ): ReportRow[] {
    const id = `${caller} ${group}`;
    const known = this.#told.get(id);
    if (phase === 'started' && known) return [];
    if (known && (phase === 'failed' || phase === 'aborted')) {
      known.failed = { call, phase, at: this.#loop.clock.monotonic() };
      return [];
    }
    const told = known ?? { caller, group, rows: new Map<ObjectKey, ReportRow>(), at: 0, call };
    this.#told.set(id, told);
    told.at = this.#loop.clock.monotonic();
    told.call = call;
    told.failed = undefined;
    const changed = keys
      .map((key) => this.#row(key, phase === 'answered' ? 'programmed' : 'aborted'))
      .filter((row) => JSON.stringify(told.rows.get(rowKey(row))) !== JSON.stringify(row));
    for (const row of changed) told.rows.set(rowKey(row), row);
    return changed;
  }

  #call(
    told: { caller: string; call: number; group: string },
    phase: CallPhase,
    rows: readonly ReportRow[],
  ): CallReport {
    const { revision: indexRevision } = this.cache.index;
    return {
      at: 'call',
      replica: this.replica,
      ...told,
      phase,
      indexRevision,
      ageMs: 0,
      digestVersion: this.#runs,
      rows,
    };
  }

  #row(key: ObjectKey, outcome: Outcome): ReportRow {
    const [namespace = '', name = ''] = key.split('/');
    const { index } = this.cache;
    return {
      namespace,
      name,
      stamp: index.gateway(key)?.stamp ?? '',
      intent: index.intent(key),
      outcome,
      reason: '',
    };
  }
}

export type Fate = 'answered' | 'failed' | 'aborted';

/** One Envoy Gateway process. Calls are one after the other. */
class EnvoyGateway {
  /** What was published last. */
  readonly programmed = new Map<ObjectKey, string>();
  readonly #queue = new Set<string>();
  readonly #loop: Loop;
  readonly name: string;
  server: Server;
  calls = 0;
  #working = false;

  constructor(loop: Loop, name: string, server: Server) {
    this.#loop = loop;
    this.name = name;
    this.server = server;
  }

  changed(key: ObjectKey): void {
    this.#loop.clock.timer(translateMs, () => {
      this.#queue.add(this.#loop.merged ? '*' : key);
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    const { clock } = this.#loop;
    for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
      while (!this.server.isUp) {
        await clock.sleep(reconnectMs);
        this.server = this.#loop.servers.find(({ isUp }) => isUp) ?? this.server;
      }
      this.#queue.delete(next);
      await this.#call(next === '*' ? this.#loop.keys : [next]);
    }
    this.#working = false;
  }

  async #call(keys: readonly ObjectKey[]): Promise<void> {
    const { server } = this;
    const { replica } = server;
    const call = ++server.calls;
    this.calls++;
    const made = { caller: this.name, call, keys };
    server.report(made, 'started');
    await this.#loop.clock.sleep(this.#loop.callMs);
    // Lost with its server: large calls are not said again.
    if (server.replica !== replica || !server.isUp) return;
    const fate = this.#loop.fates.shift() ?? 'answered';
    server.report(made, fate);
    if (fate !== 'answered') return;
    for (const key of keys) this.programmed.set(key, server.cache.index.intent(key));
  }
}

export class Loop {
  readonly clock = new VirtualClock();
  readonly merged: boolean;
  readonly callMs: DurationMs;
  readonly keys: readonly ObjectKey[];
  readonly servers: Server[] = [];
  readonly callers: EnvoyGateway[] = [];
  /** Of the calls to come. */
  readonly fates: Fate[] = [];
  /** No stamp is taken. */
  refuses = false;
  tries = 0;
  readonly stamps: { readonly key: ObjectKey; readonly value: string | null; readonly atMs: number }[] = [];
  readonly #stamps = new Map<ObjectKey, string>();
  readonly #online = new Map<ObjectKey, boolean>();
  readonly #unplugged = new Set<ObjectKey>();

  constructor({ merged, gateways = 2, callers = 2, replicas = 2, callMs = 50 }: LoopOptions) {
    this.merged = merged;
    this.callMs = callMs;
    this.keys = Array.from({ length: gateways }, (_, i): ObjectKey => `ns-${i % 3}/g${i}`);
    for (const key of this.keys) this.#online.set(key, true);
    for (let i = 0; i < replicas; i++) this.servers.push(new Server(this, `r${i}`));
    for (let i = 0; i < callers; i++)
      this.callers.push(new EnvoyGateway(this, `10.0.0.${i}`, this.servers[i % replicas] as Server));
    for (const { name, server } of this.callers)
      this.say({ at: 'caller', replica: server.replica, caller: name, connected: true });
  }

  /** Everything is translated once, and settles. */
  async begin(): Promise<void> {
    for (const caller of this.callers) for (const key of this.keys) caller.changed(key);
    await this.clock.advance(600_000);
    this.stamps.length = 0;
    this.tries = 0;
  }

  flip(key: ObjectKey): void {
    this.#online.set(key, !this.#online.get(key));
    for (const server of this.servers) server.tell((index) => this.#setConnector(index, key), 'connectors');
  }

  /** The last backend through a connector goes. */
  unplug(key: ObjectKey): void {
    this.#unplugged.add(key);
    for (const server of this.servers) server.tell((index) => this.#setProxy(index, key));
  }

  say(message: ReportMessage): void {
    this.clock.timer(1, () => {
      for (const server of this.servers) server.hear(message);
    });
  }

  stamp(key: ObjectKey, value: string | null): Promise<Written> {
    this.tries++;
    if (this.refuses) return Promise.resolve('failed');
    if ((this.#stamps.get(key) ?? null) === value) return Promise.resolve('written');
    this.stamps.push({ key, value, atMs: this.clock.monotonic() });
    if (value === null) this.#stamps.delete(key);
    else this.#stamps.set(key, value);
    for (const server of this.servers) server.tell((index) => index.setGateway(key, gateway(this.#stamps.get(key))));
    for (const caller of this.callers) caller.changed(key);
    return Promise.resolve('written');
  }

  /** Callers that run what is not wanted. */
  astray(): readonly string[] {
    const wanted = new LiveIndex({ clock: this.clock, classes: ['edge'] });
    this.fill(wanted);
    return this.callers.flatMap(({ name, programmed }) =>
      this.keys.flatMap((key) =>
        programmed.get(key) === wanted.intent(key) ? [] : [`${name} ${key} ${programmed.get(key)}`],
      ),
    );
  }

  /** As a first list does. */
  fill(index: LiveIndex): void {
    for (const key of this.keys) {
      index.setNamespace(key.slice(0, key.indexOf('/')), true);
      this.#setConnector(index, key);
      this.#setProxy(index, key);
      index.setGateway(key, gateway(this.#stamps.get(key)));
    }
    index.markSynced();
  }

  #setConnector(index: LiveIndex, key: ObjectKey): void {
    index.setConnector(connectorOf(key), connector({ ready: this.#online.get(key) ? 'True' : 'False' }));
  }

  #setProxy(index: LiveIndex, key: ObjectKey): void {
    const name = this.#unplugged.has(key) ? undefined : `c-${key.slice(key.indexOf('/') + 1)}`;
    index.setHTTPProxy(key, proxy([name]));
  }
}

const connectorOf = (key: ObjectKey): ObjectKey => key.replace('/', '/c-');
