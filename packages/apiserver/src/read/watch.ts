/** Watches: what has happened since a revision, or what there is, and then what happens. */
import { type DurationMs, stringifyJson, type TransportResponse } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import type { Call, Handler } from '../http/call.ts';
import { eventLine } from '../http/respond.ts';
import { storedUnder } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { EventStream } from './event-stream.ts';
import { revisionOf } from './get.ts';
import { type ListOptions, parseListOptions } from './list-options.ts';
import { expired, tooLargeRevision } from './revision-error.ts';
import { watchLines, type WatchLines } from './watch-events.ts';

/** Events that may wait to be read. */
const backlog = 10_000;

/** A watch that asks for no end gets one after this long, or up to twice as long: its client comes back, maybe to another server. */
const shortestWatchMs: DurationMs = 1_800_000;

/** The last bookmark of a watch comes this long before its end, so that its client can go on from there. */
const lastBookmarkMs: DurationMs = 2_000;

export const watchObjects: Handler = (server, call) => {
  if (call.output.encoding !== 'json') {
    const message = 'only the following media types are accepted: application/json;stream=watch';
    throw new ApiError({ code: 406, reason: 'NotAcceptable', message });
  }
  const options = parseListOptions(call);
  const lines = watchLines(server.clock, call, options);
  const asked = options.resourceVersion === '' ? undefined : revisionOf(options.resourceVersion);
  try {
    const beginning = options.sendInitialEvents
      ? everything(server, call, { lines, asked, bookmark: options.allowWatchBookmarks })
      : since(server, call, { lines, asked });
    return respond(openWatch(server, call, { options, lines, beginning }));
  } catch (error) {
    // Whoever got this far has a watch: what is wrong with it, it says itself.
    if (!(error instanceof ApiError)) throw error;
    return respond(onlyError(error));
  }
};

const respond = (body: EventStream): TransportResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

function onlyError({ status }: ApiError): EventStream {
  const initial = [eventLine('ERROR', stringifyJson(status))].values();
  const stream = new EventStream({ initial, backlog, closed: () => undefined });
  stream.end();
  return stream;
}

interface Beginning {
  readonly initial: Iterator<Uint8Array>;
  /** Nothing up to this revision is told again. */
  readonly from: number;
}

interface Start {
  readonly lines: WatchLines;
  /** The revision that the client names. */
  readonly asked: number | undefined;
}

/** The state of now. @throws ApiError 504 when the view has not seen what was asked for */
function everything(
  { store, view }: Server,
  call: Call,
  { lines, asked = store.revision, bookmark }: Start & { readonly bookmark: boolean },
): Beginning {
  const seen = view.horizon(storedUnder(call.resource));
  if (asked > seen) throw tooLargeRevision(asked, seen);
  const objects = view.list(storedUnder(call.resource), call.namespace);
  function* initial(): Generator<Uint8Array, void, undefined> {
    for (const object of objects) {
      const line = lines.present(object);
      if (line) yield line;
    }
    if (bookmark) yield lines.bookmark(seen, true);
  }
  return { initial: initial(), from: seen };
}

/** What came after a revision; 0 and none are now. @throws ApiError 410 */
function since({ store, view }: Server, call: Call, { lines, asked = store.revision }: Start): Beginning {
  const seen = view.horizon(storedUnder(call.resource));
  const from = asked === 0 ? seen : asked;
  if (from < store.compactedTo) throw expired(`too old resource version: ${from} (${store.compactedTo})`);
  const missed = store.since(from, storedUnder(call.resource));
  function* initial(): Generator<Uint8Array, void, undefined> {
    for (const revision of missed) {
      if (revision.revision > seen) return;
      const line = lines.revision(revision);
      if (line) yield line;
    }
  }
  return { initial: initial(), from: Math.max(from, seen) };
}

interface Opening {
  readonly options: ListOptions;
  readonly lines: WatchLines;
  readonly beginning: Beginning;
}

function openWatch({ clock, random, view }: Server, call: Call, { options, lines, beginning }: Opening): EventStream {
  const { signal } = call;
  const resource = storedUnder(call.resource);
  // Behind where the watch began (the plane was restored): a real server says nothing, and the client gives the watch up.
  const bookmark = (): void => {
    const horizon = view.horizon(resource);
    if (horizon >= beginning.from) stream.push(lines.bookmark(horizon));
  };
  const abort = (): void => stream.break(signal.reason);
  const held: Disposable[] = [];
  const stream = new EventStream({
    initial: beginning.initial,
    backlog,
    closed() {
      signal.removeEventListener('abort', abort);
      for (const thing of held) thing[Symbol.dispose]();
    },
  });
  held.push(
    view.watches.add({
      resource,
      committed(revision) {
        const line = revision.revision > beginning.from ? lines.revision(revision) : undefined;
        if (line) stream.push(line);
      },
      end: (error) => (error ? stream.break(error) : stream.end()),
    }),
  );
  if (options.allowWatchBookmarks) held.push(view.bookmarks.add(bookmark));
  const timeoutMs = options.timeoutSeconds > 0 ? options.timeoutSeconds * 1000 : shortestWatchMs * (1 + random.next());
  const early = options.allowWatchBookmarks && timeoutMs > lastBookmarkMs ? lastBookmarkMs : 0;
  held.push(
    clock.timer(timeoutMs - early, () => {
      if (early === 0) return stream.end();
      held.push(clock.timer(early, () => stream.end()));
      bookmark();
    }),
  );
  signal.addEventListener('abort', abort, { once: true });
  return stream;
}
