import { VirtualClock } from '@lifeline/core/testing';
import { createMetrics } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { EmptiedKinds } from './emptied-kinds.ts';
import { defaultSweepRules, SweepGate } from './gate.ts';

function world(believed: readonly string[] = []) {
  const clock = new VirtualClock();
  const metrics = createMetrics();
  const emptied = new EmptiedKinds(new SweepGate({ clock, metrics }, defaultSweepRules), believed);
  const permit = (knowsTheirNamespaces: boolean) =>
    emptied.permit({ project: 'p', id: 'Connector', copies: 3, knowsTheirNamespaces }).at;
  return { clock, metrics, emptied, permit };
}

describe('a kind of which a project has nothing left', () => {
  it('is believed after the minimum age, where the plane has a Namespace of its copies', async () => {
    const { clock, permit } = world();
    expect(permit(true)).toBe('wait');
    await clock.advance(300_000);
    expect(permit(true)).toBe('go');
  });

  it('one object of it starts the age anew', async () => {
    const { clock, emptied, permit } = world();
    permit(true);
    await clock.advance(299_000);
    emptied.back('p', 'Connector');
    await clock.advance(1_000);
    expect(permit(true)).toBe('wait');
  });

  it('is never believed of a plane that has none of those Namespaces, unless an operator says so', async () => {
    const doubted = world();
    const told = world(['p']);
    for (const { clock, permit } of [doubted, told]) {
      permit(false);
      await clock.advance(86_400_000);
    }
    expect(doubted.permit(false)).toBe('wait');
    expect(told.permit(false)).toBe('go');
    expect(await doubted.metrics.text()).toContain('lifeline_sweep_total{result="refused"} 2');
    expect(await doubted.metrics.text()).toContain('lifeline_orphans 3');
  });
});
