import { seeded } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Limiter } from './limiter.ts';

describe('Limiter', () => {
  it('hands places on in order, past those who left', async () => {
    const limiter = new Limiter(1);
    const { signal } = new AbortController();
    const leaver = new AbortController();
    const first = await limiter.take(signal);
    const order: string[] = [];
    const left = limiter.take(leaver.signal).catch((reason: unknown) => order.push(String(reason)));
    const second = limiter.take(signal).then((place) => (order.push('second'), place));
    const third = limiter.take(signal).then((place) => (order.push('third'), place));
    leaver.abort('left');
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    await Promise.all([left, third]);
    expect(order).toEqual(['left', 'second', 'third']);
  });

  it('never lets more in than it has places, and loses none', async () => {
    const random = seeded('limiter');
    const limiter = new Limiter(5);
    let [inside, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const stop = new AbortController();
        if (random.int(4) === 0) queueMicrotask(() => stop.abort(new Error('left')));
        const place = await limiter.take(stop.signal).catch(() => undefined);
        if (!place) return;
        most = Math.max(most, ++inside);
        for (let n = random.int(5); n > 0; n--) await Promise.resolve();
        inside--;
        place[Symbol.dispose]();
      }),
    );
    expect(most).toBe(5);
    const places = await Promise.all(Array.from({ length: 5 }, () => limiter.take(new AbortController().signal)));
    expect(places).toHaveLength(5);
  });
});
