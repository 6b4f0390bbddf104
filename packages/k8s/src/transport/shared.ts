/**
 * Values that several lives share by key: the first to ask creates one, it ends when the last life that asked has ended.
 */
export class Shared<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly life: AbortController; users: number }>();

  /** @param signal the life of the one who asks; not aborted yet */
  get(key: string, signal: AbortSignal, create: (life: AbortSignal) => T): T {
    let entry = this.#entries.get(key);
    if (!entry) {
      const life = new AbortController();
      entry = { value: create(life.signal), life, users: 0 };
      this.#entries.set(key, entry);
    }
    const mine = entry;
    mine.users++;
    const leave = (): void => {
      if (--mine.users > 0) return;
      this.#entries.delete(key);
      mine.life.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return mine.value;
  }
}
