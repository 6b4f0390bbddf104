/** One shard as this replica deals with it: taken, renewed, given back in order, or lost. */
import {
  abortable,
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  type Lease,
  later,
  type MonotonicMs,
  monotonicMs,
  type Random,
} from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { Fence } from '../controller/fence.ts';
import type { LeaseClaim } from '../manager/lease-claim.ts';
import { notHeld, Tenure } from './tenure.ts';

/**
 * - `held`: work may begin.
 * - `closing`: it is given back: nothing new begins, what runs may end by itself.
 * - `gone`: what still runs is to be stopped.
 */
export type ShardChange = 'held' | 'closing' | 'gone';

type State =
  /** `freeSince`: the record could be taken since then. `notBefore`: it is left to others until then. */
  | { readonly at: 'elsewhere'; freeSince: MonotonicMs | undefined; readonly notBefore: MonotonicMs }
  | { readonly at: 'held'; readonly tenure: Tenure; readonly since: MonotonicMs }
  /** Still ours and renewed, though nothing may begin any more. */
  | { readonly at: 'closing'; readonly tenure: Tenure }
  /** What ran is waited for. */
  | { readonly at: 'ending'; readonly tenure: Tenure };

/** What is to become of a shard, by who else is there. */
export interface Wish {
  /** How many live members come before this one. */
  readonly rank: number;
  /** Whether the first of them is another one, and there to stay. */
  readonly moves: boolean;
  readonly mayTake: boolean;
  /** All records there are have been seen: one that was not is absent. */
  readonly knowsAll: boolean;
}

export interface ShardOptions {
  readonly index: number;
  readonly claim: LeaseClaim;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly durationMs: DurationMs;
  readonly renewMs: DurationMs;
  /** Asked about the record as the server has it, right before it is taken. */
  readonly isTakeable: (found: Lease | undefined) => boolean;
  readonly changed: (shard: number, change: ShardChange) => void;
}

const callTimeoutMs: DurationMs = 5_000;
/** Each member that comes before this one gets so long to take what is free. */
const precedenceMs: DurationMs = 1_000;
/** A replica may be far down the list, and all before it busy: it waits no longer than this. */
const longestPrecedenceMs: DurationMs = 3_000;
const slowestRetryMs: DurationMs = 10_000;
/** What runs when a shard is given back may take this long to end by itself, and as long again to stop. */
const graceMs: DurationMs = 10_000;
/** How much longer than a lease duration a shard that was left to run out is left to others. */
const politenessMs: DurationMs = 5_000;
/** What is offered in vain is offered again after this time at the latest. */
const longestHoldMs: DurationMs = 600_000;

export class Shard {
  readonly index: number;
  readonly #options: ShardOptions;
  #state: State = { at: 'elsewhere', freeSince: undefined, notBefore: monotonicMs(0) };
  #nextAt: MonotonicMs = monotonicMs(0);
  #failures = 0;
  /** How often in a row it was given back, and came back because nobody had taken it. */
  #spurned = 0;
  #gaveBack = false;
  #attempt: Promise<void> | undefined;
  #end: Promise<void> | undefined;

  constructor(options: ShardOptions) {
    this.index = options.index;
    this.#options = options;
  }

  get at(): State['at'] {
    return this.#state.at;
  }

  /** Of work that begins now: bound to this stretch of holding. */
  get fence(): Fence {
    return this.#state.at === 'held' ? this.#state.tenure : notHeld;
  }

