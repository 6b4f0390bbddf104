/** The body of a watch as events. */
import { isJsonObject, type JsonValue, type KubeObject, ownValue, parseJson } from '@lifeline/core';
import type { WatchEvent } from './client.ts';
import { asObject, type Expected, malformed } from './expected-object.ts';
import { KubeError } from './kube-error.ts';
import { LineDecoder } from './line-decoder.ts';
import { eventError } from './status-error.ts';

/** The annotation of the bookmark that ends a streamed list. */
const initialEventsEnd = 'k8s.io/initial-events-end';

export interface WatchHandling {
  readonly expected: Expected;
  /** Reads the text of an event. @throws JsonError */
  readonly read: (text: string) => JsonValue;
  /** Waited for, when it is one, before what has come is read. */
  readonly turn: () => Promise<void> | undefined;
  /** Turns what reading threw into what the caller gets. */
  readonly failure: (error: unknown) => unknown;
  /** Called once, when the stream has ended in whatever way. */
  readonly ended: () => void;
}

/**
 * The events of one watch, as they are read. Ends when the server ends it between two events; throws at an `ERROR` event, at what is no
 * event, and where the stream breaks, always after the events before that.
 *
 * Guarantees: the same events wherever the bytes are cut. `return` ends a pending read, too.
 */
export class WatchStream<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #handling: WatchHandling;
  readonly #decoder = new LineDecoder();
  /** Read and not yet given out, the next one last. */
  #lines: string[] = [];
  #state: 'open' | 'ended' = 'open';

  constructor(body: AsyncIterable<Uint8Array>, handling: WatchHandling) {
    this.#source = body[Symbol.asyncIterator]();
    this.#handling = handling;
  }

  async next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    try {
      for (;;) {
        const line = this.#lines.pop();
        if (line !== undefined) return { done: false, value: readEvent<T>(this.#parse(line), this.#handling.expected) };
        if (this.#state === 'ended') return { done: true, value: undefined };
        const part = await this.#source.next();
        const turn = this.#handling.turn();
        if (turn) await turn;
        if (!this.#isOpen()) continue;
        if (part.done) this.#finish();
        else this.#lines = this.#decoder.push(part.value).reverse();
      }
    } catch (error) {
      this.#end();
      await this.#source.return?.();
      throw this.#handling.failure(error);
    }
  }

  async return(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    this.#end();
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The stream may have been returned while a read was pending. */
  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#lines = [];
    this.#handling.ended();
  }

  /** Only the last line end may be missing: an object that is whole is not the beginning of another. */
  #finish(): void {
    const { what } = this.#handling.expected;
    let rest = '';
    try {
      rest = this.#decoder.end();
      if (rest !== '') parseJson(rest);
    } catch (cause) {
      throw new KubeError('unavailable', `${what}: the stream ended inside an event`, { cause });
    }
    this.#end();
    if (rest !== '') this.#lines = [rest];
  }

  #parse(line: string): JsonValue {
    try {
      return this.#handling.read(line);
    } catch (cause) {
      throw malformed(this.#handling.expected.what, 'holds a line that is no JSON', { cause });
    }
  }
}

function readEvent<T extends KubeObject>(value: JsonValue, expected: Expected): WatchEvent<T> {
  const { type, object } = isJsonObject(value) ? value : {};
  switch (typeof type === 'string' ? type : '') {
    case 'ADDED':
      return { type: 'added', object: asObject(object, expected) as T };
    case 'MODIFIED':
      return { type: 'modified', object: asObject(object, expected) as T };
    case 'DELETED':
      return { type: 'deleted', object: asObject(object, expected) as T };
    case 'BOOKMARK':
      return readBookmark(object, expected);
    case 'ERROR':
      throw eventError({ what: expected.what, target: undefined }, object);
    default:
      throw malformed(expected.what, 'holds a line that is no watch event');
  }
}

function readBookmark(object: unknown, { what }: Expected): Extract<WatchEvent<never>, { type: 'bookmark' }> {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const { resourceVersion, annotations } = isJsonObject(metadata) ? metadata : {};
  if (typeof resourceVersion !== 'string' || resourceVersion === '')
    throw malformed(what, 'holds a bookmark without a revision');
  const ends = isJsonObject(annotations) && ownValue(annotations, initialEventsEnd) === 'true';
  return { type: 'bookmark', resourceVersion, initialEventsEnd: ends };
}
