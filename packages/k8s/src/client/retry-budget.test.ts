import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import type { KubeError } from './kube-error.ts';
import { type BudgetPass, createRetryBudget, type Fate } from './retry-budget.ts';

const server = 'https://api.test';
const plane = (name: string): string => `${server}/planes/${name}`;
const answered: Fate = { at: 'answered' };
const unreachable: Fate = { at: 'unreachable' };
const throttled = (pauseMs: number): Fate => ({ at: 'throttled', pauseMs });
const unavailable = (pauseMs: number): Fate => ({ at: 'unavailable', pauseMs });

function setUp(seed = 'budget') {
  const clock = new VirtualClock();
  const budget = createRetryBudget({ clock, random: seeded(seed) });
  const controller = new AbortController();
  /** What became of an attempt to send, and when. */
  const ask = (baseUrl = plane('a'), { signal = controller.signal, urgent = false } = {}) => {
    const attempt: { at?: number; pass?: BudgetPass; error?: KubeError } = {};
    budget.enter(baseUrl, { signal, urgent }).then(
      (pass) => Object.assign(attempt, { pass, at: clock.monotonic() }),
      (error: unknown) => Object.assign(attempt, { error, at: clock.monotonic() }),
    );
    return attempt;
  };
  const send = async (fate: Fate, baseUrl?: string) => {
    const attempt = ask(baseUrl);
    await clock.run((async () => { while (attempt.at === undefined) await clock.sleep(1); })()); // prettier-ignore
    attempt.pass?.settle(fate);
    return attempt;
  };
  return { clock, budget, controller, ask, send };
}

