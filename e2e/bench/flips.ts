/** When connectors flip upstream, and when the hub's annotations follow. */
import {
  annotations,
  classifyLiveness,
  classifyStatus,
  Connector,
  type MonotonicMs,
  systemClock,
} from '@lifeline/core';
import type { Platform } from './platform.ts';

type State = 'online' | 'offline';

export class Flips implements Disposable {
  /** From the commit of a Ready that flips to the commit of the annotation, in milliseconds. */
  readonly delays: number[] = [];
  /** The same from the agent's first renewal, for those that {@link back} was told of. */
  readonly fromRenewal: number[] = [];
  readonly #upstream = new Map<string, State>();
  readonly #hub = new Map<string, State>();
  readonly #flippedAt = new Map<string, MonotonicMs>();
  readonly #renewedAt = new Map<string, MonotonicMs>();
  readonly #taps = new DisposableStack();

  constructor({ hub, planes }: Platform) {
    for (const { api } of planes) {
      this.#taps.use(
        api.tap(({ object }) => {
          if (object.kind !== Connector.kind) return;
          const state = classifyStatus(object['status']).state === 'online' ? 'online' : 'offline';
          const { name } = object.metadata;
          if (this.#upstream.get(name) !== state) this.#flippedAt.set(name, systemClock.monotonic());
          this.#upstream.set(name, state);
        }),
      );
    }
    this.#taps.use(
      hub.api.tap(({ object, previous }) => {
        if (object.kind !== Connector.kind) return;
        const text = object.metadata.annotations?.[annotations.upstreamStatus];
        if (text === previous?.metadata.annotations?.[annotations.upstreamStatus]) return;
        const { state } = classifyLiveness(object);
        if (state !== 'unknown') this.#arrived(object.metadata.name, state);
      }),
    );
  }

  #arrived(name: string, state: State): void {
    if (this.#hub.get(name) === state || this.#upstream.get(name) !== state) return;
    this.#hub.set(name, state);
    const now = systemClock.monotonic();
    const flipped = this.#flippedAt.get(name);
    if (flipped !== undefined) this.delays.push(now - flipped);
    const renewed = this.#renewedAt.get(name);
    if (state === 'online' && renewed !== undefined) this.fromRenewal.push(now - renewed);
    this.#flippedAt.delete(name);
    this.#renewedAt.delete(name);
  }

  /** Its agent renews again, now. */
  back(name: string): void {
    this.#renewedAt.set(name, systemClock.monotonic());
  }

  /** How many the hub calls online. */
  get online(): number {
    return [...this.#hub.values()].filter((state) => state === 'online').length;
  }

  /** Forgets what was measured. */
  reset(): void {
    this.delays.length = 0;
    this.fromRenewal.length = 0;
  }

  [Symbol.dispose](): void {
    this.#taps.dispose();
  }
}
