import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everywhere, makeConnector, makeSite, secureTarget } from '../scenarios/acts.ts';
import { scenarios } from '../scenarios/index.ts';
import { played } from './counts.fixture.ts';
import { hasNamespaces } from './harness/names.ts';
import { ProcessStage } from './stage.fixture.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

describe('on real planes, with a real Envoy Gateway and Envoy', { timeout: 240_000 }, () => {
  for (const { name, needs, play } of scenarios) {
    it.skipIf(needs === 'authorities' && !hasNamespaces)(name, async () => {
      await played(name, () => play(stage));
    });
  }

  it.skipIf(!hasNamespaces)(
    'https inside the tunnel to a service with another name in its certificate is refused',
    async () => {
      const [project] = stage.projects;
      const namespace = await stage.namespace(project);
      const end = await makeConnector(stage, project, { namespace, name: 'vault' });
      const hostname = 'another.internal.test';
      const backend = { connector: end.name, endpoint: `https://${secureTarget}`, tls: { hostname } };
      const site = await makeSite(stage, { project, namespace, name: 'vault' }, backend);
      await stage.agent(end);
      await everywhere(stage, 'it is reached, and not believed', {
        holds: async (edge) => {
          const { status, body } = await stage.ask(edge, site);
          expect(status, body).not.toBe(200);
          return status === 503 && body.includes('remote connection failure');
        },
      });
      expect((await stage.tunnels(end.nodeId)).length).toBeGreaterThanOrEqual(stage.edges.length);
    },
  );
});
