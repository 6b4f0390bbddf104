/** When Gateways are stamped that are translated each for itself: every one is a call, and all calls of an Envoy Gateway stand in one line. */
import { type Clock, type MonotonicMs, type ObjectKey, stampDefaults } from '@lifeline/core';

export interface SinglePaceOptions {
  readonly clock: Clock;
  readonly stamp: (keys: readonly ObjectKey[]) => void;
}

/** Between two stamps of one Gateway. */
const oneEveryMs = 1_000;

/** A bucket of stamps, taken by one namespace after the other, so that no tenant's changes wait behind all those of another. */
export class SinglePace implements Disposable {
  readonly #options: SinglePaceOptions;
  /** By namespace, in turn: the next one stands first. */
  readonly #pending = new Map<string, Set<ObjectKey>>();
  readonly #stamped = new Map<ObjectKey, MonotonicMs>();
  #tokens: number = stampDefaults.unmergedBurst;
  #filledAt: MonotonicMs;
  #timer: Disposable | undefined;

  constructor(options: SinglePaceOptions) {
    this.#options = options;
    this.#filledAt = options.clock.monotonic();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  add(key: ObjectKey): void {
    const namespace = namespaceOf(key);
    const keys = this.#pending.get(namespace) ?? new Set();
    this.#pending.set(namespace, keys.add(key));
    this.#run();
  }

  drop(key: ObjectKey): void {
    const keys = this.#pending.get(namespaceOf(key));
    keys?.delete(key);
    if (keys?.size === 0) this.#pending.delete(namespaceOf(key));
  }

  #run(): void {
    const now = this.#options.clock.monotonic();
    this.#fill(now);
    // With none to give, the timer is for the next one.
    if (this.#timer && this.#tokens < 1) return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const keys: ObjectKey[] = [];
    for (let key = this.#next(now); key !== undefined && this.#tokens >= 1; key = this.#next(now)) {
      this.#tokens--;
      this.drop(key);
      this.#stamped.set(key, now);
      this.#turn(namespaceOf(key));
      keys.push(key);
    }
    if (this.#pending.size > 0) {
      this.#timer = this.#options.clock.timer(this.#waitMs(now), () => {
        this.#timer = undefined;
        this.#run();
      });
    }
    if (keys.length > 0) this.#options.stamp(keys);
  }

  #fill(now: MonotonicMs): void {
    const { unmergedBurst, unmergedPerSecond } = stampDefaults;
    this.#tokens = Math.min(unmergedBurst, this.#tokens + ((now - this.#filledAt) / 1_000) * unmergedPerSecond);
    this.#filledAt = now;
    for (const [key, at] of this.#stamped) {
      if (now - at < oneEveryMs) break;
      this.#stamped.delete(key);
    }
  }

  /** The first that may be stamped, of the namespace whose turn it is. */
  #next(now: MonotonicMs): ObjectKey | undefined {
    for (const keys of this.#pending.values()) for (const key of keys) if (this.#restMs(key, now) <= 0) return key;
    return undefined;
  }

  #turn(namespace: string): void {
    const keys = this.#pending.get(namespace);
    if (!keys) return;
    this.#pending.delete(namespace);
    this.#pending.set(namespace, keys);
  }

  #restMs(key: ObjectKey, now: MonotonicMs): number {
    const at = this.#stamped.get(key);
    return at === undefined ? 0 : oneEveryMs - (now - at);
  }

  /** Until there is a stamp to give, and one that may have it. */
  #waitMs(now: MonotonicMs): number {
    const token = Math.max(0, 1 - this.#tokens) * (1_000 / stampDefaults.unmergedPerSecond);
    const rests = [...this.#pending.values()].flatMap((keys) => [...keys].map((key) => this.#restMs(key, now)));
    return Math.max(1, token, Math.min(...rests));
  }
}

const namespaceOf = (key: ObjectKey): string => key.slice(0, key.indexOf('/'));
