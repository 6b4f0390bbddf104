/** Whose turn it is to be stamped. */
import type { Clock, ObjectKey, StampCause } from '@lifeline/core';
import { GroupPace } from './group-pace.ts';
import { SinglePace } from './single-pace.ts';

export interface PacerOptions {
  readonly clock: Clock;
  readonly isCalling: () => boolean;
  readonly stamp: (keys: readonly ObjectKey[]) => void;
  /** The stamp of another Gateway of the group stands for theirs. */
  readonly settled: (keys: readonly ObjectKey[]) => void;
}

export interface Turn {
  /** What is answered in one call; undefined: it is translated for itself. */
  readonly group: string | undefined;
  readonly cause: StampCause;
  /** The stamp of another Gateway does not stand for its own. */
  readonly isOwn?: boolean | undefined;
}

export class Pacer implements Disposable {
  readonly #options: PacerOptions;
  readonly #single: SinglePace;
  readonly #groups = new Map<string, GroupPace>();

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#single = new SinglePace(options);
  }

  [Symbol.dispose](): void {
    this.#single[Symbol.dispose]();
    for (const group of this.#groups.values()) group[Symbol.dispose]();
  }

  add(key: ObjectKey, { group: name, cause, isOwn = false }: Turn): void {
    // It may have waited as what it no longer is.
    if (name !== undefined) this.#single.drop(key);
    for (const [other, group] of this.#groups) if (other !== name) group.drop(key);
    if (name === undefined) return this.#single.add(key);
    const group = this.#groups.get(name) ?? new GroupPace(this.#options, cause === 'not-converged');
    this.#groups.set(name, group);
    group.add(key, { cause, isOwn });
  }

  drop(key: ObjectKey): void {
    this.#single.drop(key);
    for (const group of this.#groups.values()) group.drop(key);
  }
}
