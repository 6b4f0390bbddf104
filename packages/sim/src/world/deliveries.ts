/** What lies between a reflector and its store: faults, and a record of what each process came to believe. */
import { keyOf, type KubeObject, type MonotonicMs } from '@lifeline/core';
import type { CacheName, DeliveryInterceptor, Delta } from '@lifeline/k8s';
import type { Read } from './record.ts';

/** Whose cache. */
export interface CacheOwner {
  readonly actor: string;
  readonly incarnation: number;
}

/** A delta that a cache is about to believe. */
export interface Delivery extends CacheOwner {
  readonly cache: CacheName;
  /** The plane that the cluster is, by its name in the world. */
  readonly plane: string;
  readonly delta: Delta<KubeObject>;
}

export type DeliveryFault = (delivery: Delivery, deliver: (delta: Delta<KubeObject>) => void) => void;

export interface DeliverySelection {
  readonly actor?: string | undefined;
  readonly plane?: string | undefined;
  /** The kind's id. */
  readonly kind?: string | undefined;
}

interface Fault {
  readonly fault: DeliveryFault;
  readonly on: DeliverySelection;
}

/** Reads that are remembered of each process: enough to tell what a write followed from. */
const remembered = 64;

export class Deliveries {
  readonly #faults = new Set<Fault>();
  readonly #judges: ((delivery: Delivery) => void)[] = [];
  readonly #reads = new Map<string, Read[]>();
  readonly #now: () => MonotonicMs;
  readonly #planeOf: (cache: CacheName) => string;

  /** @param planeOf the plane that an app's cluster is */
  constructor(now: () => MonotonicMs, planeOf: (cache: CacheName) => string) {
    this.#now = now;
    this.#planeOf = planeOf;
  }

  /** Puts a fault before caches until it is disposed. */
  put(fault: DeliveryFault, on: DeliverySelection = {}): Disposable {
    const entry: Fault = { fault, on };
    this.#faults.add(entry);
    return { [Symbol.dispose]: () => void this.#faults.delete(entry) };
  }

  /** Told of each delta as the reflector made it, before anything goes wrong with it. */
  judge(judge: (delivery: Delivery) => void): void {
    this.#judges.push(judge);
  }

  /** The last things that a process learned, the newest last. */
  readsOf({ actor, incarnation }: CacheOwner): readonly Read[] {
    return this.#reads.get(`${actor}.${incarnation}`) ?? [];
  }

  interceptor(owner: CacheOwner): DeliveryInterceptor {
    return (delta, deliver, cache) => {
      const plane = this.#planeOf(cache);
      const believe = (told: Delta<KubeObject>): void => {
        const delivery: Delivery = { ...owner, cache, plane, delta: told };
        this.#remember(delivery);
        deliver(told as typeof delta);
      };
      const mine = [...this.#faults].filter(({ on }) => isOn(on, { actor: owner.actor, plane, kind: cache.kind }));
      for (const judge of this.#judges) judge({ ...owner, cache, plane, delta: delta as Delta<KubeObject> });
      const through = mine.reduce<(told: Delta<KubeObject>) => void>(
        (next, { fault }) =>
          (told) =>
            fault({ ...owner, cache, plane, delta: told }, next),
        believe,
      );
      through(delta as Delta<KubeObject>);
    };
  }

  #remember({ actor, incarnation, cache, plane, delta }: Delivery): void {
    const id = `${actor}.${incarnation}`;
    const reads = this.#reads.get(id) ?? [];
    this.#reads.set(id, reads);
    const how = delta.type === 'replaced' ? 'listed' : delta.type;
    for (const object of delta.type === 'replaced' ? delta.items : [delta.object]) {
      const { uid, resourceVersion } = object.metadata;
      reads.push({
        at: this.#now(),
        actor,
        incarnation,
        how,
        plane,
        kind: cache.kind,
        key: keyOf(object),
        uid,
        resourceVersion,
      });
    }
    if (reads.length > 2 * remembered) reads.splice(0, reads.length - remembered);
  }
}

const isOn = (on: DeliverySelection, { actor, plane, kind }: Required<DeliverySelection>): boolean =>
  (on.actor ?? actor) === actor && (on.plane ?? plane) === plane && (on.kind ?? kind) === kind;
