/** A {@link ListerWatcher} over a client. */
import {
  type Clock,
  DeadlineError,
  type DurationMs,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type Random,
} from '@lifeline/core';
import type {
  Client,
  ListOptions,
  ListResult,
  MetadataObject,
  Selection,
  Trim,
  WatchEvent,
  WatchOptions,
} from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';
import { identityOf } from './identity.ts';
import type { EventStream, ListerWatcher, Snapshot } from './reflector.ts';
import { isBefore } from './revision.ts';
import { guarded, type GuardedStream, Silence } from './watchdog.ts';

export interface ListerWatcherOptions extends Selection, Trim {
  readonly client: Pick<Client, 'list' | 'listMetadata' | 'watch' | 'watchMetadata'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Ask only for metadata. Default false. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * A watch over which nothing comes for this long is given up. Default 150 s: API servers send a bookmark about once a minute on each
   * watch that asks for them, so at least two were lost. A server without bookmarks costs a list of each quiet kind at this pace.
   */
  readonly silenceMs?: DurationMs | undefined;
  /**
   * A streamed list of which nothing has come for this long is given up for a paged one, and one that is not complete after twenty times as long.
   * Default 30 s: hundreds of them may be on their way to a process that begins.
   */
  readonly streamedListMs?: DurationMs | undefined;
}

export const silenceDefaultMs: DurationMs = 150_000;

/**
 * Lists over a stream where the server offers that (neither side then holds the text of the whole list), else in pages; both are
 * consistent reads. Watches ask for bookmarks and for an end after 5 to 10 minutes, spread at random, as client-go's do.
 */
export function listerWatcher<T extends KubeObject>(kind: Kind<T>, options: ListerWatcherOptions): ListerWatcher<T> {
  const { clock, random, namespace, labelSelector, fieldSelector, omitManagedFields } = options;
  const { silenceMs = silenceDefaultMs, streamedListMs = 30_000 } = options;
  const selection: Selection & Trim = { namespace, labelSelector, fieldSelector, omitManagedFields };
  const reads = readsOf(kind, options);
  /** Streamed lists are, as far as is known. */
  let offered = true;

  const open = (
    from: Pick<WatchOptions, 'resourceVersion' | 'sendInitialEvents'>,
    signal: AbortSignal,
  ): Promise<GuardedStream<WatchEvent<T>>> =>
    guarded(
      (life) => reads.watch({ ...selection, ...from, timeoutSeconds: 300 + random.int(300), signal: life }),
      { clock, silenceMs },
      signal,
    );

  async function streamedList(signal: AbortSignal): Promise<Snapshot<T> | undefined> {
    let stream: GuardedStream<WatchEvent<T>>;
    try {
      stream = await open({ sendInitialEvents: true }, signal);
    } catch (error) {
      if (signal.aborted || !isKubeError(error, 'invalid')) throw error;
      offered = false;
      return undefined;
    }
    using silence = new Silence({ clock, silenceMs: streamedListMs, longestMs: 20 * streamedListMs }, () =>
      stream.abort(new DeadlineError('a streamed list took too long')),
    );
    try {
      const snapshot = await collect(stream, () => silence.heard());
      if (snapshot) return snapshot;
      offered = false;
    } catch (error) {
      await stream.return();
      if (signal.aborted || isKubeError(error, 'throttled')) throw error;
      if (error instanceof DeadlineError) offered = false;
    }
    return undefined;
  }

  return {
    list: async (signal) =>
      (offered ? await streamedList(signal) : undefined) ?? (await reads.list({ ...selection, signal })),
    watch: (resourceVersion, signal) => open({ resourceVersion }, signal),
  };
}

/** Reads up to the end of the initial events; undefined when the server ended the stream before. */
async function collect<T extends KubeObject>(
  stream: GuardedStream<WatchEvent<T>>,
  heard: () => void,
): Promise<Snapshot<T> | undefined> {
  const latest = new Map<ObjectKey, { readonly type: string; readonly object: T }>();
  for (;;) {
    const { done, value: event } = await stream.next();
    if (done) return undefined;
    heard();
    if (event.type !== 'bookmark') {
      const { key, resourceVersion } = identityOf(event.object);
      const known = latest.get(key)?.object.metadata.resourceVersion;
      if (known === undefined || !isBefore(resourceVersion, known)) latest.set(key, event);
    } else if (event.initialEventsEnd) {
      const items = [...latest.values()].filter(({ type }) => type !== 'deleted').map(({ object }) => object);
      return { items, resourceVersion: event.resourceVersion, events: stream };
    }
  }
}

interface Reads<T> {
  list(options: ListOptions): Promise<ListResult<T>>;
  watch(options: WatchOptions): Promise<EventStream<T>>;
}

function readsOf<T extends KubeObject>(kind: Kind<T>, { client, metadataOnly }: ListerWatcherOptions): Reads<T> {
  if (!metadataOnly)
    return { list: (options) => client.list(kind, options), watch: (options) => client.watch(kind, options) };
  const metadata: Reads<MetadataObject> = {
    list: (options) => client.listMetadata(kind, options),
    watch: (options) => client.watchMetadata(kind, options),
  };
  // Who asks for metadata only knows that nothing else of a T is there.
  return metadata as Reads<KubeObject> as Reads<T>;
}
