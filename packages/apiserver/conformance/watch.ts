import { abortable, type Clock, deadlineAbort, isJsonObject, type JsonObject, parseJson } from '@lifeline/core';
import { type Answer, nameOf } from './answer.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export interface WatchOptions {
  readonly body: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  readonly controller: AbortController;
  readonly clock: Clock;
  readonly limitMs: number;
}

/** An open watch. Events are waited for, each with a deadline. */
export class Watch implements Disposable {
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: WatchOptions;
  readonly #chunks: AsyncIterator<Uint8Array, undefined>;
  readonly #decoder = new TextDecoder();
  #text = '';
  #pending: Promise<IteratorResult<Uint8Array, undefined>> | undefined;

  constructor(options: WatchOptions) {
    this.headers = options.headers;
    this.#options = options;
    this.#chunks = options.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  }

  /** The next event; undefined when the server has ended the watch. @throws DeadlineError */
  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return eventOf(line);
      }
      const chunk = await this.#read();
      if (chunk.done) return undefined;
      this.#text += this.#decoder.decode(chunk.value, { stream: true });
    }
  }

  /** The next events that are no bookmarks. */
  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (!event) break;
      if (event.type !== 'BOOKMARK') events.push(event);
    }
    return events;
  }

  /** The first event that `wanted` takes; earlier ones are dropped. Undefined when the watch ends before. */
  async until(wanted: (event: WatchEvent) => boolean): Promise<WatchEvent | undefined> {
    for (let event = await this.next(); event; event = await this.next()) if (wanted(event)) return event;
    return undefined;
  }

  /** All events to the end. */
  async rest(): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  [Symbol.dispose](): void {
    this.#options.controller.abort(new Error('the watch is no longer needed'));
    // The pending read ends with that error, and nobody is left to hear of it.
    this.#pending?.catch(() => undefined);
  }

  async #read(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { clock, limitMs } = this.#options;
    // A read that met its deadline goes on: the next call takes it up.
    this.#pending ??= this.#chunks.next();
    using limit = deadlineAbort(clock, limitMs);
    const result = await abortable(this.#pending, limit.signal);
    this.#pending = undefined;
    return result;
  }
}

function eventOf(line: string): WatchEvent {
  const event = parseJson(line);
  if (!isJsonObject(event) || typeof event['type'] !== 'string' || !isJsonObject(event['object'])) {
    throw new Error(`no watch event: ${line.slice(0, 200)}`);
  }
  return { type: event['type'], object: event['object'] };
}

/** The watch. @throws Error with what the server said instead */
export function letIn(watch: Watch | Answer): Watch {
  if (watch instanceof Watch) return watch;
  throw new Error(`${watch.to}: ${watch.status} ${watch.text.slice(0, 400)}`);
}

/** `ADDED a`, for comparisons. */
export const inShort = ({ type, object }: WatchEvent): string => `${type} ${nameOf(object)}`;
