/** Which keys point at a target, kept as what they point at changes. */

const none: ReadonlySet<string> = new Set();

/** Invariant: `of(target)` holds exactly the keys whose last `set` named it. A target that nobody points at takes no room. */
export class ReverseMap {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #keys = new Map<string, Set<string>>();

  of(target: string): ReadonlySet<string> {
    return this.#keys.get(target) ?? none;
  }

  /** The targets that anybody points at. */
  keys(): Iterable<string> {
    return this.#keys.keys();
  }

  set(key: string, targets: readonly string[]): void {
    for (const target of this.#targets.get(key) ?? []) {
      const keys = this.#keys.get(target);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(target);
    }
    if (targets.length > 0) this.#targets.set(key, targets);
    else this.#targets.delete(key);
    for (const target of targets) {
      const keys = this.#keys.get(target);
      if (keys) keys.add(key);
      else this.#keys.set(target, new Set([key]));
    }
  }
}
