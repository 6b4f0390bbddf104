import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';

const chunk = (n: number): Uint8Array => Uint8Array.of(n);

function stream(
  initial: readonly number[] = [],
  backlog = 3,
): { readonly stream: EventStream; readonly closed: () => number } {
  let closed = 0;
  return {
    stream: new EventStream({ initial: initial.map(chunk).values(), backlog, closed: () => void closed++ }),
    closed: () => closed,
  };
}

async function read(from: EventStream, count: number): Promise<readonly (number | undefined)[]> {
  const values: (number | undefined)[] = [];
  for (let i = 0; i < count; i++) values.push((await from.next()).value?.[0]);
  return values;
}

describe('an event stream', () => {
  it('gives out the beginning, then what came meanwhile, then what comes', async () => {
    const { stream: events } = stream([1, 2]);
    events.push(chunk(3));
    expect(await read(events, 3)).toEqual([1, 2, 3]);
    const next = events.next();
    events.push(chunk(4));
    events.push(chunk(5));
    expect((await next).value).toEqual(chunk(4));
    expect(await read(events, 1)).toEqual([5]);
  });

  it('takes the beginning as it is read', async () => {
    let made = 0;
    function* initial(): Generator<Uint8Array, void, undefined> {
      for (;;) yield chunk(++made);
    }
    const events = new EventStream({ initial: initial(), backlog: 1, closed: () => undefined });
    expect([await read(events, 2), made]).toEqual([[1, 2], 2]);
  });

  it('is read to its clean end', async () => {
    const { stream: events, closed } = stream([1]);
    events.push(chunk(2));
    events.end();
    events.end();
    events.push(chunk(3));
    expect(await read(events, 4)).toEqual([1, 2, undefined, undefined]);
    expect(closed()).toBe(1);
  });

  it('wakes who waits when it ends or breaks', async () => {
    const ending = stream();
    const last = ending.stream.next();
    ending.stream.end();
    expect(await last).toEqual({ done: true, value: undefined });
    const breaking = stream();
    const broken = breaking.stream.next();
    breaking.stream.break(new Error('cut'));
    await expect(broken).rejects.toThrow('cut');
  });

  it('loses what was not read when it breaks', async () => {
    const { stream: events, closed } = stream([1]);
    events.push(chunk(2));
    events.break(new Error('cut'));
    await expect(events.next()).rejects.toThrow('cut');
    await expect(events.next()).rejects.toThrow('cut');
    expect(closed()).toBe(1);
  });

  it('ends behind its backlog', async () => {
    const { stream: events, closed } = stream([], 2);
    for (let i = 1; i < 6; i++) events.push(chunk(i));
    expect(closed()).toBe(1);
    expect(await read(events, 4)).toEqual([1, 2, 3, undefined]);
  });

  it('is over when its reader has gone', async () => {
    const { stream: events, closed } = stream([1]);
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect([await read(events, 1), closed()]).toEqual([[undefined], 1]);
  });
});
