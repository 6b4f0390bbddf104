/** What the platform exists for: an agent opens a tunnel, and a page comes through it, byte for byte, at every edge. */
import { expect } from 'vitest';
import { everywhere, makeConnector, makeSite, target, untilOffline, untilThrough } from './acts.ts';
import type { Scenario } from './stage.ts';

export const mainJob: Scenario = {
  name: 'the main job',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const end = await makeConnector(stage, project, { namespace, name: 'office' });
    const site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
    await untilOffline(stage, site);
    expect(await stage.tunnels(end.nodeId)).toEqual([]);

    await stage.agent(end);
    await untilThrough(stage, site, end);
    await everywhere(stage, 'it is believed to be online', {
      holds: async (edge) => {
        const liveness = await stage.believed(edge, end);
        return liveness.state === 'online' && liveness.nodeId === end.nodeId;
      },
    });
    const tunnels = await stage.tunnels(end.nodeId);
    expect(tunnels.length).toBeGreaterThanOrEqual(stage.edges.length);
    for (const tunnel of tunnels) expect(tunnel).toEqual({ authority: target, nodeId: end.nodeId });
  },
};
