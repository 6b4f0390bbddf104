/**
 * Makes Envoy Gateway translate again until what is programmed is what is wanted. A stamp is a nudge: it is written when our own inputs
 * change what is wanted, and when a Gateway does not converge; there is no other cause.
 */
import {
  type Clock,
  type DurationMs,
  intentVersion,
  metricDefinitions,
  type MonotonicMs,
  nextStamp,
  noIntent,
  type ObjectKey,
  parseStamp,
  stampDefaults,
  type StampCause,
} from '@lifeline/core';
import type { Log, Metrics } from '@lifeline/k8s';
import type { EdgeIndex, GatewayChange, GatewayState } from '../index/edge-index.ts';
import type { ReportMessage } from '../report/report.ts';
import { Pacer } from './pacer.ts';
import { type Patience, Waiting } from './patience.ts';
import { Programmed, type ProgrammedChange, type Verdict } from './programmed.ts';
import type { WriteStamp } from './stamper.ts';

export interface RetranslatorOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly index: EdgeIndex;
  readonly write: WriteStamp;
  /** Of the digest. Default: ours. */
  readonly digestVersion?: number | undefined;
}

/** A Gateway that is not converged, or has just been asked to be. */
interface Open {
  waiting: Waiting;
  /** When the wanted intent changed, if it did. */
  readonly flippedAt: MonotonicMs | undefined;
  stamps: number;
  /** No report named it when it was looked at last. */
  isUnnamed: boolean;
  isUnserved: boolean;
  /** Looks again. */
  timer?: Disposable | undefined;
  /** After a write nothing but a change is a reason to write, until then: the cache has to hear of it. */
  heldUntil: MonotonicMs;
  /** Why it was to be stamped when the write failed: that still holds. */
  owed?: StampCause | undefined;
  /** What was written last. */
  written?: string | null | undefined;
  /** Writes that failed, or wrote what was written already and the cache does not show, one after the other. */
  vain: number;
}

export class Retranslator implements Disposable {
  readonly programmed: Programmed;
  readonly #options: RetranslatorOptions;
  readonly #open = new Map<ObjectKey, Open>();
  /** Those of them that do not wait for their turn: a call that ends may be what they wait for. */
  readonly #resting = new Set<ObjectKey>();
  /** Those whose stamp is older than the last change of what is wanted: it may say the wanted intent and asks nobody for it. */
  readonly #stale = new Set<ObjectKey>();
  /** Why each Gateway that waits for its turn is to be stamped. */
  readonly #causes = new Map<ObjectKey, StampCause>();
  readonly #pacer: Pacer;
  readonly #resources = new DisposableStack();
  readonly #stamps;
  readonly #attempts;
  readonly #flipSeconds;
  #stoodDown = false;

