import { describe, expect, it } from 'vitest';
import { later, monotonicMs, sleepWith, systemClock } from './time.ts';

describe('systemClock', () => {
  it('sleeps, and neither clock goes back', async () => {
    const [wall, monotonic] = [systemClock.now(), systemClock.monotonic()];
    await systemClock.sleep(1);
    expect(systemClock.now()).toBeGreaterThanOrEqual(wall);
    expect(systemClock.monotonic()).toBeGreaterThan(monotonic);
  });

  it('does not fire a timer of 30 days at once, as setTimeout would', async () => {
    let fired = false;
    using _timer = systemClock.timer(30 * 86_400_000, () => (fired = true));
    await systemClock.sleep(5);
    expect(fired).toBe(false);
  });

  it('forgets a disposed timer, twice disposed or not', async () => {
    let fired = false;
    const timer = systemClock.timer(1, () => (fired = true));
    timer[Symbol.dispose]();
    timer[Symbol.dispose]();
    await systemClock.sleep(5);
    expect(fired).toBe(false);
  });
});

describe('sleepWith', () => {
  it('rejects at once, and sets no timer, when the signal has aborted', async () => {
    const timer = (): never => {
      throw new Error('no timer should be set');
    };
    await expect(sleepWith({ timer }, 10, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});

it('later adds a span to an origin', () => {
  expect(later(monotonicMs(5), 10)).toBe(15);
});
