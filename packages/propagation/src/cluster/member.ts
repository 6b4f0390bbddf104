/** A member as the controllers see it. */
import { type Kind, linkAbort, type LinkedAbort, type ObjectKey } from '@lifeline/core';
import type { ObjectEvent, SharedInformer } from '@lifeline/k8s';
import { type KindName, kindName, type Manifest } from '../manifest.ts';
import { type CacheParts, cacheOf } from '../runtime/caches.ts';
import type { Plane } from '../runtime/plane.ts';

/** What a cache knows of an object. `unknown`: it has not listed its kind yet. */
export type Seen =
  { readonly at: 'unknown' } | { readonly at: 'absent' } | { readonly at: 'present'; readonly object: Manifest };

export type MemberHandler = (event: ObjectEvent<Manifest>, member: Member) => void;

export interface MemberOptions {
  readonly name: string;
  readonly plane: Plane;
  readonly caches: CacheParts;
  readonly handler: MemberHandler;
  readonly signal: AbortSignal;
}

interface Watched {
  readonly cache: SharedInformer<Manifest>;
  /** A complete list has come since the member was last lost. */
  live: boolean;
  run: LinkedAbort | undefined;
}

/**
 * Guarantees: a kind is watched from the first question about it on. While the member is lost, and until its caches have listed again,
 * every object is `absent`; then each change that happened meanwhile is told.
 */
export class Member {
  readonly name: string;
  readonly plane: Plane;
  readonly #options: MemberOptions;
  readonly #watched = new Map<KindName, Watched>();
  readonly #ending = new Set<Promise<void>>();
  #lost = false;

  constructor(options: MemberOptions) {
    this.name = options.name;
    this.plane = options.plane;
    this.#options = options;
  }

  /** Between `lose` and `regain`. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** What is known of an object of a kind. */
  see(kind: Kind<Manifest>, key: ObjectKey): Seen {
    const watched = this.#watch(kind);
    if (this.#lost) return { at: 'absent' };
    const { at } = watched.cache.status;
    if (at === 'syncing') return { at: 'unknown' };
    if (at === 'unavailable' || !watched.live) return { at: 'absent' };
    const object = watched.cache.store.get(key);
    return object ? { at: 'present', object } : { at: 'absent' };
  }

  /** What the member last had under that name. Undefined also while nothing is known. */
  find(name: KindName, key: ObjectKey): Manifest | undefined {
    const watched = this.#watched.get(name);
    return watched && !this.#lost && watched.live ? watched.cache.store.get(key) : undefined;
  }

  /** The kind is served, whatever its cache found last: it lists at once. */
  proveServed(kind: Kind<Manifest>): void {
    const watched = this.#watched.get(kindName(kind));
    if (watched?.cache.status.at === 'unavailable') watched.cache.replaceSource();
  }

  /** The member is not ready: its caches are of no use, and stop. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    for (const watched of this.#watched.values()) {
      watched.live = false;
      watched.run?.abort(new Error(`${this.name} is not ready`));
      watched.run = undefined;
    }
  }

  /** The member is back: its caches list anew. */
  regain(): void {
    if (!this.#lost) return;
    this.#lost = false;
    for (const watched of this.#watched.values()) this.#run(watched);
  }

  /** Resolves when nothing of it runs any more; its signal has aborted. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #watch(kind: Kind<Manifest>): Watched {
    const name = kindName(kind);
    const known = this.#watched.get(name);
    if (known) return known;
    const { caches, handler, plane } = this.#options;
    const intercept: CacheParts['intercept'] = (delta, deliver, cache) => {
      const take: typeof deliver = (taken) => {
        if (taken.type === 'replaced') watched.live = true;
        deliver(taken);
      };
      if (caches.intercept) caches.intercept(delta, take, cache);
      else take(delta);
    };
    const of = { client: plane.client, plane: 'member', cluster: this.name };
    const watched: Watched = { cache: cacheOf(kind, of, { ...caches, intercept }), live: false, run: undefined };
    watched.cache.subscribe((event) => handler(event, this));
    this.#watched.set(name, watched);
    if (!this.#lost) this.#run(watched);
    return watched;
  }

  #run(watched: Watched): void {
    const run = linkAbort(this.#options.signal);
    watched.run = run;
    const ending = watched.cache.run(run.signal).finally(() => {
      run[Symbol.dispose]();
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }
}
