/** The steps that a change takes from controller to controller: how long each takes, and faults of theirs. */
import type { Clock, DurationMs, Random } from '@lifeline/core';
import { drawn, type Span } from '../settings.ts';

export const hopNames = [
  'policy',
  'detector',
  'scheduler',
  'binding',
  'execution',
  'work-status',
  'binding-status',
  'template-status',
  'namespace',
  'cluster',
] as const;

/** A step, by the controller that takes it. `template-status` is the second half of `binding-status`. */
export type HopName = (typeof hopNames)[number];

/**
 * How long a step takes: `leastMs`, and what comes on top has this median and is log-normal: most times about the median, rarely several
 * times that.
 */
export interface Delay {
  readonly leastMs: DurationMs;
  readonly medianMs: DurationMs;
  /** Of the logarithm. 0: always the median. */
  readonly sigma: number;
}

/** Drawn such that an annotation's way down and a status's way up take as long as was seen. */
const seen: Readonly<Record<HopName, Delay>> = {
  policy: { leastMs: 3, medianMs: 4, sigma: 0.6 },
  detector: { leastMs: 7, medianMs: 4, sigma: 0.9 },
  scheduler: { leastMs: 12, medianMs: 12, sigma: 0.6 },
  binding: { leastMs: 10, medianMs: 5, sigma: 0.9 },
  execution: { leastMs: 10, medianMs: 6, sigma: 0.9 },
  'work-status': { leastMs: 4, medianMs: 3, sigma: 0.8 },
  'binding-status': { leastMs: 5, medianMs: 3, sigma: 0.8 },
  'template-status': { leastMs: 6, medianMs: 3, sigma: 0.8 },
  namespace: { leastMs: 3, medianMs: 4, sigma: 0.6 },
  cluster: { leastMs: 3, medianMs: 4, sigma: 0.6 },
};

/** `seen`: as a real Karmada on a small machine. `none`: every step at once, for runs that only care about order. */
export type Delays = 'seen' | 'none' | Readonly<Partial<Record<HopName, Delay>>>;

/** What a test may do to the steps. Effective at once, for what is not under way yet. */
export interface HopControl {
  /** Nothing passes until it is resumed; what comes is kept. */
  pause(hop: HopName): void;
  resume(hop: HopName): void;
  /** Each passage takes this much longer, drawn for each: objects overtake one another. Undefined: no longer. */
  slow(hop: HopName, by: Span | undefined): void;
}

/** One step. */
export class Hop {
  readonly #random: Random;
  readonly #delay: Delay | undefined;
  readonly #held = new Map<string, () => void>();
  #paused = false;
  #slower: Span | undefined;

  constructor(random: Random, delay: Delay | undefined) {
    this.#random = random;
    this.#delay = delay;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const pass of held) pass();
  }

  slow(by: Span | undefined): void {
    this.#slower = by;
  }

  /** Keeps something until the hop is resumed; of one key the last. */
  hold(key: string, pass: () => void): void {
    this.#held.set(key, pass);
  }

  forget(): void {
    this.#held.clear();
  }

  /** How long this passage takes. */
  drawMs(): DurationMs {
    const own = this.#delay
      ? this.#delay.leastMs + this.#delay.medianMs * Math.exp(this.#delay.sigma * this.#normal())
      : 0;
    return this.#slower ? own + drawn(this.#slower, this.#random) : own;
  }

  /** A wait as long as a passage, for a step within a reconcile. */
  async pass(key: string, clock: Clock, signal: AbortSignal): Promise<void> {
    const ms = this.drawMs();
    if (ms > 0) await clock.sleep(ms, signal);
    while (this.#paused) await this.#resumed(key, signal);
  }

  #resumed(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      this.hold(key, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }

  /** Standard normal. */
  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random.next()));
    return radius * Math.cos(2 * Math.PI * this.#random.next());
  }
}

/** All steps of one Karmada. They outlive its restarts. */
export class Hops implements HopControl {
  readonly #hops: ReadonlyMap<HopName, Hop>;

  constructor(random: Random, delays: Delays) {
    const delayOf = (name: HopName): Delay | undefined => {
      if (delays === 'none') return undefined;
      return delays === 'seen' ? seen[name] : delays[name];
    };
    this.#hops = new Map(hopNames.map((name) => [name, new Hop(random, delayOf(name))]));
  }

  get(name: HopName): Hop {
    return this.#hops.get(name) as Hop;
  }

  pause(name: HopName): void {
    this.get(name).pause();
  }

  resume(name: HopName): void {
    this.get(name).resume();
  }

  slow(name: HopName, by: Span | undefined): void {
    this.get(name).slow(by);
  }
}