  /** What the watch told of the record. Whoever holds it knows better, and has a look when it is not as it was left. */
  saw(lease: Lease | undefined): void {
    const { claim, clock } = this.#options;
    if (claim.isOthers(lease)) this.#gaveBack = false;
    if (this.#state.at === 'elsewhere') claim.observe(lease);
    else if (!lease || lease.spec?.holderIdentity !== claim.holder) this.#nextAt = clock.monotonic();
  }

  /** Does what is due; to be called often. */
  tick({ rank, moves, mayTake, knowsAll }: Wish): void {
    const { claim, clock, durationMs } = this.#options;
    const now = clock.monotonic();
    switch (this.#state.at) {
      case 'elsewhere':
        if (knowsAll && claim.freeIn() === Infinity) claim.observe(undefined);
        if (claim.freeIn() > 0) this.#state.freeSince = undefined;
        else this.#state.freeSince ??= now;
        if (mayTake && this.#isTurn(rank, now)) this.#try();
        return;
      case 'held':
        if (claim.certainFor() === 0) return this.#lose(this.#state.tenure, 'not renewed in time');
        if (moves && now - this.#state.since >= this.#holdsOnMs(durationMs)) return this.#giveBack(this.#state.tenure);
        if (now >= this.#nextAt) this.#try();
        return;
      case 'closing':
        if (now >= this.#nextAt) this.#try();
        return;
      case 'ending':
        return;
    }
  }

  /** Gives back what is held, in order. Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    await this.#attempt;
    if (this.#state.at === 'held') this.#giveBack(this.#state.tenure);
    await this.#end;
  }

  /** Who did not take it, though it is alive, may not be able to: each further offer would stop what runs for nothing. */
  #holdsOnMs(durationMs: DurationMs): DurationMs {
    return Math.min(longestHoldMs, durationMs * 4 ** Math.min(10, this.#spurned));
  }

  #isTurn(rank: number, now: MonotonicMs): boolean {
    if (this.#state.at !== 'elsewhere') return false;
    const { freeSince, notBefore } = this.#state;
    if (freeSince === undefined || now < notBefore || now < this.#nextAt) return false;
    return now - freeSince >= Math.min(longestPrecedenceMs, rank * precedenceMs);
  }

  /** One try to take or to renew; one at a time. */
  #try(): void {
    this.#attempt ??= this.#once().finally(() => (this.#attempt = undefined));
  }

  async #once(): Promise<void> {
    const { claim, clock, isTakeable, log, random, renewMs } = this.#options;
    const holds = this.#state.at !== 'elsewhere';
    using deadline = deadlineAbort(clock, holds ? Math.min(callTimeoutMs, claim.certainFor()) : callTimeoutMs);
    let ours: boolean;
    try {
      const blind = holds && this.#failures === 0;
      const mayTake = holds ? undefined : isTakeable;
      ours = await abortable(claim.attempt(deadline.signal, { blind, mayTake }), deadline.signal);
    } catch (error) {
      this.#failures++;
      const retryMs = holds ? renewMs / 2 : Math.min(slowestRetryMs, (renewMs / 4) * 2 ** Math.min(10, this.#failures));
      this.#nextAt = later(clock.monotonic(), retryMs * (1 + 0.2 * random.next()));
      const fields = { shard: this.index, error: describeError(error), failures: this.#failures };
      return log.warn(fields, holds ? 'shard lease not renewed' : 'shard lease not taken');
    }
    this.#failures = 0;
    // Not all in step.
    this.#nextAt = later(clock.monotonic(), renewMs * (0.9 + 0.2 * random.next()));
    const state = this.#state;
    if (state.at === 'elsewhere') {
      if (ours && claim.certainFor() > 0) this.#begin();
      else if (ours) this.#nextAt = clock.monotonic();
    } else if (state.at === 'held' && !ours) this.#lose(state.tenure, `${claim.holder || 'nobody'} holds it`);
  }

  #begin(): void {
    const { claim, clock, log, random, renewMs } = this.#options;
    const since = clock.monotonic();
    this.#nextAt = later(since, renewMs * (0.2 + 0.8 * random.next()));
    this.#spurned = this.#gaveBack ? this.#spurned + 1 : 0;
    this.#gaveBack = false;
    this.#state = { at: 'held', tenure: new Tenure(claim), since };
    log.info({ shard: this.index }, 'shard taken');
    this.#options.changed(this.index, 'held');
  }

  #lose(tenure: Tenure, why: string): void {
    const { claim, log } = this.#options;
    log.warn({ shard: this.index }, `shard lost: ${why}`);
    claim.forfeit();
    this.#leave(tenure);
    this.#end = this.#afterLoss(tenure);
  }

  /** What does not stop cannot write any more: it is not waited for for ever. */
  async #afterLoss(tenure: Tenure): Promise<void> {
    const { clock, log } = this.#options;
    if (!(await tenure.idleWithin(clock, graceMs)))
      log.error({ shard: this.index }, 'work of a lost shard does not stop; it can write nothing');
    this.#rest();
  }

  #giveBack(tenure: Tenure): void {
    tenure.close();
    this.#state = { at: 'closing', tenure };
    this.#options.changed(this.index, 'closing');
    this.#end = this.#close(tenure);
  }

  async #close(tenure: Tenure): Promise<void> {
    const { claim, clock, durationMs, log } = this.#options;
    const quiet = await tenure.idleWithin(clock, graceMs);
    this.#leave(tenure);
    if (!quiet) await tenure.idleWithin(clock, graceMs);
    await this.#attempt;
    using deadline = deadlineAbort(clock, callTimeoutMs);
    try {
      if (quiet && (await abortable(claim.release(deadline.signal), deadline.signal))) {
        this.#gaveBack = true;
        log.info({ shard: this.index }, 'shard given back');
        return this.#rest();
      }
      log.info({ shard: this.index }, 'shard left, its lease will run out');
    } catch (error) {
      log.info({ shard: this.index, error: describeError(error) }, 'shard left, its lease will run out');
    }
    // A write that was cut off may still arrive: nobody is let in before the record has run out by itself.
    claim.forfeit();
    this.#rest(later(clock.monotonic(), durationMs + politenessMs));
  }

  /** Stops what runs. */
  #leave(tenure: Tenure): void {
    tenure.close();
    this.#state = { at: 'ending', tenure };
    this.#options.changed(this.index, 'gone');
  }

  #rest(notBefore: MonotonicMs = monotonicMs(0)): void {
    this.#state = { at: 'elsewhere', freeSince: undefined, notBefore };
  }
}
