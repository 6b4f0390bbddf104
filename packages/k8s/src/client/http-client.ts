/** The {@link Client} over a {@link Transport}. */
import {
  type Clock,
  type DurationMs,
  isDeleting,
  isJsonObject,
  type JsonValue,
  type Kind,
  type KubeObject,
  type ObjectName,
  parseJson,
  type Random,
  type Transport,
} from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  Draft,
  ListOptions,
  ListResult,
  MetadataObject,
  PatchBody,
  ReadOptions,
  Selection,
  Trim,
  WatchOptions,
  WriteOptions,
  WriteTarget,
} from './client.ts';
import { Exchange, type KubeRequest } from './exchange.ts';
import { asListPage, asObject, type Expected } from './expected-object.ts';
import { isKubeError, KubeError } from './kube-error.ts';
import { apiVersionOf, collectionPath, objectPath, queryText } from './paths.ts';
import { readList } from './read-list.ts';
import { readUnmanaged } from './read-unmanaged.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';
import { Turns } from './turns.ts';
import { VersionResolver } from './version-resolver.ts';
import { WatchStream } from './watch-decoder.ts';

export interface ClientOptions {
  readonly transport: Transport;
  /** Absolute URL with the base path of the plane, no trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by all clients of an app. Default: one of its own. */
  readonly budget?: RetryBudget | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log?: Log | undefined;
  /** `name/version`. API servers log it, and make it the field manager of writes that name none. */
  readonly userAgent: string;
  /** For an answer to be complete; for a watch, to begin. Default 30,000. */
  readonly timeoutMs?: DurationMs | undefined;
}

const defaults = { timeoutMs: 30_000, pageSize: 500 };

const contentTypes = {
  apply: 'application/apply-patch+yaml', // any JSON is YAML
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
};

/** @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const partial = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
};
/** A list is asked for as a list: under the object's name a server refuses it (406). */
const partialListAccept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

export function createClient(options: ClientOptions): Client {
  return new HttpClient(options);
}

/** What a call reads or writes, and how its answer looks. */
interface ObjectCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly name: ObjectName;
  readonly view?: View;
  readonly subresource?: 'status' | undefined;
  readonly query?: Parameters<typeof queryText>[0];
  readonly body?: (apiVersion: string) => unknown;
  readonly contentType?: string;
}

/** Whole objects, or their metadata alone. */
type View = 'whole' | 'metadata';

class HttpClient implements Client {
  readonly #exchange: Exchange;
  readonly #versions: VersionResolver;
  readonly #turn: () => Promise<void> | undefined;

