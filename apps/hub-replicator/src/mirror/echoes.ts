/** What our own writes were answered with, until the watch tells of it. */
import { deepEqual, type DurationMs, type KubeObject, later, type MonotonicMs } from '@lifeline/core';
import type { Predicate, SoundEvent } from '@lifeline/k8s';

/** Copies whose echo is waited for; the oldest is forgotten first, and costs one look that finds nothing to do. */
const limit = 10_000;

/** Versions of ours that one copy may be behind; whoever writes more of them is looked at once too often. */
const mostEarlier = 100;

/** A cache that is silent for so long is listed anew: a server that never tells of an answer has lost it. */
const believedMs: DurationMs = 180_000;

/** The copy as the cache had it before and after a write. Once it has moved, the echo may have come already. */
export interface Held {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

interface Expected {
  readonly answer: KubeObject;
  /** Versions that our own writes before it made, which the watch has not told of either. */
  readonly earlier: readonly string[];
  readonly until: MonotonicMs;
}

/** What the watch tells of a copy while it is written. */
interface Heard {
  readonly versions: Set<string>;
  /** The version that the write made. */
  answered?: string | undefined;
}

/**
 * The copies as our own applies were answered, while the cache does not have them yet. A watch may also be quicker than the answer: what it
 * tells of a copy that is being written waits for that.
 *
 * Guarantees: until the watch has caught up, `newest` gives the answer, so that a change that comes meanwhile is judged by what the hub has,
 * not by what it had. Events of the very versions that we wrote are no news: the looks that wrote them have judged them. Whatever else
 * changes brings an event of its own.
 */
export class Echoes {
  /** By the uid of the copy. */
  readonly #expected = new Map<string, Expected>();
  readonly #heard = new Map<string, Heard>();

  /** Until it is disposed, a copy is written. `again`: something was told of it that the answer does not explain. */
  whileWriting(copy: KubeObject | undefined, again: () => void): Disposable {
    const { uid = '' } = copy?.metadata ?? {};
    const heard: Heard = { versions: new Set() };
    this.#heard.set(uid, heard);
    return {
      [Symbol.dispose]: () => {
        this.#heard.delete(uid);
        if ([...heard.versions].some((version) => version !== heard.answered)) again();
      },
    };
  }

  expect(answer: KubeObject, { before, after }: Held, now: MonotonicMs): void {
    const { uid = '', resourceVersion } = answer.metadata;
    const heard = this.#heard.get(uid);
    if (heard) heard.answered = resourceVersion;
    const known = this.#expected.get(uid);
    const versions = known ? [...known.earlier, known.answer.metadata.resourceVersion ?? ''] : [];
    const earlier = versions.filter((version) => version !== resourceVersion);
    this.#expected.delete(uid);
    const hasMoved = before?.metadata.resourceVersion !== after?.metadata.resourceVersion;
    if (!resourceVersion || hasMoved || after?.metadata.resourceVersion === resourceVersion) return;
    if (earlier.length > mostEarlier) return;
    this.#expected.set(uid, { answer, earlier, until: later(now, believedMs) });
    if (this.#expected.size > limit) this.#expected.delete(this.#expected.keys().next().value as string);
  }

  /** A copy of the cache, or what our last write made of it since. */
  newest(copy: KubeObject, now: MonotonicMs): KubeObject {
    const { uid = '' } = copy.metadata;
    const expected = this.#expected.get(uid);
    if (!expected) return copy;
    if (now < expected.until) return expected.answer;
    this.#expected.delete(uid);
    return copy;
  }

  /** Lets all events through but echoes; what a copy whose labels move has left is to be looked at too. */
  readonly isNews: Predicate<KubeObject> = (event) => {
    const isAnswered = this.#isAnswered(event);
    const isOurs = event.type === 'updated' && (isAnswered || this.#mayBeAnswered(event.object));
    return !isOurs || !deepEqual(event.old.metadata.labels, event.object.metadata.labels);
  };

  #isAnswered({ type, object }: SoundEvent<KubeObject>): boolean {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const expected = this.#expected.get(uid);
    if (!expected) return false;
    if (type === 'updated' && expected.earlier.includes(resourceVersion)) return true;
    // Not of us: the cache is believed again. Should it still be behind the answer, the answer's own event will be news.
    this.#expected.delete(uid);
    return expected.answer.metadata.resourceVersion === resourceVersion;
  }

  #mayBeAnswered({ metadata }: KubeObject): boolean {
    const { uid = '', resourceVersion = '' } = metadata;
    return this.#heard.get(uid)?.versions.add(resourceVersion) !== undefined;
  }

  /** Copies whose echo is waited for. */
  get size(): number {
    return this.#expected.size;
  }
}
