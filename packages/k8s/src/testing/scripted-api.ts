/**
 * A Kubernetes API in process, for tests: real answers to real requests, and a script for what goes wrong on the server's side.
 * (`withFaults` does what goes wrong on the wire.)
 */
import { formatTime, isDeleting, keyOf, objectKey } from '@lifeline/core';
import type { Clock, DurationMs, Kind, KubeObject, ObjectName, Random } from '@lifeline/core';
import type { Transport, TransportRequest, TransportResponse } from '@lifeline/core';
import type { Draft } from '../client/client.ts';
import { discover, type ServedKind } from './discovery-documents.ts';
import { callOf, jsonAnswer, noSuchPath, type ScriptedCall, shapeOf, typeOf } from './kube-call.ts';
import { listPage, selectionOf } from './list-page.ts';
import { alreadyExists, detailsOf, expired, noStreamingLists, notFound, Refusal, tooLarge } from './refusal.ts';
import { type ScriptedSnapshot, ScriptedStore, type ScriptedWrite } from './scripted-store.ts';
import { type ScriptedEvent, ScriptedWatch } from './scripted-watch.ts';
import { generationAfter, objectAfter, type WriteCall } from './write-rules.ts';

export interface ScriptedApiOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds?: readonly Kind[];
  /** The path that the plane lives under. Default: none. */
  readonly basePath?: string;
  /** Time before a request is handled. Default 0: microtasks only. */
  readonly latencyMs?: DurationMs | ((random: Random) => DurationMs);
  /** Writes remembered; then the older half is compacted. Default 10,000. */
  readonly historyLimit?: number;
  /** Default 60,000; 0: none but those asked for with `bookmark()`. */
  readonly bookmarkEveryMs?: DurationMs;
}

export const createScriptedApi = (options: ScriptedApiOptions): ScriptedApi => new ScriptedApi(options);

export class ScriptedApi {
  /** Answered requests, in order. */
  readonly requests: { method: string; path: string; status: number; userAgent: string }[] = [];
  /** Answers a request with an error instead of carrying it out. */
  refuse: (call: ScriptedCall) => Refusal | undefined = () => undefined;
  /** How a watch from a compacted revision is told: HTTP 410, an `ERROR` event, or not at all: the stream just ends. */
  expiry: 'status' | 'event' | 'unsaid' = 'event';
  /** Whether `sendInitialEvents` is understood. */
  streamingLists = true;
  readonly #options: Required<ScriptedApiOptions>;
  readonly #store: ScriptedStore;
  readonly #served = new Map<string, ServedKind>();
  readonly #watches = new Set<ScriptedWatch>();
  /** Revisions at which replicas stopped, by kind; '' for all kinds. */
  readonly #frozen = new Map<string, number>();
  #drops: (event: ScriptedEvent, kind: Kind) => boolean = () => false;
  #blackhole = false;