describe('RetryBudget', () => {
  it('a 429 holds its plane back for as long as asked, and no other', async () => {
    const { clock, ask, send } = setUp();
    await send(throttled(7_000));
    const waiting = ask();
    const other = ask(plane('b'));
    await clock.settle();
    expect([waiting.at, other.at]).toEqual([undefined, clock.monotonic()]);
    await clock.advance(6_990);
    expect(waiting.at).toBeUndefined();
    await clock.advance(10);
    expect(waiting.pass).toBeDefined();
  });

  it.each([{ fate: unavailable(5_000) }, { fate: unreachable }])(
    '$fate.at holds every plane of the server back',
    async ({ fate }) => {
      const { clock, ask, send } = setUp();
      await send(fate);
      const [other, elsewhere] = [ask(plane('b')), ask('https://other.test')];
      await clock.settle();
      expect([other.at, elsewhere.pass !== undefined]).toEqual([undefined, true]);
    },
  );

  it('one request goes first after a pause; the rest follow when it was answered', async () => {
    const { clock, ask, send } = setUp();
    await send(throttled(2_000));
    const informers = Array.from({ length: 50 }, () => ask());
    await clock.advance(2_000);
    const first = informers.filter(({ pass }) => pass);
    expect(first).toHaveLength(1);
    first[0]?.pass?.settle(answered);
    await clock.settle();
    expect(informers.filter(({ pass }) => pass)).toHaveLength(50);
    expect(clock.pending).toBe(0);
  });

  it('the next takes over when the first is given up, or fails to tell anything', async () => {
    const { clock, ask, send } = setUp();
    await send(throttled(2_000));
    const [first, second] = [ask(), ask()];
    await clock.advance(2_000);
    first.pass?.settle({ at: 'abandoned' });
    await clock.settle();
    expect(second.pass).toBeDefined();
  });

  it('own pauses grow while tries fail, at random between nothing and a bound, and start over after an answer', async () => {
    const gaps: number[] = [];
    for (let seed = 0; seed < 200; seed++) {
      const { clock, budget } = setUp(`seed ${seed}`);
      const { signal } = new AbortController();
      for (let failure = 0; failure < 8; failure++) {
        const start = clock.monotonic();
        // A pause that is too long to be waited out is refused at once; then it is slept through here.
        let pass: BudgetPass | undefined;
        while (!pass) {
          pass = await clock.run(budget.enter(server, { signal })).catch(async (error: unknown) => {
            await clock.advance((error as KubeError).retryAfterMs ?? 0);
            return undefined;
          });
        }
        gaps[failure] = Math.max(gaps[failure] ?? 0, clock.monotonic() - start);
        expect(clock.monotonic() - start).toBeLessThanOrEqual(
          failure === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (failure - 1)),
        );
        pass.settle(unreachable);
      }
    }
    expect(gaps[0]).toBe(0);
    expect(gaps[1]).toBeGreaterThan(900);
    expect(gaps[7]).toBeGreaterThan(54_000);
    const { clock, send } = setUp();
    for (const fate of [unreachable, unreachable, unreachable, answered, unreachable]) await send(fate);
    const start = clock.monotonic();
    await send(answered);
    expect(clock.monotonic() - start).toBeLessThanOrEqual(1_001);
  });

  it('the longer of the own pause and the one asked for wins', async () => {
    const shortest: number[] = [];
    for (let seed = 0; seed < 50; seed++) {
      const { clock, ask, send } = setUp(`seed ${seed}`);
      for (let failure = 0; failure < 3; failure++) await send(throttled(1_000));
      const start = clock.monotonic();
      const next = ask();
      await clock.advance(10_000);
      shortest.push((next.at ?? Infinity) - start);
    }
    expect(Math.min(...shortest)).toBeGreaterThanOrEqual(999);
    expect(Math.max(...shortest)).toBeGreaterThan(3_000);
  });

  it('many failures of one moment count once', async () => {
    const { clock, ask } = setUp();
    const together = Array.from({ length: 50 }, () => ask());
    await clock.settle();
    for (const { pass } of together) pass?.settle(unreachable);
    const next = ask();
    await clock.advance(1_000);
    expect(next.pass).toBeDefined();
  });

  it('a late witness may lengthen a pause, and an early answer does not end it', async () => {
    const { clock, ask } = setUp();
    const [one, two, three] = [ask(), ask(), ask()];
    await clock.settle();
    one.pass?.settle(throttled(2_000));
    two.pass?.settle(throttled(5_000));
    three.pass?.settle(answered);
    const next = ask();
    await clock.advance(4_999);
    expect(next.pass).toBeUndefined();
    await clock.advance(1);
    expect(next.pass).toBeDefined();
  });

  it('a pause that is longer than a worker may be held is refused at once, with the time', async () => {
    const { clock, ask, send } = setUp();
    await send(throttled(60_000));
    const refused = ask();
    await clock.settle();
    expect(refused.error).toMatchObject({ code: 'throttled' });
    expect(refused.error?.retryAfterMs).toBeGreaterThan(59_900);
    await send(unavailable(30_000), plane('b'));
    const other = ask(plane('c'));
    await clock.settle();
    expect(other.error).toMatchObject({ code: 'unavailable' });
  });

  it('a first request without an answer holds nobody for longer than that either', async () => {
    const { clock, ask, send } = setUp();
    await send(throttled(2_000));
    const [stuck, waiting] = [ask(), ask()];
    await clock.advance(9_999);
    expect([stuck.pass !== undefined, waiting.at]).toEqual([true, undefined]);
    await clock.advance(1);
    expect(waiting.error).toMatchObject({ code: 'throttled' });
    expect(clock.pending).toBe(0);
  });

  it('a stream that is throttled in its middle holds its plane back', async () => {
    const { clock, budget, ask } = setUp();
    budget.throttle(plane('a'), 3_000);
    const next = ask();
    await clock.advance(2_999);
    expect(next.pass).toBeUndefined();
    await clock.advance(1);
    expect(next.pass).toBeDefined();
  });

  describe('an urgent request', () => {
    const urgent = { urgent: true };

    it('that was asked for a pause is obeyed by the first request after a pause of ours, which fails meanwhile', async () => {
      const { clock, ask, send } = setUp();
      await send(unreachable);
      const first = ask();
      await clock.advance(2_000);
      expect(first.pass).toBeDefined();
      const renewal = ask(plane('a'), urgent);
      await clock.settle();
      renewal.pass?.settle(unavailable(60_000));
      await clock.advance(5_000);
      first.pass?.settle(unreachable);
      const next = ask();
      await clock.settle();
      expect(next.error).toMatchObject({ code: 'unavailable', retryAfterMs: 55_000 });
    });

    it('does not wait for a pause that is ours, nor make it longer; its answer ends it', async () => {
      const { clock, ask, send } = setUp();
      await send(unreachable);
      for (let i = 0; i < 20; i++) {
        const renewal = ask(plane('a'), urgent);
        await clock.settle();
        expect(renewal.at).toBe(clock.monotonic());
        renewal.pass?.settle(unreachable);
      }
      const [other] = [ask()];
      await clock.advance(1_000);
      expect(other.pass).toBeDefined();
      other.pass?.settle(unreachable);
      const renewal = ask(plane('a'), urgent);
      await clock.settle();
      renewal.pass?.settle(answered);
      const next = ask();
      await clock.settle();
      expect(next.pass).toBeDefined();
    });

    it('does not wait for the first request after a pause', async () => {
      const { clock, ask, send } = setUp();
      await send(unreachable);
      await clock.advance(1_000);
      const [first, waiting, renewal] = [ask(), ask(), ask(plane('a'), urgent)];
      await clock.settle();
      expect([first.pass !== undefined, waiting.at, renewal.pass !== undefined]).toEqual([true, undefined, true]);
    });

    it.each([{ fate: unavailable(5_000) }, { fate: throttled(5_000) }])(
      'waits when the server asked for it: $fate.at',
      async ({ fate }) => {
        const { clock, ask, send } = setUp();
        await send(fate);
        const renewal = ask(plane('a'), urgent);
        await clock.advance(4_990);
        expect(renewal.at).toBeUndefined();
        await clock.advance(20);
        expect(renewal.pass).toBeDefined();
      },
    );
  });

  it('waiting ends with the signal, and leaves no timer', async () => {
    const { clock, controller, ask, send } = setUp();
    await send(throttled(5_000));
    const waiting = ask();
    await clock.settle();
    const reason = new Error('enough');
    controller.abort(reason);
    await clock.settle();
    expect([waiting.error, clock.pending]).toEqual([reason, 0]);
  });
});
