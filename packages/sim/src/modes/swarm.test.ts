import { describe, expect, it } from 'vitest';
import { injectedFaults } from '../faults/all-faults.ts';
import { echoScenario } from '../testing/echo.fixture.ts';
import { drawSchedule, drawTwin, familyOf, familySize } from './swarm.ts';

const scenario = echoScenario();
const seeds = Array.from({ length: 400 }, (_, i) => i + 1);

describe('swarm draws', () => {
  it('a seed gives one schedule, another seed another', () => {
    expect(drawSchedule(scenario, 7)).toEqual(drawSchedule(scenario, 7));
    expect(drawSchedule(scenario, 7).steps).not.toEqual(drawSchedule(scenario, 8).steps);
  });

  it('seeds of one family share world and users; ids are unique', () => {
    for (const seed of seeds.slice(0, 50)) {
      const twin = drawTwin(scenario, seed);
      const { steps, shape } = drawSchedule(scenario, seed);
      expect(familyOf(seed)).toBe(Math.floor((seed - 1) / familySize));
      expect([shape, steps.filter(({ step }) => step === 'act')]).toEqual([twin.shape, twin.steps]);
      expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
    }
  });

  it('draws every fault that the world has a place for, alone and in company', () => {
    const alone = new Set<string>();
    const drawn = new Set<string>();
    for (const seed of seeds) {
      const faults = new Set(
        drawSchedule(scenario, seed).steps.flatMap((step) => (step.step === 'fault' ? [step.fault] : [])),
      );
      for (const fault of faults) drawn.add(fault);
      const [only] = faults;
      if (faults.size === 1 && only) alone.add(only);
    }
    // One replica, one version, one plane, no hub and no edge.
    const impossible = ['F05', 'F06', 'F20', 'F22', 'F25'];
    const possible = injectedFaults.map(({ id }) => id).filter((id) => !impossible.includes(id));
    expect([...drawn].toSorted()).toEqual(possible.toSorted());
    expect([...alone].toSorted()).toEqual(possible.toSorted());
  });

  it('one in ten ends in the storm, one in four of the rest with dead links', () => {
    const ends = Map.groupBy(seeds, (seed) => drawSchedule(scenario, seed).then.at);
    expect(ends.get('end')?.length).toBeGreaterThan(20);
    expect(ends.get('end')?.length).toBeLessThan(70);
    expect(ends.get('dead-links')?.length).toBeGreaterThan(55);
    expect(ends.get('dead-links')?.length).toBeLessThan(130);
  });

  it('a choice of faults is kept', () => {
    for (const seed of seeds.slice(0, 20))
      for (const step of drawSchedule(scenario, seed, { faults: ['F02'] }).steps)
        if (step.step === 'fault') expect(step.fault).toBe('F02');
  });
});
