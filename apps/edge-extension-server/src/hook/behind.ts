/** Calls that are ahead of our cache: they name an intent that we never wanted. */
import { type Clock, type DurationMs, type ObjectKey, parseStamp } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import type { SeenGateway } from '../edit/editor.ts';
import { WaitBudget } from './wait-budget.ts';

/** One that we once wanted means that we are ahead. A text that is no stamp means nothing. */
export function isBehind(index: EdgeIndex, { key, stamp }: Pick<SeenGateway, 'key' | 'stamp'>): boolean {
  const intent = parseStamp(stamp)?.intent;
  return intent !== undefined && intent !== index.intent(key) && !index.intents(key).includes(intent);
}

interface Waiting {
  readonly keys: Map<ObjectKey, SeenGateway>;
  readonly caughtUp: () => void;
}

/** So many stamps of a Gateway are remembered as waited for. More of them at one time are no work of ours. */
const rememberedStamps = 64;

export interface BehindOptions {
  readonly index: EdgeIndex;
  readonly clock: Clock;
}

/** Lets calls that are ahead wait for the cache: once per Gateway and stamp, within the {@link WaitBudget}. */
export class Behind implements Disposable {
  readonly #options: BehindOptions;
  readonly #budget = new WaitBudget();
  readonly #waiting = new Set<Waiting>();
  /** Stamps that were waited for, oldest first. */
  readonly #waitedFor = new Map<ObjectKey, Set<string>>();
  readonly #subscription: Disposable;
  /** The last ones of whom none was ahead, and of which {@link EdgeIndex.revision} that is true. */
  #level: { readonly gateways: readonly SeenGateway[]; readonly revision: number } | undefined;

  constructor(options: BehindOptions) {
    this.#options = options;
    this.#subscription = options.index.subscribe({
      proxy: (key) => this.#changed(key),
      gateway: (key, state) => {
        if (!state) this.#waitedFor.delete(key);
      },
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  /** How long it waited: until the cache has caught up, the time is over, or the signal aborts. Never rejects. */
  async wait(gateways: readonly SeenGateway[], signal: AbortSignal): Promise<DurationMs> {
    const { index, clock } = this.#options;
    const { revision } = index;
    if (this.#level?.gateways === gateways && this.#level.revision === revision) return 0;
    const ahead = gateways.filter((gateway) => isBehind(index, gateway) && this.#isNew(gateway));
    if (ahead.length === 0) {
      this.#level = { gateways, revision };
      return 0;
    }
    const from = clock.monotonic();
    const grant = this.#budget.grant(from);
    if (!grant) return 0;
    await this.#caughtUp(ahead, grant.ms, signal);
    const now = clock.monotonic();
    grant.over(now);
    return now - from;
  }

  /** Remembers it. */
  #isNew({ key, stamp = '' }: SeenGateway): boolean {
    const stamps = this.#waitedFor.get(key) ?? new Set();
    if (stamps.has(stamp)) return false;
    this.#waitedFor.set(key, stamps.add(stamp));
    const [oldest] = stamps;
    if (stamps.size > rememberedStamps && oldest !== undefined) stamps.delete(oldest);
    return true;
  }

  #caughtUp(ahead: readonly SeenGateway[], ms: DurationMs, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer[Symbol.dispose]();
        signal.removeEventListener('abort', done);
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting: Waiting = { keys: new Map(ahead.map((gateway) => [gateway.key, gateway])), caughtUp: done };
      const timer = this.#options.clock.timer(ms, done);
      this.#waiting.add(waiting);
      if (signal.aborted) done();
      else signal.addEventListener('abort', done, { once: true });
    });
  }

  #changed(key: ObjectKey): void {
    for (const waiting of [...this.#waiting]) {
      const gateway = waiting.keys.get(key);
      if (!gateway || isBehind(this.#options.index, gateway)) continue;
      waiting.keys.delete(key);
      if (waiting.keys.size === 0) waiting.caughtUp();
    }
  }
}
