/** Those who are none of ours: users, agents, other controllers, other installations. They reach every plane, whatever goes wrong. */
import type { DurationMs, Kind, KubeObject, ObjectName, Random, Transport } from '@lifeline/core';
import type { VirtualClock } from '@lifeline/core/testing';
import { type Client, createClient, type Draft, type PatchBody } from '@lifeline/k8s';
import type { Plane } from './plane.ts';

export interface HandsOptions {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly plane: (name: string) => Plane;
  readonly transport: (plane: Plane) => Transport;
  /** The world's life. */
  readonly signal: AbortSignal;
}

export class Hands {
  readonly name: string;
  readonly #options: HandsOptions;
  readonly #clients = new Map<string, Client>();

  constructor(options: HandsOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** A client of theirs. */
  client(plane: string): Client {
    const known = this.#clients.get(plane);
    if (known) return known;
    const { clock, random, name } = this.#options;
    const found = this.#options.plane(plane);
    const client = createClient({
      transport: this.#options.transport(found),
      baseUrl: found.url,
      clock,
      random,
      userAgent: name,
    });
    this.#clients.set(plane, client);
    return client;
  }

  create<T extends KubeObject>(plane: string, kind: Kind<T>, object: Draft<T>): Promise<T> {
    return this.client(plane).create(kind, object, { signal: this.#options.signal, fieldManager: this.name });
  }

  apply<T extends KubeObject>(plane: string, kind: Kind<T>, object: Draft<T>): Promise<T> {
    return this.client(plane).apply(kind, object, {
      signal: this.#options.signal,
      fieldManager: this.name,
      force: true,
    });
  }

  patch<T extends KubeObject>(
    plane: string,
    target: { readonly kind: Kind<T>; readonly name: ObjectName; readonly subresource?: 'status' | undefined },
    patch: PatchBody,
  ): Promise<T> {
    const { subresource } = target;
    return this.client(plane).patch(target, patch, {
      signal: this.#options.signal,
      fieldManager: this.name,
      subresource,
    });
  }

  /** Deletes what is there now; nothing when there is nothing. */
  async delete(plane: string, kind: Kind, name: ObjectName): Promise<void> {
    const uid = this.#options.plane(plane).api.get(kind, name)?.metadata.uid;
    if (uid) await this.client(plane).delete({ kind, name }, { signal: this.#options.signal, uid });
  }

  /** Deletes it, waits until it is gone, and resolves; at once when there is nothing. */
  async deleteAndWait(plane: string, kind: Kind, name: ObjectName): Promise<void> {
    const { api } = this.#options.plane(plane);
    const uid = api.get(kind, name)?.metadata.uid;
    if (!uid) return;
    await this.client(plane).delete({ kind, name }, { signal: this.#options.signal, uid });
    await this.until(() => api.get(kind, name)?.metadata.uid !== uid);
  }

  /** Resolves once it is so; looks less and less often. @throws the reason of the world's end */
  async until(isSo: () => boolean): Promise<void> {
    const { clock, signal } = this.#options;
    for (let ms = firstLookMs; !isSo(); ms = Math.min(2 * ms, slowestLookMs)) await clock.sleep(ms, signal);
  }
}

const firstLookMs: DurationMs = 200;
const slowestLookMs: DurationMs = 3_000;