  constructor(options: RetranslatorOptions) {
    this.#options = options;
    const { clock, metrics, index } = options;
    this.#stamps = metrics.counter(metricDefinitions.stamps);
    this.#attempts = metrics.histogram(metricDefinitions.stampAttempts);
    this.#flipSeconds = metrics.histogram(metricDefinitions.flipToProgrammed);
    this.#resources.use(
      metrics.collect(metricDefinitions.unconvergedGateways, () => [{ labels: {}, value: this.unconverged }]),
    );
    this.#resources.use(
      metrics.collect(metricDefinitions.unservedGateways, () => [{ labels: {}, value: this.unserved }]),
    );
    const { digestVersion = intentVersion } = options;
    this.programmed = this.#resources.use(
      new Programmed({ clock, digestVersion, changed: (change) => this.#reported(change) }),
    );
    this.#pacer = this.#resources.use(
      new Pacer({
        clock,
        isCalling: () => this.programmed.isCalling,
        stamp: (keys) => keys.forEach((key) => void this.#stamp(key)),
        settled: (keys) => keys.forEach((key) => this.#settled(key)),
      }),
    );
    this.#resources.use(
      index.subscribe({
        gateway: (key, state, change) => this.#changed(key, state, change),
        synced: () => this.#begin(),
      }),
    );
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#open.values()) timer?.[Symbol.dispose]();
    // A write may yet end.
    this.#open.clear();
    this.#resources[Symbol.dispose]();
  }

  /** Gateways whose program is not the wanted one, the unserved aside. */
  get unconverged(): number {
    return this.#open.size - this.unserved;
  }

  /** Gateways that nobody is asked about. */
  get unserved(): number {
    return this.#open.values().reduce((sum, { isUnserved }) => sum + (isUnserved ? 1 : 0), 0);
  }

  take(message: ReportMessage): void {
    this.programmed.take(message);
  }

  #changed(key: ObjectKey, state: GatewayState | undefined, change: GatewayChange): void {
    if (!this.#options.index.synced) return;
    if (!state) {
      this.#stale.delete(key);
      return this.#close(key);
    }
    if (change === 'stamp') this.#stale.delete(key);
    if (change === 'intent') {
      this.#wants(state);
    } else if (change === 'stamp') {
      const open = this.#open.get(key);
      const now = this.#options.clock.monotonic();
      if (open) Object.assign(open, { waiting: new Waiting(now), heldUntil: now, isUnserved: false, owed: undefined });
    }
    this.#look(key);
  }

  /** What changed while nobody of us ran is a change like any other: the stamp says what was wanted before. */
  #begin(): void {
    for (const state of this.#options.index.gateways()) {
      const stamp = parseStamp(state.stamp);
      if (state.stampable && stamp && stamp.intent !== state.intent) this.#wants(state);
    }
    this.#lookAtAll();
  }

  /** The wanted intent is another one. */
  #wants(state: GatewayState): void {
    const now = this.#options.clock.monotonic();
    this.#openAt(state.key, now, now);
    // Another retranslator may have been first.
    const asked = this.#isAsked(state);
    this.#stale.add(state.key);
    if (!asked) this.#ask(state, 'intent-changed');
  }

  /** The stamp asks for the wanted intent, as nobody did before it was wanted. */
  #isAsked({ key, stamp, intent }: GatewayState): boolean {
    if (intent === noIntent) return stamp === undefined;
    return parseStamp(stamp)?.intent === intent && !this.#stale.has(key);
  }

  #reported({ keys, ended }: ProgrammedChange): void {
    if (!this.#options.index.synced) return;
    const stoodDown = this.#stoodDown;
    if (this.#standsDown() !== stoodDown) return this.#lookAtAll();
    if (stoodDown) return;
    for (const key of keys) this.#look(key);
    if (ended) for (const key of [...this.#resting]) this.#look(key);
  }

  #lookAtAll(): void {
    for (const { key } of this.#options.index.gateways()) this.#look(key);
  }

  /** Decides for one Gateway, from what is known now. */
  #look(key: ObjectKey): void {
    const { index, clock } = this.#options;
    const state = index.gateway(key);
    if (!state?.stampable || this.#standsDown()) return this.#close(key);
    const verdict = this.programmed.judge(key, state.intent);
    if (verdict.at === 'idle' && this.#causes.has(key)) return;
    const isFlipped = this.#open.get(key)?.flippedAt !== undefined;
    if (!isWork(state, verdict, isFlipped)) return this.#converged(key, verdict);
    const now = clock.monotonic();
    const open = this.#open.get(key) ?? this.#openAt(key, now);
    if (this.#causes.has(key)) return;
    this.#resting.add(key);
    // Whoever was asked about it at last is given time, however long nobody was.
    if (verdict.at === 'behind' && open.isUnnamed) open.waiting = new Waiting(now);
    open.isUnnamed = verdict.at === 'unnamed';
    const patience = open.owed ? over : this.#patience(open, state, verdict);
    open.timer?.[Symbol.dispose]();
    open.timer = undefined;
    open.isUnserved = patience.at === 'unserved' && verdict.at === 'unnamed';
    const heldMs = open.heldUntil - now;
    if (patience.at === 'unserved') return;
    const waitMs = Math.max(heldMs, patience.at === 'waiting' ? patience.ms : 0);
    // Nobody minds a stamp that only has to go.
    const needless = state.intent === noIntent && verdict.at !== 'behind';
    const cause = open.owed ?? (needless ? 'intent-changed' : 'not-converged');
    if (waitMs <= 0) this.#ask(state, cause);
    else if (waitMs < Infinity) open.timer = clock.timer(Math.max(leastWaitMs, waitMs), () => this.#look(key));
  }

  #patience(open: Open, state: GatewayState, verdict: Verdict): Patience {
    const look = { stamp: state.stamp, wanted: state.intent, now: this.#options.clock.monotonic() };
    if (state.intent === noIntent && verdict.at !== 'behind') return open.waiting.needless(look);
    if (verdict.at === 'behind') return open.waiting.behind(verdict.callers, look);
    if (isStampless(state)) return open.waiting.stampless(look.now);
    // Without a stream nothing is known of who is asked about what.
    return this.programmed.isSynced ? open.waiting.unnamed(look) : { at: 'waiting', ms: Infinity };
  }

  #ask(state: GatewayState, cause: StampCause): void {
    const { key, className } = state;
    this.#causes.set(key, cause);
    this.#resting.delete(key);
    this.#pacer.add(key, {
      group: this.programmed.isGrouped(key) ? className : undefined,
      cause,
      isOwn: isStampless(state) || (state.intent === noIntent && state.stamp !== undefined),
    });
  }

  async #stamp(key: ObjectKey): Promise<void> {
    const { index, clock, log, write } = this.#options;
    const cause = this.#causes.get(key);
    this.#causes.delete(key);
    const state = index.gateway(key);
    const open = this.#open.get(key);
    if (!cause || !open || !state?.stampable) return;
    const value =
      cause === 'intent-changed' && this.#isAsked(state)
        ? (state.stamp ?? null)
        : // A stamp that said so before is no news to Envoy Gateway.
          nextStamp(state.stamp, state.intent, this.#stale.has(key) ? 'not-converged' : cause);
    if (value !== (state.stamp ?? null)) {
      this.#hold(open, stampDefaults.maxGraceMs);
      const result = await write(key, value);
      const failed = result === 'failed';
      const isVain = failed || value === open.written;
      this.#hold(open, isVain ? vainMs(open.vain) : stampDefaults.graceMs);
      open.vain = isVain ? open.vain + 1 : 0;
      if (!failed) open.written = value;
      // A stamp that came meanwhile, whoever wrote it, is what there is to wait for now.
      open.owed = failed && index.gateway(key)?.stamp === state.stamp ? cause : undefined;
      if (result === 'written') {
        open.stamps++;
        this.#stamps.inc({ reason: cause });
        const at = key.indexOf('/');
        log.info({ namespace: key.slice(0, at), name: key.slice(at + 1), stamp: value, cause }, 'stamped');
      }
    }
    open.waiting = new Waiting(clock.monotonic());
    if (this.#open.get(key) === open) this.#look(key);
  }

  #hold(open: Open, ms: DurationMs): void {
    open.heldUntil = (this.#options.clock.monotonic() + ms) as MonotonicMs;
  }

  /** The stamp of another Gateway stands for its own. */
  #settled(key: ObjectKey): void {
    this.#causes.delete(key);
    const open = this.#open.get(key);
    if (open) open.waiting = new Waiting(this.#options.clock.monotonic());
    this.#look(key);
  }

  #openAt(key: ObjectKey, now: MonotonicMs, flippedAt?: MonotonicMs): Open {
    this.#open.get(key)?.timer?.[Symbol.dispose]();
    const open: Open = {
      waiting: new Waiting(now),
      flippedAt,
      stamps: 0,
      isUnnamed: false,
      isUnserved: false,
      heldUntil: now,
      vain: 0,
    };
    this.#open.set(key, open);
    return open;
  }

  #converged(key: ObjectKey, verdict: Verdict): void {
    const open = this.#open.get(key);
    if (open && verdict.at === 'converged') {
      if (open.stamps > 0) this.#attempts.observe(open.stamps);
      if (open.flippedAt !== undefined)
        this.#flipSeconds.observe((this.#options.clock.monotonic() - open.flippedAt) / 1000);
    }
    this.#close(key);
  }

  #close(key: ObjectKey): void {
    this.#open.get(key)?.timer?.[Symbol.dispose]();
    this.#open.delete(key);
    this.#resting.delete(key);
    this.#causes.delete(key);
    this.#pacer.drop(key);
  }

  #standsDown(): boolean {
    const { isOutdated } = this.programmed;
    if (isOutdated !== this.#stoodDown) {
      this.#stoodDown = isOutdated;
      if (isOutdated)
        this.#options.log.warn({}, 'an extension server computes intents in a newer way: no stamps from here');
      else this.#options.log.info({}, 'no extension server is newer any more: stamps again');
    }
    return isOutdated;
  }
}

const over: Patience = { at: 'over' };

/** What is left of a wait by rounding alone would pass in no time, again and again. */
const leastWaitMs: DurationMs = 1;

/** After a write that failed or changed nothing: 1 s × 2ⁿ, up to a minute. */
const vainMs = (before: number): DurationMs => Math.min(1_000 * 2 ** before, stampDefaults.maxGraceMs);

const isStampless = ({ intent, stamp }: GatewayState): boolean => intent !== noIntent && !parseStamp(stamp);

/** There is something to do, now or after a while. */
function isWork(state: GatewayState, { at }: Verdict, isFlipped: boolean): boolean {
  // What was programmed before a digest came is left alone; what changes since is pursued, for a while.
  if (at === 'unlike') return isFlipped || isStampless(state);
  if (state.intent === noIntent) return at === 'behind' || state.stamp !== undefined;
  return at === 'behind' || at === 'unnamed' || isStampless(state);
}
