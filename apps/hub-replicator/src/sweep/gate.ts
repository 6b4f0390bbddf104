/** What holds a sweep back: age, a cap, and dry run. One gate for all sweeps of a process. */
import {
  type Clock,
  type DurationMs,
  later,
  metricDefinitions,
  type MonotonicMs,
  replicationDefaults,
} from '@lifeline/core';
import type { Counter, Gauge, Metrics } from '@lifeline/k8s';

export interface SweepRules {
  /** Something must have been found gone, again and again, for this long. */
  readonly minAgeMs: DurationMs;
  /** The length of a sweep: {@link SweepRules.maxDeletions} counts within it, and what was held back is looked at again after it. */
  readonly everyMs: DurationMs;
  readonly maxDeletions: number;
  /** Count, and delete nothing. */
  readonly dryRun: boolean;
}

export const defaultSweepRules: SweepRules = {
  minAgeMs: replicationDefaults.sweepMinAgeMs,
  everyMs: replicationDefaults.sweepMinAgeMs,
  maxDeletions: replicationDefaults.sweepMaxDeletions,
  dryRun: false,
};

/** What became of an object that a sweep looked at: the label of `lifeline_sweep_total`. */
export type SweepResult =
  | 'deleted'
  /** Gone for less than the minimum age. */
  | 'young'
  /** The cap was reached. */
  | 'capped'
  | 'dry-run'
  /** It does not carry our installation, or something else does that stands beside it. */
  | 'foreign'
  /** What should know the truth is empty, or does not know enough. */
  | 'refused';

export type Permit = { readonly at: 'go' } | { readonly at: 'wait'; readonly afterMs: DurationMs };

/**
 * Guarantees: at most `maxDeletions` permits in any sweep; none for a subject that was not called gone for the whole minimum age, by this
 * process's monotonic clock; none in dry run. Each refusal is counted by its reason.
 */
export class SweepGate {
  readonly rules: SweepRules;
  readonly #clock: Clock;
  readonly #results: Counter;
  readonly #gauge: Gauge;
  readonly #goneSince = new Map<string, MonotonicMs>();
  /** Of each subject, how many copies it left. */
  readonly #orphans = new Map<string, number>();
  #began: MonotonicMs | undefined;
  #spent = 0;

  constructor({ clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics }, rules: SweepRules) {
    this.rules = rules;
    this.#clock = clock;
    this.#results = metrics.counter(metricDefinitions.sweeps);
    this.#gauge = metrics.gauge(metricDefinitions.orphans);
    this.#gauge.set(0);
  }

  /** How much of its age a subject still lacks; 0 when it is old enough. The first call starts the time. */
  youngFor(subject: string): DurationMs {
    const now = this.#clock.monotonic();
    const since = this.#goneSince.get(subject) ?? now;
    this.#goneSince.set(subject, since);
    return Math.max(0, later(since, this.rules.minAgeMs) - now);
  }

  /** It is there after all, or nothing of it is left. */
  forget(subject: string): void {
    this.#goneSince.delete(subject);
    this.found(subject, 0);
  }

  /** How many copies of a subject are left: shown, summed, in `lifeline_orphans`. */
  found(subject: string, orphans: number): void {
    if ((this.#orphans.get(subject) ?? 0) === orphans) return;
    if (orphans === 0) this.#orphans.delete(subject);
    else this.#orphans.set(subject, orphans);
    this.#gauge.set([...this.#orphans.values()].reduce((sum, count) => sum + count, 0));
  }

  /** One deletion, of a subject that has been called gone before. */
  permit(subject: string): Permit {
    const youngMs = this.youngFor(subject);
    if (youngMs > 0) return this.#wait('young', youngMs);
    if (this.rules.dryRun) return this.#wait('dry-run', this.rules.everyMs);
    const now = this.#clock.monotonic();
    if (this.#began === undefined || now >= later(this.#began, this.rules.everyMs)) {
      this.#began = now;
      this.#spent = 0;
    }
    if (this.#spent >= this.rules.maxDeletions)
      return this.#wait('capped', later(this.#began, this.rules.everyMs) - now);
    this.#spent++;
    return { at: 'go' };
  }

  count(result: SweepResult, times = 1): void {
    if (times > 0) this.#results.inc({ result }, times);
  }

  #wait(result: SweepResult, afterMs: DurationMs): Permit {
    this.count(result);
    return { at: 'wait', afterMs };
  }
}
