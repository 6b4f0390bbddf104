import { bodyOf, type KubeObject, parseJson } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WatchEvent } from './client.ts';
import { type KubeError } from './kube-error.ts';
import { WatchStream } from './watch-decoder.ts';

const expected = { what: 'GET https://api.test/gadgets', apiVersion: 'example.dev/v1', kind: 'Gadget' };
const utf8 = new TextEncoder();

const gadget = (name: string, rest: object = {}): object => ({
  apiVersion: 'example.dev/v1',
  kind: 'Gadget',
  metadata: { name },
  ...rest,
});
const line = (type: string, object: unknown): string => JSON.stringify({ type, object });

interface Outcome {
  readonly events: WatchEvent<KubeObject>[];
  readonly error: unknown;
  readonly ended: number;
  readonly released: number;
}

/** Everything that a stream gives for a body. */
async function read(body: AsyncIterable<Uint8Array>): Promise<Outcome> {
  let [ended, released] = [0, 0];
  const inner = body[Symbol.asyncIterator]();
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => inner.next(),
      return: () => (released++, Promise.resolve({ done: true, value: undefined })),
    }),
  };
  const stream = new WatchStream(source, {
    expected,
    read: parseJson,
    turn: () => undefined,
    failure: (error) => error,
    ended: () => ended++,
  });
  const events: WatchEvent<KubeObject>[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: undefined, ended, released };
  } catch (error) {
    return { events, error, ended, released };
  }
}

async function* pieces(...chunks: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield await Promise.resolve(chunk);
  }
}

const readText = (text: string): Promise<Outcome> => read(bodyOf(utf8.encode(text)));

