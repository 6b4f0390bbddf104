import { VirtualClock, seeded } from '@lifeline/core/testing';
import { createLog, KubeError } from '@lifeline/k8s';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { throughConflicts } from './conflicts.ts';
import { Hop, Hops } from './hops.ts';
import { Retries } from './retries.ts';
import { serverWords } from './server-words.ts';
import { rateLimited, TokenBucket } from './token-bucket.ts';
import { Workers, type WorkersOptions } from './workers.ts';

const never = new AbortController().signal;

describe('TokenBucket', () => {
  it('a burst at once, then at its pace; what was saved up is spent once', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock, { qps: 40, burst: 3 });
    expect(Array.from({ length: 5 }, () => bucket.take())).toEqual([0, 0, 0, 25, 50]);
    await clock.advance(50);
    expect(bucket.take()).toBe(25);
    await clock.advance(100_000);
    expect(Array.from({ length: 4 }, () => bucket.take())).toEqual([0, 0, 0, 25]);
  });

  it('never lets more through than burst and pace allow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100), { minLength: 1, maxLength: 60, size: 'max' }), async (gaps) => {
        const clock = new VirtualClock();
        const bucket = new TokenBucket(clock, { qps: 20, burst: 5 });
        const sent: number[] = [];
        for (const gap of gaps) {
          await clock.advance(gap);
          sent.push(clock.monotonic() + bucket.take());
        }
        for (const [index, at] of sent.entries()) {
          const before = sent.slice(0, index).filter((other) => other > at - 1000).length;
          expect(before).toBeLessThanOrEqual(25);
        }
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  it('requests wait for their token, in order', async () => {
    const clock = new VirtualClock();
    const sent: number[] = [];
    const transport = rateLimited(
      new TokenBucket(clock, { qps: 10, burst: 1 }),
      clock,
    )(async () => {
      sent.push(clock.monotonic());
      return { status: 200, headers: {}, body: (async function* () {})() };
    });
    const request = { method: 'GET', url: 'https://a.test/', headers: {} };
    await clock.run(Promise.all([1, 2, 3].map(() => transport(request, { signal: never }))));
    expect(sent).toEqual([0, 100, 200]);
  });
});

