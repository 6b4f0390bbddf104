/** Whatever is restarted, frozen, killed or cut off while a tunnel comes or goes: it ends as it should, and no Envoy refuses an update. */
import { systemClock } from '@lifeline/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeConnector, makeSite, untilOffline, untilThrough } from '../scenarios/acts.ts';
import type { Site, StageAgent, TunnelEnd } from '../scenarios/stage.ts';
import { rejectedUpdates } from './envoys.fixture.ts';
import { act } from './harness/control.ts';
import { ProcessStage } from './stage.fixture.ts';

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

/** The agent goes, and has gone; `meanwhile` is done when that is under way. Then it comes back. */
async function goesAndComes(meanwhile: () => Promise<void>, limitMs = 90_000): Promise<void> {
  await agent.pause();
  await meanwhile();
  await untilOffline(stage, site, limitMs);
  await agent.resume();
  await untilThrough(stage, site, { ...end, limitMs });
}

async function again(name: string): Promise<void> {
  await act('stop', name);
  await act('start', name);
}

afterEach(async () => {
  expect(await rejectedUpdates()).toEqual({});
});

describe('each ends as it should', { timeout: 300_000 }, () => {
  it.each(['edge-1', 'edge-2'])('Envoy Gateway of %s restarted', async (edge) => {
    await goesAndComes(() => again(`envoy-gateway-${edge}`));
  });

  it.each(['edge-1', 'edge-2'])('an extension server of %s restarted', async (edge) => {
    await goesAndComes(() => again(`edge-extension-server-${edge}-a`));
    await goesAndComes(() => again(`edge-extension-server-${edge}-b`));
  });

  it('each of two replicas frozen for ten seconds, and thawed', async () => {
    for (const server of ['a', 'b']) {
      const name = `edge-extension-server-edge-1-${server}`;
      await goesAndComes(async () => {
        await act('freeze', name);
        await seconds(10);
        await act('thaw', name);
      });
    }
  });

  it('each of two replicas frozen, and then killed', async () => {
    for (const server of ['a', 'b']) {
      const name = `edge-extension-server-edge-1-${server}`;
      await goesAndComes(async () => {
        await act('freeze', name);
        // Envoy Gateway has no deadline: as long as it stands still, so may the edge.
        await seconds(8);
        await act('kill', name);
      });
      await act('start', name);
    }
  });

  it('the retranslator is away for a minute', async () => {
    await goesAndComes(async () => {
      await act('stop', 'edge-retranslator-edge-2');
      await seconds(60);
      await act('start', 'edge-retranslator-edge-2');
    });
  });

  it.each(['edge-1', 'edge-2'])('the API server of %s restarted', async (edge) => {
    await goesAndComes(async () => {
      // In order it would wait for its watches, for a minute.
      await act('kill', `kube-apiserver-${edge}`);
      await act('start', `kube-apiserver-${edge}`);
    });
  });

  it('the hub replicator restarted', async () => {
    await goesAndComes(() => again('hub-replicator'));
  });

  it('the hub cannot be reached for half a minute', async () => {
    await goesAndComes(async () => {
      await act('freeze', 'kube-apiserver-hub');
      await seconds(30);
      await act('thaw', 'kube-apiserver-hub');
    });
  });
});