describe('WatchStream', () => {
  it('reads what has come when it has its turn, and not at all when it was returned meanwhile', async () => {
    const turns: (() => void)[] = [];
    const body = (async function* () {
      yield utf8.encode(`${line('ADDED', gadget('a'))}\n`);
      await Promise.resolve();
      yield utf8.encode(`${line('ADDED', gadget('b'))}\n`);
    })();
    const turn = (): Promise<void> => new Promise((resolve) => turns.push(resolve));
    const stream = new WatchStream(body, {
      expected,
      read: parseJson,
      turn,
      failure: (error) => error,
      ended: () => undefined,
    });
    const settled = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await Promise.resolve();
    };
    let first: unknown;
    void stream.next().then((result) => (first = result));
    await settled();
    expect([first, turns.length]).toEqual([undefined, 1]);
    turns[0]?.();
    await settled();
    expect(first).toMatchObject({ value: { type: 'added', object: gadget('a') } });
    const second = stream.next();
    await settled();
    void stream.return();
    turns[1]?.();
    expect(await second).toEqual({ done: true, value: undefined });
  });

  // C40: multi-byte characters, a line separator that is none, an emoji, the longest escapes.
  const message = '漢字🙂é\u2028\u0085\\u2028 "\\n"';
  const object = gadget('a', { status: { message } });
  const text = `${line('ADDED', object)}\r\n\n  \n${line('MODIFIED', gadget('b'))}\n${line('DELETED', object)}\n`;
  const bytes = utf8.encode(text);
  const whole = [
    { type: 'added', object },
    { type: 'modified', object: gadget('b') },
    { type: 'deleted', object },
  ];

  it('C40: gives the same events wherever the bytes are cut in two', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { events, error } = await read(pieces(bytes.subarray(0, cut), bytes.subarray(cut)));
      expect([events, error], `cut at ${cut}`).toEqual([whole, undefined]);
    }
  });

  it('C40: gives the same events in pieces of any sizes, one byte included', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const length = lengths[i % lengths.length] ?? 1;
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        expect((await read(pieces(...chunks))).events).toEqual(whole);
      }),
      { seed: 40, numRuns: 200, examples: [[[1]]] },
    );
  });

  it('a stream that ends inside an event is an error, wherever it ends', async () => {
    const one = utf8.encode(line('ADDED', object));
    for (let cut = 1; cut < one.length; cut++) {
      const { events, error } = await read(bodyOf(one.subarray(0, cut)));
      expect([events, (error as KubeError).code], `cut at ${cut}`).toEqual([[], 'unavailable']);
    }
    expect((await read(bodyOf(one))).events).toEqual(whole.slice(0, 1));
  });

  it('reads a huge line in many pieces', async () => {
    const huge = gadget('big', { data: 'x'.repeat(2_000_000) });
    const long = utf8.encode(`${line('ADDED', huge)}\n`);
    const chunks = Array.from({ length: Math.ceil(long.length / 1_000) }, (_, i) =>
      long.subarray(i * 1_000, (i + 1) * 1_000),
    );
    const { events } = await read(pieces(...chunks));
    expect(events).toEqual([{ type: 'added', object: huge }]);
  });

  it('keeps every digit', async () => {
    const { events } = await readText(
      '{"type":"ADDED","object":{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":"a"},"n":[9007199254740993,1.0,-0]}}\n',
    );
    const [event] = events;
    if (event?.type !== 'added') throw new Error('no event');
    expect(String((event.object as unknown as { n: unknown[] }).n)).toBe('9007199254740993,1.0,-0');
  });

  it.each([
    {
      name: 'plain',
      metadata: { resourceVersion: '7' },
      want: { type: 'bookmark', resourceVersion: '7', initialEventsEnd: false },
    },
    {
      name: 'at the end of the initial events',
      metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } },
      want: { type: 'bookmark', resourceVersion: '7', initialEventsEnd: true },
    },
  ])('reads a bookmark: $name', async ({ metadata, want }) => {
    expect((await readText(`${line('BOOKMARK', { metadata })}\n`)).events).toEqual([want]);
  });

  it.each([
    { name: 'another type', text: line('RENAMED', gadget('a')) },
    { name: 'no type', text: '{}' },
    { name: 'no JSON', text: '<html>sign in</html>' },
    { name: 'another kind', text: line('ADDED', { ...gadget('a'), kind: 'Gizmo' }) },
    { name: 'another version', text: line('ADDED', { ...gadget('a'), apiVersion: 'example.dev/v2' }) },
    { name: 'an object without a name', text: line('ADDED', { ...gadget('a'), metadata: {} }) },
    { name: 'a bookmark without a revision', text: line('BOOKMARK', { metadata: {} }) },
    { name: 'an error without a Status', text: line('ERROR', 'oops') },
    { name: 'a list', text: '[]' },
  ])('throws at $name, after the events before it, and lets go of the stream', async ({ text: bad }) => {
    const { events, error, ended, released } = await readText(
      `${line('ADDED', gadget('a'))}\n${bad}\n${line('ADDED', gadget('b'))}\n`,
    );
    expect(events).toHaveLength(1);
    expect([(error as KubeError).code, ended, released]).toEqual(['malformed', 1, 1]);
  });

  it('throws at bytes that are not UTF-8 instead of inventing characters', async () => {
    const broken = utf8.encode(`${line('ADDED', gadget('a', { text: 'é' }))}\n`);
    broken[broken.indexOf(0xc3) + 1] = 0x20;
    expect((await read(bodyOf(broken))).error).toMatchObject({ code: 'malformed' });
  });

  it('C36: an ERROR event says what is wrong', async () => {
    const { events, error } = await readText(`${line('ADDED', gadget('a'))}\n${line('ERROR', { code: 410 })}\n`);
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ code: 'gone', status: 410 });
  });

  it('hands on what breaks the stream', async () => {
    const cause = new Error('reset');
    const { events, error, ended } = await read(pieces(utf8.encode(`${line('ADDED', gadget('a'))}\n{"ty`), cause));
    expect([events.length, error, ended]).toEqual([1, cause, 1]);
  });

  it('a return ends it once, and a read that was pending ends in peace, half a line or not', async () => {
    let finish = (): void => undefined;
    let ended = 0;
    const source: AsyncIterator<Uint8Array> = {
      next: () => new Promise((resolve) => (finish = () => resolve({ done: true, value: undefined }))),
      return: () => (finish(), Promise.resolve({ done: true, value: undefined })),
    };
    const half = pieces(utf8.encode('{"ty'));
    const first = half.next();
    const body = {
      [Symbol.asyncIterator]: () => ({
        ...source,
        next: once(
          () => first,
          () => source.next(),
        ),
      }),
    };
    const stream = new WatchStream(body, {
      expected,
      read: parseJson,
      turn: () => undefined,
      failure: (error) => error,
      ended: () => ended++,
    });
    const pending = stream.next();
    await Promise.resolve().then(() => undefined);
    await stream.return();
    await stream.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(ended).toBe(1);
  });
});

/** The first call, then the others. */
function once<T>(first: () => T, then: () => T): () => T {
  let called = false;
  return () => {
    if (called) return then();
    called = true;
    return first();
  };
}
