/** Hop delays, drawn as they were seen. */
import { describe, expect, it } from 'vitest';
import { Connector, WorkloadDeployment } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { type PlaneName, Rig, the, typeOf } from './rig.fixture.ts';

const members: readonly PlaneName[] = ['m1', 'm2'];

/** When the last of the lines that fit came, since the start. */
const lastOf = (rig: Rig, start: number, wheres: readonly string[]): number =>
  Math.max(...wheres.map((where) => rig.lines.find((line) => line.where === where)?.at ?? Infinity)) - start;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Far from it by no more than that share. */
const expectNear = (found: number, wanted: number, share: number): void => {
  expect(found).toBeGreaterThan(wanted * (1 - share));
  expect(found).toBeLessThan(wanted * (1 + share));
};

describe('latency', () => {
  it('annotation-flip: p50 and p99 as seen, with Karmada’s own settings', async () => {
    await using rig = await Rig.start({ plainSettings: {} });
    await rig.connectors();
    await rig.clock.advance(500);
    await rig.connector('flip');
    await rig.clock.advance(5_000);
    const took: number[] = [];
    for (let flip = 0; flip < 240; flip++) {
      rig.lines.length = 0;
      const start = rig.clock.monotonic();
      // Added, changed, removed.
      const value = flip % 3 === 2 ? null : String(flip);
      await rig.patch('hub', the(Connector, 'flip'), { metadata: { annotations: { flip: value } } });
      await rig.clock.advance(600);
      took.push(
        lastOf(
          rig,
          start,
          members.map((member) => `${member} Connector t1/flip`),
        ),
      );
    }
    const { p50, p99 } = recorded('annotation-flip', 'all_members') as Record<'p50' | 'p99', number>;
    expectNear(percentile(took, 0.5), p50, 0.1);
    expectNear(percentile(took, 0.99), p99, 0.25);
  });

  it('a member’s status: p50 and p99 as seen, up to the template', async () => {
    const interpreters = {
      'compute.datumapis.com/v1alpha WorkloadDeployment': {
        aggregateStatus: (template: object, items: readonly unknown[]) => ({ ...template, status: { items } }) as never,
      },
    };
    await using rig = await Rig.start({ plainSettings: {}, interpreters });
    await rig.policy('wd', { resourceSelectors: [typeOf(WorkloadDeployment)] });
    await rig.clock.advance(500);
    const target = the(WorkloadDeployment, 'up');
    await rig.create('hub', WorkloadDeployment, { metadata: { namespace: 't1', name: 'up' }, spec: {} });
    await rig.clock.advance(5_000);
    const took: number[] = [];
    for (let n = 0; n < 240; n++) {
      rig.lines.length = 0;
      const start = rig.clock.monotonic();
      await rig.status('m1', target, { n });
      await rig.clock.advance(600);
      took.push(lastOf(rig, start, ['hub WorkloadDeployment t1/up']));
    }
    const { p50, p99 } = recorded('status-with-interpreter', 'up_latency') as Record<'p50' | 'p99', number>;
    expectNear(percentile(took, 0.5), p50, 0.1);
    expectNear(percentile(took, 0.99), p99, 0.25);
  });

  it('create-latency: as seen, until all members have it', async () => {
    await using rig = await Rig.start();
    await rig.connectors();
    await rig.clock.advance(500);
    const took: number[] = [];
    for (let index = 0; index < 60; index++) {
      rig.lines.length = 0;
      const start = rig.clock.monotonic();
      await rig.connector(`c${index}`);
      await rig.clock.advance(600);
      took.push(
        lastOf(
          rig,
          start,
          members.map((member) => `${member} Connector t1/c${index}`),
        ),
      );
    }
    const { p50, p99 } = recorded('create-latency', 'all_members') as Record<'p50' | 'p99', number>;
    expectNear(percentile(took, 0.5), p50, 0.25);
    expectNear(percentile(took, 0.99), p99, 0.4);
  });
});
