/** What the hub makes of what we apply. */
import { canonicalJson, type JsonObject, type MonotonicMs, sha256Hex } from '@lifeline/core';

export interface Answer {
  /** Of the copy. */
  readonly uid: string;
  readonly wanted: JsonObject;
  /** What stands in the copy. */
  readonly answered: JsonObject;
  readonly until?: number | undefined;
}

/**
 * Remembers copies that do not come back as they were applied, because the hub adds defaults or writes values its own way. As long as such a
 * copy stands as it was answered, it is right; anything else in it is somebody's doing.
 */
export class Answers {
  readonly #known = new Map<string, { readonly answer: string; readonly until: number }>();
  readonly #limit: number;

  /** @param limit copies remembered; the oldest is forgotten first, and costs one live read */
  constructor(limit = 100_000) {
    this.#limit = limit;
  }

  /** @param until after which it is not believed any more. Default: ever */
  remember({ uid, wanted, answered, until = Infinity }: Answer): void {
    this.#known.delete(uid);
    this.#known.set(uid, { answer: digest(wanted, answered), until });
    if (this.#known.size > this.#limit) this.#known.delete(this.#known.keys().next().value as string);
  }

  isKnown({ uid, wanted, answered: present }: Answer, now: MonotonicMs): boolean {
    const known = this.#known.get(uid);
    return known !== undefined && now < known.until && known.answer === digest(wanted, present);
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }
}

const digest = (wanted: JsonObject, present: JsonObject): string => sha256Hex(canonicalJson([wanted, present]), 32);
