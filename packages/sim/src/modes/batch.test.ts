/** What a batch sees, and what it says when it sees it. */
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../schedule/scenario.ts';
import { type Bug, echoScenario } from '../testing/echo.fixture.ts';
import { runBatch, ScheduleError } from './batch.ts';
import { run } from './run.ts';
import { drawSchedule, drawTwin } from './swarm.ts';
import { vacuous } from './tally.ts';

const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

async function failureOf(bug: Bug): Promise<ScheduleError> {
  const failure = await runBatch(echoScenario(bug), range(1, 20)).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof ScheduleError) return failure;
  throw new Error('it did not fail', { cause: failure });
}

describe('a batch', () => {
  it('passes over an app without a bug; counts canaries, replays, and what fired and mattered', async () => {
    const tally = await runBatch(echoScenario(), range(41, 70));
    expect(tally).toMatchObject({ schedules: 70, canaries: 1, replays: 1 });
    expect(tally.fired.size).toBeGreaterThan(12);
    expect(tally.mattered.size).toBeGreaterThan(3);
    expect(vacuous(tally, ['F05', 'F06', 'F20', 'F22', 'F25'])).toContain('F24 knob never fired');
  });

  it('a write outside the lane: S3, with the write, its cause and one command', async () => {
    const { message, failure } = await failureOf('undeclared-label');
    const { findings, schedule } = failure.outcome;
    expect(findings[0]?.oracle).toBe('S3');
    expect(schedule.steps).toHaveLength(1);
    expect(message).toContain('S3 own-lane (echo');
    expect(message).toContain('echo wrote metadata.labels.said, which it did not declare');
    expect(message).toMatch(/first bad write, at \d+ ms: MODIFIED p1 default\/o\d/);
    expect(message).toMatch(/it had read, at \d+ ms: applied ConfigMap p1 default\/o\d/);
    expect(message).toContain(
      `npm run sim -- --seeds 1 --first ${failure.seed} --steps ${schedule.steps[0]?.id} packages/sim/src/modes/batch.test.ts`,
    );
  });

  it('an end that is not as it should be: L1, and the steps that lead there', async () => {
    const { failure } = await failureOf('half-said');
    expect(failure.outcome.findings[0]?.oracle).toBe('L1');
    expect(failure.outcome.schedule.steps).toHaveLength(1);
    expect(failure.from).toBeGreaterThan(1);
  });

  it('the chosen steps of a schedule run alone', async () => {
    const { failure } = await failureOf('half-said');
    const { seed, outcome } = failure;
    const ids = outcome.schedule.steps.map(({ id }) => id);
    await expect(runBatch(echoScenario('half-said'), [seed], { steps: ids })).rejects.toThrow('L1');
    await expect(runBatch(echoScenario('half-said'), [seed], { steps: [] })).resolves.toMatchObject({ schedules: 1 });
  });

  it('chosen steps without the users of the schedule are held against a twin without them', async () => {
    await expect(runBatch(echoScenario(), range(1, 5), { steps: [] })).resolves.toMatchObject({ schedules: 5 });
  });

  it('a runner that does not see the canary says so', async () => {
    const scenario = echoScenario();
    const blind: Scenario = {
      ...scenario,
      setting: (shape) => ({ ...scenario.setting(shape), subjects: [] }),
    };
    await expect(runBatch(blind, [100])).rejects.toThrow('the canary was not seen');
  });
});

describe('a run', () => {
  it('gives one trace, however often it is run', async () => {
    for (const seed of range(1, 12)) {
      const schedule = drawSchedule(echoScenario(), seed);
      const [one, other] = [await run(echoScenario(), schedule), await run(echoScenario(), schedule)];
      expect(one.world.trace.length).toBeGreaterThan(5);
      expect(one.world.trace.toString()).toBe(other.world.trace.toString());
    }
  });

  it('ends as its twin, uids and revisions aside', async () => {
    const twin = await run(echoScenario(), drawTwin(echoScenario(), 1));
    const schedule = drawSchedule(echoScenario(), 1);
    const outcome = await run(echoScenario(), { ...schedule, then: { at: 'heal' } });
    expect(outcome.end()).toBe(twin.end());
    expect(twin.end()).toContain('p1 ConfigMap default/o0');
  });
});
