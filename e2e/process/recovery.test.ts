/** Whatever is restarted, frozen, killed or cut off while a tunnel comes or goes: it ends as it should, and no Envoy refuses an update. */
import { systemClock } from '@lifeline/core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { makeConnector, makeSite, untilOffline, untilThrough } from '../scenarios/acts.ts';
import type { Site, StageAgent, TunnelEnd } from '../scenarios/stage.ts';
import { played } from './counts.fixture.ts';
import { act } from './harness/control.ts';
import { edges, serverName, servers } from './harness/names.ts';
import { ProcessStage } from './stage.fixture.ts';

/** From the end of the disturbance. Watches that were cut come back at a pace that doubles, to half a minute. */
const limitMs = 90_000;

const seconds = (count: number): Promise<void> => systemClock.sleep(count * 1_000);

let stage: ProcessStage;
let end: TunnelEnd;
let site: Site;
let agent: StageAgent;

beforeAll(async () => {
  stage = await ProcessStage.open();
  const project = 'project-a';
  const namespace = await stage.namespace(project);
  end = await makeConnector(stage, project, { namespace, name: 'office' });
  site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
  agent = await stage.agent(end);
  await untilThrough(stage, site, end);
});
afterAll(() => stage?.close());

/** The agent goes, and `meanwhile` is done as that becomes known. Then it comes back. */
async function goesAndComes(what: string, meanwhile: () => Promise<void>): Promise<void> {
  await played(what, async () => {
    await agent.pause();
    // It is known one lease after its last renewal, which was up to a second before.
    await seconds(stage.leaseMs / 1_000 - 0.5);
    await meanwhile();
    await untilOffline(stage, site, limitMs);
    await agent.resume();
    await untilThrough(stage, site, { ...end, limitMs });
  });
}

async function again(name: string): Promise<void> {
  await act('stop', name);
  await act('start', name);
}

describe('each ends as it should', { timeout: 300_000 }, () => {
  it.each(edges)('Envoy Gateway of %s restarted', async (edge) => {
    await goesAndComes(`Envoy Gateway of ${edge} restarted`, () => again(`envoy-gateway-${edge}`));
  });

  it.each(edges)('an extension server of %s restarted', async (edge) => {
    for (const server of servers) {
      const name = serverName(edge, server);
      await goesAndComes(`${name} restarted`, () => again(name));
    }
  });

  it('each of two replicas frozen for ten seconds, and thawed', async () => {
    for (const server of servers) {
      const name = serverName('edge-1', server);
      await goesAndComes(`${name} frozen and thawed`, async () => {
        await act('freeze', name);
        await seconds(10);
        await act('thaw', name);
      });
    }
  });

  it('each of two replicas frozen, and then killed', async () => {
    for (const server of servers) {
      const name = serverName('edge-1', server);
      await goesAndComes(`${name} frozen and killed`, async () => {
        await act('freeze', name);
        // Envoy Gateway has no deadline: as long as it stands still, so may the edge.
        await seconds(8);
        await act('kill', name);
      });
      await act('start', name);
    }
  });

  it('the retranslator is away for a minute', async () => {
    await goesAndComes('the retranslator away', async () => {
      await act('stop', 'edge-retranslator-edge-2');
      await seconds(60);
      await act('start', 'edge-retranslator-edge-2');
    });
  });

  it.each(edges)('the API server of %s restarted', async (edge) => {
    await goesAndComes(`the API server of ${edge} restarted`, async () => {
      // In order it would wait for its watches, for a minute.
      await act('kill', `kube-apiserver-${edge}`);
      await act('start', `kube-apiserver-${edge}`);
    });
  });

  it('the hub replicator restarted', async () => {
    await goesAndComes('the hub replicator restarted', () => again('hub-replicator'));
  });

  it('the hub cannot be reached for half a minute', async () => {
    await goesAndComes('the hub cannot be reached', async () => {
      await act('freeze', 'kube-apiserver-hub');
      await seconds(30);
      await act('thaw', 'kube-apiserver-hub');
    });
  });
});
