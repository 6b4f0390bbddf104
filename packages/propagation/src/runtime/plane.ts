/** An API server as Karmada uses it: whole objects, optimistic locking, no patience shared between requests. */
import {
  type Clock,
  deadlineAbort,
  type JsonValue,
  type Kind,
  type KubeObject,
  type ObjectName,
  parseJsonBytes,
  type Random,
  readAll,
  type Transport,
} from '@lifeline/core';
import { type Client, createClient, type Draft, isKubeError, type RetryBudget, type Store } from '@lifeline/k8s';
import type { Manifest } from '../manifest.ts';
import { throughConflicts } from './conflicts.ts';

export interface PlaneOptions {
  readonly transport: Transport;
  /** Absolute, with the base path. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  /** Names Karmada's process to API servers. */
  readonly userAgent: string;
}

export interface Answer {
  readonly status: number;
  /** Undefined when the body is no JSON. */
  readonly body: JsonValue | undefined;
}

/** What an object is turned into; the object itself, or undefined: it stays. */
export type Change<T> = (object: T) => T | undefined;

/** Which object, and where it is read. */
export interface Held<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly store: Pick<Store<T>, 'get'>;
  readonly key: string;
}

export class Plane {
  readonly client: Client;
  readonly #options: PlaneOptions;

  constructor(options: PlaneOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/$/, '') };
    this.client = createClient({ ...this.#options, budget: noBudget });
  }

  create<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>, signal: AbortSignal): Promise<T> {
    return this.client.create(kind, draft, { signal, fieldValidation: 'Ignore' });
  }

  /** A PUT: the object's resourceVersion must be the server's. */
  put<T extends KubeObject>(kind: Kind<T>, object: T, signal: AbortSignal): Promise<T> {
    return this.client.update(kind, object, { signal, fieldValidation: 'Ignore' });
  }

  /**
   * Changes the object that a cache holds, and again when somebody was first. Nothing happens when it is gone, or is as it should be.
   * @throws KubeError when somebody is first each time
   */
  async change<T extends KubeObject>(held: Held<T>, change: Change<T>, signal: AbortSignal): Promise<void> {
    await this.#change(held, change, { signal });
  }

  /** The same through the status subresource. */
  async changeStatus<T extends KubeObject>(held: Held<T>, change: Change<T>, signal: AbortSignal): Promise<void> {
    await this.#change(held, change, { signal, subresource: 'status' });
  }

  /** DELETE without a precondition, in the background: whoever has the name goes, and nobody is as well. */
  async deleteByName(kind: Kind<Manifest>, name: ObjectName, signal: AbortSignal): Promise<void> {
    const { group, version, plural } = kind;
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
    const scope = name.namespace ? `/namespaces/${name.namespace}` : '';
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    try {
      await this.client.raw({ method: 'DELETE', path: `${root}${scope}/${plural}/${name.name}`, body }, { signal });
    } catch (error) {
      if (!isKubeError(error) || error.status !== 404) throw error;
    }
  }

  /** DELETE of this very object. */
  async delete<T extends KubeObject>(kind: Kind<T>, { metadata }: T, signal: AbortSignal): Promise<void> {
    const { namespace, name, uid = '' } = metadata;
    await this.client.delete({ kind, name: { namespace, name } }, { signal, uid });
  }

  /** GET of a path below the base URL. Rejects when there was no answer. */
  async ask(path: string, signal: AbortSignal, accept = 'application/json'): Promise<Answer> {
    const { transport, baseUrl, clock, timeoutMs, userAgent } = this.#options;
    using life = deadlineAbort(clock, timeoutMs, signal);
    const headers = { accept, 'user-agent': userAgent };
    const response = await transport({ method: 'GET', url: baseUrl + path, headers }, { signal: life.signal });
    const bytes = await readAll(response.body);
    return { status: response.status, body: jsonIn(bytes) };
  }

  #change<T extends KubeObject>(
    { kind, store, key }: Held<T>,
    change: Change<T>,
    options: { readonly signal: AbortSignal; readonly subresource?: 'status' },
  ): Promise<void> {
    const attempt = async (): Promise<void> => {
      const held = store.get(key);
      const changed = held && change(held);
      if (!changed || changed === held) return;
      await this.client.update(kind, changed, { ...options, fieldValidation: 'Ignore' });
    };
    return throughConflicts(attempt, this.#options.clock, options.signal);
  }
}

function jsonIn(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJsonBytes(bytes);
  } catch {
    return undefined;
  }
}

/** Karmada's clients know no common patience: each request is sent, and fails by itself. */
const noBudget: RetryBudget = {
  enter: async () => ({ settle: () => undefined }),
  throttle: () => undefined,
};
