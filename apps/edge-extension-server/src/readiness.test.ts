import { VirtualClock } from '@lifeline/core/testing';
import { type HealthState } from '@lifeline/k8s';
import { testEnv } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HealthService } from './grpc/health-service.ts';
import { followReadiness } from './readiness.ts';

describe('readiness', () => {
  let clock: VirtualClock;
  let life: AbortController;
  let state: HealthState;
  let health: HealthService;
  /** Ends the running call; undefined when none runs. */
  let endCall: (() => void) | undefined;
  let wentAway: number[];
  let running: Promise<void>;
  beforeEach(async () => {
    clock = new VirtualClock();
    life = new AbortController();
    state = { ok: true };
    health = new HealthService([]);
    endCall = undefined;
    wentAway = [];
    const { log } = testEnv({ clock, signal: life.signal });
    running = followReadiness(
      {
        clock,
        log,
        health,
        check: () => state,
        hook: { idle: () => (endCall ? new Promise((resolve) => (endCall = resolve)) : Promise.resolve()) },
        goAway: () => wentAway.push(clock.monotonic()),
      },
      life.signal,
    );
    await clock.settle();
  });
  afterEach(async () => {
    life.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  it('is what the health service says, within a second', async () => {
    expect(health.isServing).toBe(true);
    state = { ok: false, reason: 'stale' };
    await clock.advance(1_000);
    expect(health.isServing).toBe(false);
    state = { ok: true };
    await clock.advance(1_000);
    expect(health.isServing).toBe(true);
  });

  it('sends callers away once, each time that it is lost', async () => {
    for (let time = 0; time < 2; time++) {
      state = { ok: false, reason: 'stale' };
      await clock.advance(5_000);
      expect(wentAway).toHaveLength(time + 1);
      state = { ok: true };
      await clock.advance(1_000);
    }
  });

  it('sends them away after the running call', async () => {
    endCall = () => undefined;
    state = { ok: false, reason: 'stale' };
    await clock.advance(3_000);
    expect([health.isServing, wentAway]).toEqual([false, []]);
    endCall();
    await clock.settle();
    expect(wentAway).toEqual([3_000]);
  });

  it('does not wait for ever for a moment without a call', async () => {
    endCall = () => undefined;
    state = { ok: false, reason: 'stale' };
    await clock.advance(10_000);
    expect(wentAway).toEqual([6_000]);
  });
});
