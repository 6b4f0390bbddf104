/** The kinds that the hub serves, and the objects of those that are carried. */
import { type Clock, describeError, type Kind, linkAbort } from '@lifeline/core';
import type { Log, ObjectEvent, SharedInformer } from '@lifeline/k8s';
import { isIgnoredKind } from '../detector/ignored.ts';
import { anyKind, type KindName, kindName, type Manifest } from '../manifest.ts';
import { parseTemplateKey, type TemplateKey } from '../detector/template-key.ts';
import { type CacheParts, cacheOf } from '../runtime/caches.ts';
import type { Plane } from '../runtime/plane.ts';
import { type Discovered, discover } from './discovery.ts';

export interface HubKindsOptions {
  readonly plane: Plane;
  readonly caches: CacheParts;
  readonly clock: Clock;
  readonly log: Log;
  /** Rule 2: a kind that comes while we run is found at the next look. */
  readonly everyMs: number;
  /** Narrows what is watched. Default: all that can be listed, watched and deleted. */
  readonly carries: ((kind: Discovered) => boolean) | undefined;
}

export type TemplateHandler = (event: ObjectEvent<Manifest>) => void;

const needed = ['list', 'watch', 'delete'];

export class HubKinds {
  readonly #options: HubKindsOptions;
  readonly #served = new Map<KindName, Kind<Manifest>>();
  readonly #caches = new Map<KindName, SharedInformer<Manifest>>();
  readonly #handlers = new Set<TemplateHandler>();
  readonly #runs: Promise<void>[] = [];

  constructor(options: HubKindsOptions) {
    this.#options = options;
  }

  /** How the hub serves a kind, as last seen. */
  served(name: KindName): Kind<Manifest> | undefined {
    return this.#served.get(name);
  }

  /** A cached template. Undefined when there is none, or its kind is not watched (yet). */
  template(key: TemplateKey): Manifest | undefined {
    const { kindName, objectKey } = parseTemplateKey(key);
    return this.#caches.get(kindName)?.store.get(objectKey);
  }

  /** The cache of a watched kind. */
  cache(name: KindName): SharedInformer<Manifest> | undefined {
    return this.#caches.get(name);
  }

  /** Told of every event of every watched kind, those found later too. */
  subscribe(handler: TemplateHandler): void {
    this.#handlers.add(handler);
    for (const cache of this.#caches.values()) cache.subscribe(handler);
  }

  /** Looks for kinds at once, then from time to time, until the signal aborts. @param found called after the first look that worked */
  async run(signal: AbortSignal, found: () => void): Promise<void> {
    const { clock, everyMs, log } = this.#options;
    using life = linkAbort(signal);
    let first = true;
    while (!signal.aborted) {
      try {
        await this.#look(life.signal);
        if (first) found();
        first = false;
      } catch (error) {
        if (!signal.aborted) log.warn({ error: describeError(error) }, 'discovery of the hub failed: tries again');
      }
      await clock.sleep(first ? retryMs : everyMs, signal).catch(() => undefined);
    }
    await Promise.all(this.#runs);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { plane, carries } = this.#options;
    for (const kind of await discover(plane, signal)) {
      const descriptor = anyKind(kind);
      const name = kindName(descriptor);
      if (!this.#served.has(name)) this.#served.set(name, descriptor);
      const isCarried =
        kind.preferred &&
        !isIgnoredKind(kind) &&
        needed.every((verb) => kind.verbs.includes(verb)) &&
        (carries?.(kind) ?? true);
      if (isCarried && !this.#caches.has(name)) this.#watch(name, descriptor, signal);
    }
  }

  #watch(name: KindName, kind: Kind<Manifest>, signal: AbortSignal): void {
    const { plane, caches } = this.#options;
    const cache = cacheOf(kind, { client: plane.client, plane: 'hub', cluster: 'hub' }, caches);
    this.#caches.set(name, cache);
    for (const handler of this.#handlers) cache.subscribe(handler);
    this.#runs.push(cache.run(signal));
  }
}

/** The first look is repeated soon: without it nothing works. */
const retryMs = 1_000;