  constructor(options: ClientOptions) {
    const { clock, random, log, budget = createRetryBudget({ clock, random }) } = options;
    const { timeoutMs = defaults.timeoutMs } = options;
    this.#exchange = new Exchange({ ...options, budget, timeoutMs });
    const turns = Turns.of(clock);
    this.#turn = () => turns.take();
    const discover = (path: string, signal: AbortSignal): Promise<JsonValue> =>
      this.raw({ method: 'GET', path }, { signal });
    this.#versions = new VersionResolver({ discover, clock, log });
  }

  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options: ReadOptions): Promise<T> {
    return this.#object(kind, readOf(name, options), options);
  }

  find<T extends KubeObject>(kind: Kind<T>, name: ObjectName, options: ReadOptions): Promise<T | undefined> {
    return unlessAbsent(this.get(kind, name, options));
  }

  findMetadata(kind: Kind, name: ObjectName, options: ReadOptions): Promise<MetadataObject | undefined> {
    return unlessAbsent(this.#object(kind, { ...readOf(name, options), view: 'metadata' }, options));
  }

  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions): Promise<ListResult<T>> {
    return this.#list(kind, 'whole', options);
  }

  listMetadata(kind: Kind, options: ListOptions): Promise<ListResult<MetadataObject>> {
    return this.#list(kind, 'metadata', options);
  }

  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): Promise<WatchStream<T>> {
    return this.#watch(kind, 'whole', options);
  }

  watchMetadata(kind: Kind, options: WatchOptions): Promise<WatchStream<MetadataObject>> {
    return this.#watch(kind, 'metadata', options);
  }

  create<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: WriteOptions): Promise<T> {
    const query = writeQuery(options);
    return this.#object(kind, { method: 'POST', name: object.metadata, query, body: draftOf(kind, object) }, options);
  }

  apply<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, options: ApplyOptions): Promise<T> {
    const { subresource, force } = options;
    const query = { ...writeQuery(options), force };
    const body = draftOf(kind, object);
    const call = { method: 'PATCH', name: object.metadata, subresource, query, body } as const;
    return this.#object(kind, { ...call, contentType: contentTypes.apply }, options);
  }

  patch<T extends KubeObject>({ kind, name }: WriteTarget<T>, patch: PatchBody, options: WriteOptions): Promise<T> {
    const { subresource } = options;
    const call = { method: 'PATCH', name, subresource, query: writeQuery(options) } as const;
    return this.#object(kind, { ...call, body: () => patch.body, contentType: contentTypes[patch.type] }, options);
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions): Promise<T> {
    const { metadata } = object;
    // Without one, the server would take it over whatever is there.
    if (!metadata.resourceVersion) throw new KubeError('invalid', `${kind.id} ${metadata.name}: no resourceVersion`);
    const { subresource } = options;
    const call = { method: 'PUT', name: metadata, subresource, query: writeQuery(options) } as const;
    return this.#object(kind, { ...call, body: draftOf(kind, object) }, options);
  }

  delete<T extends KubeObject>(
    { kind, name }: WriteTarget<T>,
    options: DeleteOptions,
  ): Promise<'gone' | 'terminating'> {
    const { uid, resourceVersion, propagationPolicy, dryRun } = options;
    if (uid === '') return Promise.reject(new KubeError('invalid', `${kind.id} ${name.name}: no uid to delete`));
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid, resourceVersion },
      propagationPolicy,
      dryRun: dryRun ? ['All'] : undefined,
    };
    return this.#versions.speak(kind, options.signal, async (version) => {
      const path = objectPath({ kind, version, namespace: name.namespace }, name.name);
      const request = { method: 'DELETE', path, body, target: { kind, ...name } };
      const answer = await unlessAbsent(this.#exchange.json(request, options));
      if (answer === undefined || (isJsonObject(answer) && answer['kind'] === 'Status')) return 'gone';
      const expected = { what: this.#exchange.what(request), apiVersion: apiVersionOf(kind, version), kind: kind.kind };
      return isDeleting(asObject(answer, expected, name.name)) ? 'terminating' : 'gone';
    });
  }

  raw(
    request: { readonly method: string; readonly path: string; readonly body?: JsonValue },
    options: CallOptions,
  ): Promise<JsonValue> {
    return this.#exchange.json(request, options);
  }

  #object<T extends KubeObject>(kind: Kind, call: ObjectCall, options: CallOptions): Promise<T> {
    const { method, name, subresource, view = 'whole', query = {}, body, contentType } = call;
    return this.#versions.speak(kind, options.signal, async (version) => {
      const where = { kind, version, namespace: name.namespace, subresource };
      const own = objectPath(where, name.name);
      const expected = expectedOf(kind, version, view);
      const request: KubeRequest = {
        method,
        path: (method === 'POST' ? collectionPath(where) : own) + queryText(query),
        body: body?.(expected.apiVersion),
        contentType,
        accept: expected.accept,
        target: { kind, namespace: name.namespace, name: name.name },
      };
      const answer = await this.#exchange.json(request, options);
      return asObject(answer, { ...expected, what: this.#exchange.what(request) }, name.name) as T;
    });
  }

  async #list<T extends KubeObject>(kind: Kind, view: View, options: ListOptions): Promise<ListResult<T>> {
    const { namespace, resourceVersion, pageSize = defaults.pageSize } = options;
    if (resourceVersion === '0') throw new KubeError('invalid', `${kind.id}: a list at 0 may be of any time`);
    return this.#versions.speak(kind, options.signal, (version) => {
      const path = collectionPath({ kind, version, namespace });
      const { accept, ...expected } = {
        ...expectedOf(kind, version, view),
        what: this.#exchange.what({ method: 'GET', path }),
      };
      return readList<T>(expected.what, pageSize, async ({ limit, continueToken }) => {
        // A token holds the revision already; a server refuses both together.
        const revision = continueToken === undefined && resourceVersion !== undefined;
        const query = {
          ...selectionQuery(options),
          limit,
          continue: continueToken,
          ...(revision ? { resourceVersion, resourceVersionMatch: 'NotOlderThan' } : {}),
        };
        const listed = view === 'metadata' ? partialListAccept : accept;
        const request = { method: 'GET', path: path + queryText(query), accept: listed, read: readerOf(options) };
        const answer = await this.#exchange.json({ ...request, turn: this.#turn }, options);
        return asListPage<T>(answer, expected);
      });
    });
  }

  #watch<T extends KubeObject>(kind: Kind, view: View, options: WatchOptions): Promise<WatchStream<T>> {
    const { namespace, resourceVersion, sendInitialEvents, timeoutSeconds } = options;
    const query = {
      ...selectionQuery(options),
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      resourceVersion,
      ...(sendInitialEvents ? { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' } : {}),
    };
    return this.#versions.speak(kind, options.signal, async (version) => {
      const { accept, ...shape } = expectedOf(kind, version, view);
      const path = collectionPath({ kind, version, namespace });
      const request = { method: 'GET', path: path + queryText(query), accept };
      const { body, failure, ended } = await this.#exchange.stream(request, options);
      const expected = { ...shape, what: this.#exchange.what(request) };
      return new WatchStream<T>(body, { expected, read: readerOf(options), turn: this.#turn, failure, ended });
    });
  }
}

async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

const readOf = (name: ObjectName, { resourceVersion }: ReadOptions): ObjectCall => ({
  method: 'GET',
  name,
  query: { resourceVersion },
});

const expectedOf = (kind: Kind, version: string, view: View): Omit<Expected, 'what'> & { readonly accept: string } =>
  view === 'metadata'
    ? partial
    : { apiVersion: apiVersionOf(kind, version), kind: kind.kind, accept: 'application/json' };

/** The draft in the version that is spoken. */
const draftOf =
  ({ kind }: Kind, object: object) =>
  (apiVersion: string): unknown => ({ ...object, apiVersion, kind });

const readerOf = ({ omitManagedFields = false }: Trim): typeof parseJson =>
  omitManagedFields ? readUnmanaged : parseJson;

const selectionQuery = ({ labelSelector, fieldSelector }: Selection): Record<string, string | undefined> => ({
  labelSelector,
  fieldSelector,
});

const writeQuery = ({
  fieldManager,
  dryRun,
  fieldValidation = 'Strict',
}: WriteOptions): Record<string, string | undefined> => ({
  fieldManager,
  fieldValidation,
  dryRun: dryRun ? 'All' : undefined,
});
