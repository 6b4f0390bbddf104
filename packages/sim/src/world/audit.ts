/** The audit tap: every revision of every plane, with the request that made it. */
import type { MonotonicMs } from '@lifeline/core';
import type { Plane } from './plane.ts';
import type { Sent, Write } from './record.ts';

/** Told of each write at the moment it is made; may read planes, must not write and must not throw. */
export type Judge = (write: Write) => void;

/**
 * Guarantee: a write is put down to the request during whose handling it was made, and to no other. API servers in process say when they
 * take a request (`admit`) and carry it out in the same turn.
 */
export class Audit {
  /** All of them, in order. */
  readonly writes: Write[] = [];
  readonly #judges: Judge[] = [];
  readonly #now: () => MonotonicMs;
  #taken: Sent | undefined;

  constructor(now: () => MonotonicMs) {
    this.#now = now;
  }

  /** Follows a plane. */
  tap(plane: Plane): Disposable {
    return plane.api.tap((revision) => {
      const write: Write = { at: this.#now(), plane: plane.name, revision, by: this.#taken };
      this.writes.push(write);
      this.#taken?.writes.push(write);
      for (const judge of this.#judges) judge(write);
    });
  }

  judge(judge: Judge): void {
    this.#judges.push(judge);
  }

  /** The server takes this request now. */
  take(sent: Sent): void {
    this.#taken = sent;
    sent.taken = true;
    queueMicrotask(() => {
      if (this.#taken === sent) this.#taken = undefined;
    });
  }
}
