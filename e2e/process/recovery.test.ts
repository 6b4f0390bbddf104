/** Whatever is restarted, frozen, killed or cut off while a tunnel comes or goes: it ends as it should, and no Envoy refuses an update. */
import { systemClock } from '@lifeline/core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { makeConnector, makeSite, untilOffline, untilThrough } from '../scenarios/acts.ts';
import type { Site, StageAgent, TunnelEnd } from '../scenarios/stage.ts';
import { played } from './counts.fixture.ts';
import { act } from './harness/control.ts';
import { retranslatorName } from './harness/edge-apps.ts';
import { envoyGatewayName } from './harness/envoy-gateway.ts';
import { type Edge, servedEdges, serverName, servers } from './harness/names.ts';
import { ProcessStage } from './stage.fixture.ts';

/** From the end of the disturbance. Watches that were cut come back at a pace that doubles, to half a minute. */
const limitMs = 90_000;

const seconds = (count: number): Promise<void> => systemClock.sleep(count * 1_000);

/** A site, and who is asked for it. */
interface Tunnel {
  readonly end: TunnelEnd;
  readonly site: Site;
  readonly agent: StageAgent;
  readonly edges: readonly Edge[];
}

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

/** A tunnel that is open. */
async function tunnelThrough(...edges: readonly Edge[]): Promise<Tunnel> {
  const project = 'project-a';
  const namespace = await stage.namespace(project);
  const end = await makeConnector(stage, project, { namespace, name: 'office' });
  const site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
  const agent = await stage.agent(end);
  await untilThrough(stage, site, { ...end, edges });
  return { end, site, agent, edges };
}

type Disturbances = Readonly<Record<string, () => Promise<unknown>>>;

/** One after the other: the agent goes, and the disturbance comes as that becomes known. Then it comes back. */
async function disturb({ end, site, agent, edges }: Tunnel, by: Disturbances): Promise<void> {
  for (const [what, happens] of Object.entries(by)) {
    await played(what, async () => {
      await agent.pause();
      // It is known one lease after its last renewal, which was up to a second before.
      await seconds(stage.leaseMs / 1_000 - 0.5);
      await happens();
      await untilOffline(stage, site, { edges, limitMs });
      await agent.resume();
      await untilThrough(stage, site, { ...end, edges, limitMs });
    });
  }
}

async function again(name: string): Promise<void> {
  await act('stop', name);
  await act('start', name);
}

/** A process stands still for a time. */
async function frozen(name: string, count: number): Promise<void> {
  await act('freeze', name);
  await seconds(count);
}

const restarts = (edge: Edge): Disturbances => ({
  [`Envoy Gateway of ${edge} restarted`]: () => again(envoyGatewayName(edge)),
  ...Object.fromEntries(
    servers.map((server) => [`extension server ${server} of ${edge} restarted`, () => again(serverName(edge, server))]),
  ),
  [`the API server of ${edge} restarted`]: async () => {
    // In order it would wait for its watches, for a minute.
    await act('kill', `kube-apiserver-${edge}`);
    await act('start', `kube-apiserver-${edge}`);
  },
});

/** Envoy Gateway talks to one of two servers, whichever that is: each is disturbed in turn. */
const freezes = (edge: Edge): Disturbances =>
  Object.fromEntries(
    servers.flatMap((server) => {
      const name = serverName(edge, server);
      const thawed = async (): Promise<void> => {
        await frozen(name, 10);
        await act('thaw', name);
      };
      const killed = async (): Promise<void> => {
        // Envoy Gateway has no deadline: as long as it stands still, so may the edge.
        await frozen(name, 8);
        await act('kill', name);
      };
      return [
        [`extension server ${server} of ${edge} frozen for ten seconds, and thawed`, thawed],
        [`extension server ${server} of ${edge} frozen, and killed`, killed],
        [`extension server ${server} of ${edge} started`, () => act('start', name)],
      ];
    }),
  );

const away = (edge: Edge): Disturbances => ({
  [`the retranslator of ${edge} away for a minute`]: async () => {
    await act('stop', retranslatorName(edge));
    await seconds(60);
    await act('start', retranslatorName(edge));
  },
});

const disturbances: Readonly<Record<Edge, Disturbances>> = {
  'edge-1': { ...restarts('edge-1'), ...freezes('edge-1') },
  'edge-2': { ...restarts('edge-2'), ...away('edge-2') },
};

describe('each ends as it should', { timeout: 600_000 }, () => {
  it.concurrent.each(servedEdges)('what happens to %s', async (edge) => {
    await disturb(await tunnelThrough(edge), disturbances[edge]);
  });

  it('what happens to the hub', async () => {
    await disturb(await tunnelThrough(...servedEdges), {
      'the hub replicator restarted': () => again('hub-replicator'),
      'the hub out of reach for half a minute': async () => {
        await frozen('kube-apiserver-hub', 30);
        await act('thaw', 'kube-apiserver-hub');
      },
    });
  });
});
