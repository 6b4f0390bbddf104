/** Each fault does something, is put right, and hurts no app that is in order. */
import type { JsonObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { run } from '../modes/run.ts';
import type { ActStep, FaultStep, Schedule, Step } from '../schedule/step.ts';
import { echoScenario } from '../testing/echo.fixture.ts';
import { injectedFaults } from './all-faults.ts';
import { faultCatalogue, type FaultId } from './catalogue.ts';

const scenario = echoScenario();

const say = (id: number, at: number, text: string): ActStep => ({
  id,
  step: 'act',
  at,
  act: 'say',
  args: { name: 'o0', text },
});

/** Something is said before, during and after. */
const during = (fault: FaultStep): Schedule => ({
  seed: 'faults',
  shape: {},
  stormMs: 60_000,
  then: { at: 'heal' },
  steps: [
    say(0, 1_000, 'one'),
    say(1, 9_000, 'two'),
    say(2, 9_500, 'three'),
    say(3, 50_000, 'four'),
    fault,
  ] satisfies Step[],
});

const step = (fault: FaultId, args: JsonObject, at: FaultStep['at'] = 8_000): FaultStep => ({
  id: 9,
  step: 'fault',
  fault,
  at,
  forMs: 20_000,
  args,
});

const afterFirst = { replica: 'a', nth: 1 };

describe('the catalogue', () => {
  it('has F01 to F26', () => {
    expect(faultCatalogue.map(({ id }) => id)).toEqual(
      Array.from({ length: 26 }, (_, i) => `F${String(i + 1).padStart(2, '0')}`),
    );
  });

  it('every fault is injected, but for those that only users can bring about', () => {
    const injected = injectedFaults.map(({ id }) => id);
    const left = faultCatalogue.map(({ id }) => id).filter((id) => !injected.includes(id));
    expect(left).toEqual(['F18', 'F21', 'F24', 'F26']);
    expect(faultCatalogue.filter(({ inTwin }) => inTwin).map(({ id }) => id)).toEqual(left);
  });
});

describe('a fault', () => {
  it.each([
    step('F01', { replica: 'a', downMs: 500 }, afterFirst),
    step('F02', { replica: 'a', how: 'reset' }, afterFirst),
    step('F02', { replica: 'a', how: 'timeout' }, afterFirst),
    step('F03', { chance: 1, how: 'hang' }),
    step('F03', { chance: 1, how: 'reset' }),
    step('F04', { replica: 'a' }),
    step('F06', { replica: 'a', version: 0, downMs: 2_000 }),
    step('F07', { replica: 'a', plane: 'p1', restartAfterMs: 1_000 }),
    step('F08', { plane: 'p1', kind: 'ConfigMap' }),
    step('F09', { chance: 1, waitMs: 5_000 }),
    step('F10', { chance: 1 }),
    step('F11', {}),
    step('F12', { how: 'compaction', plane: 'p1' }),
    step('F12', { how: 'event', plane: 'p1' }),
    step('F13', { plane: 'p1', pageSize: 1, chance: 1, how: 'ends-early' }),
    step('F14', { chance: 1, how: 'finalizer', limit: 3 }),
    step('F14', { chance: 1, how: 'annotation', limit: 3 }),
    step('F15', { chance: 1, status: 429, retryAfter: '7' }),
    step('F15', { chance: 1, status: 504, retryAfter: '' }),
    step('F16', { how: 'forbidden', share: 0 }),
    step('F16', { how: 'no-kind', share: 0 }),
    step('F19', { works: 'reads', how: 'reset' }),
    step('F19', { works: 'writes', how: 'hang' }),
    step('F20', {}),
    step('F23', { replica: 'a', offsetMs: -86_400_000, driftMsPerHour: 3_600 }),
    step('F23', { plane: 'p1', offsetMs: 3_600_000, driftMsPerHour: 0 }),
  ])('$fault $args: fires, and all is well in the end', async (fault) => {
    const outcome = await run(scenario, during(fault));
    expect(outcome.findings).toEqual([]);
    expect(outcome.fired.get(fault.fault)).toBeGreaterThan(0);
  });

  it('F12: status and end-at-once need somebody who opens a watch', async () => {
    for (const how of ['status', 'eof']) {
      const expire = step('F12', { how, plane: 'p1', chance: 1 });
      const restart: FaultStep = { ...step('F06', { replica: 'a', version: 0, downMs: 0 }, 9_000), id: 10 };
      const schedule = during(expire);
      const outcome = await run(scenario, { ...schedule, steps: [...schedule.steps, restart] });
      expect([outcome.findings, (outcome.fired.get('F12') ?? 0) > 0]).toEqual([[], true]);
    }
  });

  it('F17: strangers write where we write', async () => {
    // What the app made is an annotation: it has no object of its own, and nothing to lose.
    const outcome = await run(scenario, during(step('F17', { how: 'delete' })));
    expect(outcome.findings).toEqual([]);
    expect(outcome.fired.has('F17')).toBe(false);
  });

  it('F07: a plane comes back from a backup', async () => {
    const outcome = await run(scenario, during(step('F07', { how: 'restore', plane: 'p1' })));
    expect([outcome.findings, outcome.fired.get('F07')]).toEqual([[], 1]);
    expect(outcome.end()).toContain('"four"');
  });

  it('is put right when the storm ends, whatever its time', async () => {
    const outcome = await run(scenario, during({ ...step('F19', { works: 'reads', how: 'reset' }), forMs: 3_600_000 }));
    expect(outcome.findings).toEqual([]);
    expect(outcome.world.trace.toString()).toContain('60000 #9 ends');
  });

  it('a dead link stays dead, and what needs it is not asked for', async () => {
    const schedule: Schedule = {
      ...during(step('F23', { plane: 'p1', offsetMs: 1, driftMsPerHour: 0 })),
      then: { at: 'dead-links', planes: ['p1'] },
    };
    const late = { ...schedule, steps: [...schedule.steps, say(4, 59_999, 'five')] };
    const cut: Schedule = {
      ...late,
      steps: [...late.steps, { ...step('F03', { chance: 1, how: 'reset' }, 59_000), id: 11 }],
    };
    const outcome = await run(scenario, cut);
    expect(outcome.findings).toEqual([]);
    expect(outcome.end()).toContain('"text":"five"');
    expect(outcome.end()).not.toContain('"echo.example.com/text":"five"');
  });
});
