/** Places on the hub that others have: what belongs there is not carried until an operator frees them. */
import { metricDefinitions } from '@lifeline/core';
import type { Gauge, Log, Metrics, ReconcileRequest } from '@lifeline/k8s';
import type { LagKey } from './lag.ts';
import type { RefusalReason } from './refusal.ts';

/** On the hub: a mapped Namespace, or where one copy or anchor belongs. */
export interface HubPlace {
  /** Of what stands there. */
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface TakenPlace extends HubPlace {
  readonly reason: RefusalReason;
}

interface Held {
  readonly place: TakenPlace;
  /** The objects that belong there, by {@link seekerOf}. */
  readonly seekers: Map<string, LagKey>;
}

/**
 * Counts them in `lifeline_places_taken`, and says of each once that it is taken and once that it is free: not of every object that belongs
 * there, nor on every look.
 */
export class TakenPlaces {
  readonly #log: Log;
  readonly #gauge: Gauge;
  /** By cluster, then by {@link textOf}. Nothing is held of a place that nobody looks for. */
  readonly #places = new Map<string, Map<string, Held>>();
  /** By cluster and {@link seekerOf}, the text of the place that the object was refused last. */
  readonly #refused = new Map<string, Map<string, string>>();

  constructor({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }) {
    this.#log = log;
    this.#gauge = metrics.gauge(metricDefinitions.placesTaken);
  }

  /** What a look at an object found: the place that it is refused, if it is. */
  found(seeker: LagKey, place: TakenPlace | undefined): void {
    const { cluster } = seeker;
    const text = place && textOf(place);
    const refused = this.#refused.get(cluster) ?? new Map<string, string>();
    const before = refused.get(seekerOf(seeker));
    if (text === before) return;
    if (place && text !== undefined) this.#take(seeker, place, text);
    if (before !== undefined) this.#leave(seeker, before);
    if (text === undefined) refused.delete(seekerOf(seeker));
    else refused.set(seekerOf(seeker), text);
    if (refused.size === 0) this.#refused.delete(cluster);
    else this.#refused.set(cluster, refused);
  }

  /** The objects of a kind that were refused a Namespace, whatever that says now of whose it is. */
  seekersOf(namespace: string, kindId: string): readonly ReconcileRequest[] {
    return [...this.#places.values()]
      .flatMap((places) => [...places.values()])
      .filter(({ place }) => place.namespace === undefined && place.name === namespace)
      .flatMap(({ seekers }) => [...seekers.values()])
      .filter(({ id }) => id === kindId)
      .map(({ cluster, key }) => ({ cluster, key }));
  }

  /** The cluster is not looked after here any more. */
  drop(cluster: string): void {
    const kinds = new Set([...(this.#places.get(cluster)?.values() ?? [])].map(({ place }) => place.kind));
    this.#refused.delete(cluster);
    this.#places.delete(cluster);
    for (const kind of kinds) this.#show(cluster, kind);
  }

  #take(seeker: LagKey, place: TakenPlace, text: string): void {
    const { cluster } = seeker;
    const places = this.#places.get(cluster) ?? new Map<string, Held>();
    this.#places.set(cluster, places);
    const known = places.get(text);
    const held = known ?? { place, seekers: new Map<string, LagKey>() };
    held.seekers.set(seekerOf(seeker), seeker);
    if (known) return;
    places.set(text, held);
    this.#log.warn(
      { cluster, ...place },
      'a place of copies on the hub is taken: what belongs there is not carried until it is freed',
    );
    this.#show(cluster, place.kind);
  }

  #leave(seeker: LagKey, text: string): void {
    const { cluster } = seeker;
    const places = this.#places.get(cluster);
    const held = places?.get(text);
    if (!places || !held) return;
    held.seekers.delete(seekerOf(seeker));
    if (held.seekers.size > 0) return;
    places.delete(text);
    if (places.size === 0) this.#places.delete(cluster);
    this.#log.info({ cluster, ...held.place }, 'a place of copies on the hub is not taken any more');
    this.#show(cluster, held.place.kind);
  }

  #show(cluster: string, kind: string): void {
    const count = [...(this.#places.get(cluster)?.values() ?? [])].filter(({ place }) => place.kind === kind).length;
    if (count === 0) this.#gauge.remove({ cluster, kind });
    else this.#gauge.set(count, { cluster, kind });
  }
}

const textOf = ({ kind, namespace, name, reason }: TakenPlace): string =>
  JSON.stringify([kind, namespace ?? null, name, reason]);

const seekerOf = ({ id, key }: LagKey): string => `${id} ${key}`;
