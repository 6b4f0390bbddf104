/** What the hub makes of what we apply. */
import { canonicalJson, type JsonObject, sha256Hex } from '@lifeline/core';

/**
 * Remembers copies that do not come back as they were applied, because the hub adds defaults or writes values its own way. As long as such a
 * copy stands as it was answered, it is right; anything else in it is somebody's doing.
 */
export class Answers {
  readonly #known = new Map<string, string>();
  readonly #limit: number;

  /** @param limit copies remembered; the oldest is forgotten first, and costs one live read */
  constructor(limit = 100_000) {
    this.#limit = limit;
  }

  /** @param uid the copy's */
  remember(uid: string, wanted: JsonObject, answered: JsonObject): void {
    this.#known.delete(uid);
    this.#known.set(uid, digest(wanted, answered));
    if (this.#known.size > this.#limit) this.#known.delete(this.#known.keys().next().value as string);
  }

  isKnown(uid: string, wanted: JsonObject, present: JsonObject): boolean {
    const known = this.#known.get(uid);
    return known !== undefined && known === digest(wanted, present);
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }
}

const digest = (wanted: JsonObject, present: JsonObject): string => sha256Hex(canonicalJson([wanted, present]), 32);
