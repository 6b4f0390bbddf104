/** The intents that this process has wanted, by Gateway: they tell a stamp from the future from one of the past. */
import { hookDefaults, noIntent, type ObjectKey } from '@lifeline/core';

const untouched: readonly string[] = [noIntent];

export class IntentHistory {
  readonly #byKey = new Map<ObjectKey, readonly string[]>();

  /** Newest first, each once, 16 at most. What has never had an HTTPProxy has always wanted `none`. */
  of(key: ObjectKey): readonly string[] {
    return this.#byKey.get(key) ?? untouched;
  }

  /** The first that is known: what was wanted before a start is not. */
  begin(key: ObjectKey, intent: string): void {
    this.#byKey.set(key, [intent]);
  }

  note(key: ObjectKey, intent: string): void {
    const earlier = this.of(key).filter((other) => other !== intent);
    this.#byKey.set(key, [intent, ...earlier].slice(0, hookDefaults.intentHistory));
  }

  forget(key: ObjectKey): void {
    this.#byKey.delete(key);
  }
}