describe('Retries', () => {
  it('rule 11: doubled from 5 ms up to the cap; only a success takes it back', () => {
    const retries = new Retries(new VirtualClock(), { baseMs: 5, maxMs: 1_000_000 });
    const pauses = Array.from({ length: 20 }, () => retries.next('a'));
    expect(pauses.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(pauses[17]).toBe(655_360);
    expect(pauses[19]).toBe(1_000_000);
    expect(retries.next('b')).toBe(5);
    retries.succeeded('a');
    expect(retries.next('a')).toBe(5);
  });

  it('many failing keys together are held to the common pace', () => {
    const retries = new Retries(new VirtualClock(), { baseMs: 5, maxMs: 1_000, rate: { qps: 10, burst: 100 } });
    const pauses = Array.from({ length: 110 }, (_, index) => retries.next(String(index)));
    expect(pauses[99]).toBe(5);
    expect(pauses[109]).toBe(1_000);
  });
});

describe('throughConflicts', () => {
  const conflict = new KubeError('conflict', 'somebody was first');

  it('rule 16: five tries in all, 10 ms apart', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const attempt = async (): Promise<void> => {
      at.push(clock.monotonic());
      throw conflict;
    };
    await expect(clock.run(throughConflicts(attempt, clock, never))).rejects.toBe(conflict);
    expect(at).toEqual([0, 10, 20, 30, 40]);
  });

  it('other failures are not tried again', async () => {
    let tries = 0;
    const attempt = async (): Promise<void> => {
      tries++;
      throw new KubeError('invalid', 'no');
    };
    await expect(throughConflicts(attempt, new VirtualClock(), never)).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});

describe('Workers', () => {
  function workers(clock: VirtualClock, options: Partial<WorkersOptions> = {}): Workers {
    return new Workers({
      name: 'test',
      count: 1,
      hop: new Hop(seeded(1), undefined),
      clock,
      log: createLog({ clock, write: () => undefined }),
      retries: new Retries(clock, { baseMs: 5, maxMs: 1_000 }),
      reconcile: async () => undefined,
      ...options,
    });
  }

  it('a failing key keeps its own time: an event in between takes nothing of it away', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const all = workers(clock, {
      retries: new Retries(clock, { baseMs: 100, maxMs: 10_000 }),
      reconcile: async () => {
        at.push(clock.monotonic());
        throw new Error('no');
      },
    });
    const life = new AbortController();
    const running = all.run(life.signal);
    all.add('a');
    await clock.advance(150);
    // At 150 an event: it fails, and its next pause would be 400 ms; but at 300 the key was to come anyhow.
    all.add('a');
    await clock.advance(200);
    expect(at).toEqual([0, 100, 150, 300]);
    life.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  it('keys that come meanwhile come again; never two workers at one', async () => {
    const clock = new VirtualClock();
    let busy = 0;
    let most = 0;
    let looks = 0;
    const all = workers(clock, {
      count: 3,
      reconcile: async () => {
        looks++;
        most = Math.max(most, ++busy);
        await clock.sleep(10);
        busy--;
      },
    });
    const life = new AbortController();
    const running = all.run(life.signal);
    for (let n = 0; n < 4; n++) {
      all.add('a');
      await clock.advance(4);
    }
    await clock.advance(100);
    expect([most, looks]).toEqual([1, 3]);
    life.abort();
    await running;
  });

  it('a key that wants to come again does', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const all = workers(clock, {
      reconcile: async () => {
        at.push(clock.monotonic());
        return { after: 1_000 };
      },
    });
    const life = new AbortController();
    const running = all.run(life.signal);
    all.add('a');
    await clock.advance(2_500);
    expect(at).toEqual([0, 1_000, 2_000]);
    life.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  it('F22: a paused hop holds everything, each key once, until it is resumed', async () => {
    const clock = new VirtualClock();
    const hop = new Hop(seeded(1), undefined);
    const seen: string[] = [];
    const all = workers(clock, { hop, reconcile: async (key) => void seen.push(key) });
    const life = new AbortController();
    const running = all.run(life.signal);
    all.addAfter('early', 50);
    hop.pause();
    for (const key of ['a', 'b', 'a']) all.add(key);
    await clock.advance(1_000);
    expect(seen).toEqual([]);
    hop.resume();
    await clock.advance(1_000);
    expect(seen.toSorted()).toEqual(['a', 'b', 'early']);
    life.abort();
    await running;
  });
});

describe('Hops', () => {
  it('delays have their median and their tail', () => {
    const hop = new Hop(seeded('hop'), { leastMs: 10, medianMs: 5, sigma: 1 });
    const drawn = Array.from({ length: 4_000 }, () => hop.drawMs()).toSorted((a, b) => a - b);
    expect(drawn[0]).toBeGreaterThan(10);
    expect(drawn[2_000]).toBeCloseTo(15, 0);
    expect(drawn[3_960]).toBeGreaterThan(10 + 5 * Math.exp(2));
    expect(drawn[3_960]).toBeLessThan(10 + 5 * Math.exp(2.8));
  });

  it('none takes no time, and slowing adds to it', () => {
    const hops = new Hops(seeded(1), 'none');
    const hop = hops.get('binding');
    expect(hop.drawMs()).toBe(0);
    hops.slow('binding', [100, 200]);
    const slowed = Array.from({ length: 50 }, () => hop.drawMs());
    expect(Math.min(...slowed)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...slowed)).toBeLessThan(200);
    expect(new Set(slowed).size).toBeGreaterThan(40);
    hops.slow('binding', undefined);
    expect(hop.drawMs()).toBe(0);
  });

  it('a step within a reconcile waits as well, and ends with its signal', async () => {
    const clock = new VirtualClock();
    const hop = new Hop(seeded(1), undefined);
    hop.pause();
    const life = new AbortController();
    const passed: string[] = [];
    const first = hop.pass('a', clock, never).then(() => passed.push('a'));
    const second = hop.pass('b', clock, life.signal);
    await clock.settle();
    expect(passed).toEqual([]);
    life.abort(new Error('over'));
    await expect(second).rejects.toThrow('over');
    hop.resume();
    await first;
    expect(passed).toEqual(['a']);
  });
});

describe('serverWords', () => {
  it.each([
    [
      new KubeError('conflict', 'PUT https://m1.test/apis/x: 409 Conflict Operation cannot be fulfilled', {
        status: 409,
        reason: 'Conflict',
      }),
      'Operation cannot be fulfilled',
    ],
    [
      new KubeError('kind-missing', 'POST https://m1.test/x: 404 404 page not found', { status: 404 }),
      'the server could not find the requested resource',
    ],
    [
      new KubeError('unavailable', 'PUT https://m1.test/x: connection refused'),
      'Put "https://m1.test/x": connection refused',
    ],
    [new Error('ours'), 'ours'],
  ])('%s → %s', (error, want) => {
    expect(serverWords(error)).toBe(want);
  });
});
