/** A hundred flips of one tunnel, one after the other: none is missed, and how long each hop takes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeConnector, makeSite, untilOffline, untilThrough } from '../scenarios/acts.ts';
import { Hops } from './hops.fixture.ts';
import { ProcessStage } from './stage.fixture.ts';

const flips = 100;
/** Of them, so many by an agent that is killed; by the others it stands still. */
const kills = 10;
/** Two cores are shared with a conformance suite: Karmada may be kept from one flip or two for seconds. */
const lateAtMost = 2;

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
    const limitMs = 1.1 * stage.leaseMs + 2_000;
    const late: number[] = [];
    await using hops = new Hops(stage, site, end);
    await hops.open();
    for (let pair = 0; pair < flips / 2; pair++) {
      const dies = pair < kills;
      const [silence, talk] = dies
        ? [() => agent.kill(), () => agent.start()]
        : [() => agent.pause(), () => agent.resume()];
      await silence();
      hops.begin('offline');
      const tookMs = await untilOffline(stage, site);
      if (tookMs > limitMs) late.push(Math.round(tookMs));
      await hops.end();
      hops.begin('online');
      await talk();
      await untilThrough(stage, site, end);
      await hops.end();
    }
    console.log(hops.table());
    expect(late.length, `later than ${limitMs} ms: ${late.join()}`).toBeLessThanOrEqual(lateAtMost);
  });
});
