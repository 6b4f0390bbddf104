import { VirtualClock } from '@lifeline/core/testing';
import { createMetrics } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { SweepGate, type SweepRules } from './gate.ts';

const rules: SweepRules = { minAgeMs: 300_000, everyMs: 60_000, maxDeletions: 2, dryRun: false };

function gate(over: Partial<SweepRules> = {}) {
  const clock = new VirtualClock();
  const metrics = createMetrics();
  return { clock, metrics, gate: new SweepGate({ clock, metrics }, { ...rules, ...over }) };
}

describe('the gate of sweeps', () => {
  it('nothing goes before it was found gone for the whole minimum age', async () => {
    const { clock, gate: held } = gate();
    expect(held.permit('p')).toEqual({ at: 'wait', afterMs: 300_000 });
    await clock.advance(299_999);
    expect(held.permit('p')).toEqual({ at: 'wait', afterMs: 1 });
    await clock.advance(1);
    expect(held.permit('p')).toEqual({ at: 'go' });
  });

  it('what was there in between begins anew', async () => {
    const { clock, gate: held } = gate();
    held.youngFor('p');
    await clock.advance(200_000);
    held.forget('p');
    expect(held.youngFor('p')).toBe(300_000);
  });

  it('at most so many deletions in a sweep, over all subjects; the rest waits for the next', async () => {
    const { clock, metrics, gate: held } = gate();
    held.youngFor('p');
    held.youngFor('q');
    await clock.advance(300_000);
    expect([held.permit('p').at, held.permit('q').at]).toEqual(['go', 'go']);
    await clock.advance(20_000);
    expect(held.permit('p')).toEqual({ at: 'wait', afterMs: 40_000 });
    await clock.advance(40_000);
    expect([held.permit('p').at, held.permit('p').at, held.permit('p').at]).toEqual(['go', 'go', 'wait']);
    expect(await metrics.text()).toContain('lifeline_sweep_total{result="capped"} 2');
  });

  it('a dry run permits nothing, and counts', async () => {
    const { clock, metrics, gate: held } = gate({ dryRun: true });
    held.youngFor('p');
    await clock.advance(300_000);
    expect(held.permit('p')).toEqual({ at: 'wait', afterMs: 60_000 });
    expect(await metrics.text()).toContain('lifeline_sweep_total{result="dry-run"} 1');
  });
});
