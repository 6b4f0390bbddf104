/** A hundred flips of one tunnel, one after the other: none is missed, and how long each hop takes. */
import type { DurationMs } from '@lifeline/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goneWithin, makeConnector, makeSite, untilGone, untilThrough } from '../scenarios/acts.ts';
import { Hops } from './hops.fixture.ts';
import { hookCalls, played } from './counts.fixture.ts';
import { ProcessStage } from './stage.fixture.ts';

const flips = 100;
/** Of them, so many by an agent that is killed; by the others it stands still. */
const kills = 10;
/** Of fifty deaths: none on a quiet machine, but two cores that other suites share may be kept from one for seconds. */
const lateAtMost = 10;

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

describe('a hundred flips in a row', { timeout: 900_000 }, () => {
  it('each arrives, in time', async () => {
    const project = 'project-b';
    const namespace = await stage.namespace(project);
    const end = await makeConnector(stage, project, { namespace, name: 'office' });
    const site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
    const agent = await stage.agent(end);
    await untilThrough(stage, site, end);
    const times: DurationMs[] = [];
    const begun = hookCalls('edge-1').length;
    await using hops = new Hops(stage, site, end);
    await hops.open();
    const flip = async (dies: boolean): Promise<void> => {
      await (dies ? agent.kill() : agent.pause());
      hops.begin('offline');
      times.push(await untilGone(stage, site, end));
      await hops.end();
      hops.begin('online');
      await (dies ? agent.start() : agent.resume());
      await untilThrough(stage, site, end);
      await hops.end();
    };
    await played('a hundred flips', async () => {
      for (let pair = 0; pair < flips / 2; pair++) await flip(pair < kills);
    });
    const late = times.filter((tookMs) => tookMs > goneWithin(stage));
    const calls = hookCalls('edge-1').slice(begun);
    console.log(
      `${hops.table(calls.map((call) => call.duration_ms ?? NaN))}\nlater than ${goneWithin(stage)} ms: ${late.length === 0 ? 'none' : late.join()}`,
    );
    expect(late.length).toBeLessThanOrEqual(lateAtMost);
  });
});
