import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Tenure } from './tenure.ts';

describe('Tenure', () => {
  it('is as certain as the claim until it is closed, and never again', () => {
    let certainMs = 5_000;
    const tenure = new Tenure({ certainFor: () => certainMs });
    expect(tenure.certainFor()).toBe(5_000);
    certainMs = 3_000;
    expect(tenure.certainFor()).toBe(3_000);
    tenure.close();
    certainMs = 9_000;
    expect(tenure.certainFor()).toBe(0);
  });

  it('is idle when all that entered has left, however often one says so', async () => {
    const tenure = new Tenure({ certainFor: () => 1 });
    const [a, b] = [tenure.enter(), tenure.enter()];
    let idle = false;
    const waiting = tenure.idle().then(() => (idle = true));
    a[Symbol.dispose]();
    a[Symbol.dispose]();
    await Promise.resolve();
    expect(idle).toBe(false);
    b[Symbol.dispose]();
    await waiting;
    await tenure.idle();
  });

  it('waits no longer than it is told to', async () => {
    const clock = new VirtualClock();
    const tenure = new Tenure({ certainFor: () => 1 });
    expect(await tenure.idleWithin(clock, 0)).toBe(true);
    const work = tenure.enter();
    const late = tenure.idleWithin(clock, 1_000);
    await clock.advance(1_000);
    expect(await late).toBe(false);
    const soon = tenure.idleWithin(clock, 1_000);
    await clock.advance(999);
    work[Symbol.dispose]();
    expect(await soon).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