  constructor(options: ScriptedApiOptions) {
    const defaults = { kinds: [], basePath: '', latencyMs: 0, historyLimit: 10_000, bookmarkEveryMs: 60_000 };
    this.#options = { ...defaults, ...options };
    this.#store = new ScriptedStore(this.#options.historyLimit, () => this.#each((watch) => watch.wake()));
    for (const kind of this.#options.kinds) this.serve(kind);
  }

  readonly transport: Transport = async (request, { signal, admit }) => {
    signal.throwIfAborted();
    const { latencyMs, clock, random } = this.#options;
    const latency = typeof latencyMs === 'function' ? latencyMs(random) : latencyMs;
    if (latency > 0) await clock.sleep(latency, signal);
    admit?.();
    const url = new URL(request.url);
    const response = this.#answer(request, url, signal);
    const { method, headers } = request;
    this.requests.push({
      method,
      path: url.pathname + url.search,
      status: response.status,
      userAgent: headers['user-agent'] ?? '',
    });
    return response;
  };

  /** Every write that changed something, in order, whoever made it. */
  get writes(): readonly ScriptedWrite[] {
    return this.#store.writes;
  }

  get revision(): number {
    return this.#store.revision;
  }

  serve(kind: Kind, versions: readonly string[] = kind.versions): void {
    this.#served.set(kind.id, { kind, versions });
  }

  /** As when its CRD goes: watches end, requests meet a 404 in plain text. The objects are back when it is served again. */
  unserve(kind: Kind): void {
    this.#served.delete(kind.id);
    this.endWatches({ kind });
  }

  objects<T extends KubeObject>(kind: Kind<T>): T[] {
    return [...this.#store.table(kind).values()] as T[];
  }

  get<T extends KubeObject>(kind: Kind<T>, name: ObjectName): T | undefined {
    return this.#store.current(kind).get(objectKey(name)) as T | undefined;
  }

  /** Stores an object, status included, as somebody else would. One that brings another uid is a new object. */
  put<T extends KubeObject>(kind: Kind<T>, object: Draft<T>, who = 'somebody-else'): T {
    const found = this.#store.current(kind).get(keyOf(object));
    const isOther = object.metadata.uid !== undefined && object.metadata.uid !== found?.metadata.uid;
    if (isOther) this.remove(kind, object.metadata, who);
    const old = isOther ? undefined : found;
    const own = {
      uid: this.#options.random.uuid(),
      creationTimestamp: this.#time(),
      ...object.metadata,
      ...old?.metadata,
    };
    const next = { apiVersion: kind.apiVersion, kind: kind.kind, ...object } as unknown as KubeObject;
    const { uid, creationTimestamp } = own;
    const metadata = { ...next.metadata, uid, creationTimestamp, generation: generationAfter(kind, old, next) };
    return this.#store.commit({ verb: old ? 'update' : 'create', kind, who }, { ...next, metadata }) as T;
  }

  /** Removes an object at once, whatever its finalizers. */
  remove(kind: Kind, name: ObjectName, who = 'somebody-else'): void {
    const old = this.#store.current(kind).get(objectKey(name));
    if (old) this.#store.commit({ verb: 'delete', kind, who }, old, true);
  }

  /** Forgets everything but the present: older revisions and continue tokens meet a 410. */
  compact(): void {
    this.#store.compact();
  }

  snapshot(): ScriptedSnapshot {
    return this.#store.snapshot();
  }

  /** As from a backup: the revision goes back, and every connection breaks. */
  restore(snapshot: ScriptedSnapshot): void {
    this.#store.restore(snapshot);
    this.endWatches({ error: new Error('connection reset') });
  }

  /** Loses events on their way into watches, for good: a share of them, or those that a rule names. */
  dropEvents(rule: number | ((event: ScriptedEvent, kind: Kind) => boolean)): void {
    this.#drops = typeof rule === 'function' ? rule : () => this.#options.random.next() < rule;
  }

  /** A lagging replica: watches hear nothing newer, and reads that allow it (`resourceVersion=0`) see the state of now. */
  freeze(kind?: Kind): void {
    this.#frozen.set(kind?.id ?? '', this.revision);
  }

  thaw(): void {
    this.#frozen.clear();
    this.#each((watch) => watch.wake());
  }

  /** Half-open connections: the watches there are, and those opened while it lasts, go silent and do not end. */
  blackhole(active: boolean): void {
    this.#blackhole = active;
    if (active) this.#each((watch) => watch.silence());
  }

  /** Ends watches, cleanly or as a broken connection when there is an error. */
  endWatches({ kind, error }: { kind?: Kind; error?: unknown } = {}): void {
    this.#each((watch) => (kind ?? watch.kind).id === watch.kind.id && watch.end(error));
  }

  /** A bookmark to every watch that allows them. */
  bookmark(): void {
    this.#each((watch) => watch.bookmark());
  }

  openWatches(kind?: Kind): number {
    return [...this.#watches].filter((watch) => (kind ?? watch.kind).id === watch.kind.id).length;
  }

  #each(act: (watch: ScriptedWatch) => unknown): void {
    for (const watch of [...this.#watches]) act(watch);
  }

  #time(): string {
    return formatTime(this.#options.clock.now());
  }

  #answer(request: TransportRequest, url: URL, signal: AbortSignal): TransportResponse {
    const { basePath } = this.#options;
    const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : '';
    const served = [...this.#served.values()];
    const document = discover(path, served);
    if (document) return jsonAnswer(200, document);
    try {
      const call = callOf(request, { path, query: url.searchParams }, served);
      if (!call) return noSuchPath();
      const refusal = this.refuse(call);
      if (refusal) throw refusal;
      return this.#carryOut(call, signal);
    } catch (error) {
      if (error instanceof Refusal) return jsonAnswer(error.code, error.status, error.headers);
      throw error;
    }
  }

  #carryOut(call: ScriptedCall, signal: AbortSignal): TransportResponse {
    const { verb, kind, query } = call;
    switch (verb) {
      case 'get': {
        const from = query.get('resourceVersion') === '0' ? this.#horizon(kind) : this.revision;
        const key = objectKey(call as ObjectName);
        // A whole table of the past is only built where the past is asked for.
        const object =
          from === this.revision ? this.#store.current(kind).get(key) : this.#store.table(kind, from).get(key);
        if (!object) throw notFound(call);
        return jsonAnswer(200, shapeOf(call)(object));
      }
      case 'list': {
        const { items, metadata } = listPage(this.#store, call, this.#horizon(kind));
        const type = typeOf(call);
        // As for built-in kinds: items come without apiVersion and kind.
        const bare = items.map((item) => ({ ...shapeOf(call)(item), apiVersion: undefined, kind: undefined }));
        return jsonAnswer(200, { apiVersion: type.apiVersion, kind: `${type.kind}List`, metadata, items: bare });
      }
      case 'watch':
        return this.#openWatch(call, signal);
      case 'create':
      case 'update':
      case 'patch':
      case 'apply':
      case 'delete':
        return this.#write({ ...call, verb });
    }
  }

  #write(call: ScriptedCall & WriteCall): TransportResponse {
    const { kind, verb, subresource, who, name, namespace } = call;
    const old = name === undefined ? undefined : this.#store.current(kind).get(objectKey({ namespace, name }));
    const creates = verb === 'create' || (verb === 'apply' && !old && !subresource);
    if (!old && !creates) throw notFound(call);
    const author = { manager: who, subresource, time: this.#time() };
    const next = objectAfter(call, { old, author, random: this.#options.random });
    if (!old && this.#store.current(kind).get(keyOf(next))) throw alreadyExists({ kind, name: next.metadata.name });
    const isGone = isDeleting(next) && !next.metadata.finalizers?.length;
    const changes = next !== old && !call.query.has('dryRun');
    const stored = changes ? this.#store.commit({ verb, kind, who, subresource }, next, isGone) : next;
    if (verb !== 'delete' || !isGone) return jsonAnswer(creates ? 201 : 200, shapeOf(call)(stored));
    const details = detailsOf(call, { uid: next.metadata.uid });
    return jsonAnswer(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  #openWatch(call: ScriptedCall, signal: AbortSignal): TransportResponse {
    const { kind, query } = call;
    const asked = query.get('resourceVersion') ?? '';
    const streamsList = query.get('sendInitialEvents') === 'true';
    if (streamsList && !this.streamingLists) throw noStreamingLists();
    if (streamsList && Number(asked) > this.revision) throw tooLarge(asked, this.revision);
    const startsFresh = streamsList || asked === '' || asked === '0';
    const from = asked === '0' ? this.#horizon(kind) : startsFresh ? this.revision : Number(asked);
    const isExpired = from < this.#store.compactedTo;
    if (isExpired && this.expiry === 'status') throw expired();
    const bookmarks = query.get('allowWatchBookmarks') === 'true';
    const seconds = query.get('timeoutSeconds');
    const matches = selectionOf(call);
    const watch = new ScriptedWatch(this.#store, this.#options.clock, {
      kind,
      signal,
      from,
      initial: startsFresh ? [...this.#store.table(kind, from).values()].filter(matches) : [],
      marksInitialEnd: streamsList,
      bookmarkEveryMs: bookmarks ? this.#options.bookmarkEveryMs : undefined,
      timeoutMs: seconds === null ? undefined : Number(seconds) * 1000,
      matches,
      shape: shapeOf(call),
      horizon: () => this.#horizon(kind),
      drops: (event) => this.#drops(event, kind),
      closed: (closed) => this.#watches.delete(closed),
    });
    this.#watches.add(watch);
    if (isExpired && this.expiry === 'unsaid') watch.end();
    if (this.#blackhole) watch.silence();
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch };
  }

  #horizon(kind: Kind): number {
    return this.#frozen.get(kind.id) ?? this.#frozen.get('') ?? this.revision;
  }
}
