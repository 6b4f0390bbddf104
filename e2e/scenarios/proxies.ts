/** HTTPProxies and their connectors, in every order and number. */
import { Connector, Gateway, HTTPProxy } from '@lifeline/core';
import { expect } from 'vitest';
import {
  everywhere,
  isOffline,
  isThrough,
  makeConnector,
  makeSite,
  proxySpec,
  secureTarget,
  untilOffline,
  untilThrough,
} from './acts.ts';
import type { Scenario } from './stage.ts';

/** Who is first does not matter; a proxy that points elsewhere leads elsewhere; what is deleted is gone. */
export const beforeAndAfter: Scenario = {
  name: 'proxies before and after their connectors, repointed, deleted',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const site = await makeSite(stage, { project, namespace, name: 'early' }, { connector: 'one' });
    await untilOffline(stage, site);
    const [one, two] = [
      await makeConnector(stage, project, { namespace, name: 'one' }),
      await makeConnector(stage, project, { namespace, name: 'two' }),
    ];
    await stage.agent(one, two);
    await untilThrough(stage, site, one);
    const late = await makeSite(stage, { project, namespace, name: 'late' }, { connector: 'two' });
    await untilThrough(stage, late, two);

    const name = { namespace, name: 'early' };
    await stage.patch(project, { kind: HTTPProxy, name }, { spec: proxySpec(site.hostname, { connector: 'two' }) });
    await untilThrough(stage, site, two);

    await stage.delete(project, Connector, { namespace, name: 'two' });
    await Promise.all([untilOffline(stage, site), untilOffline(stage, late)]);
    await stage.delete(project, HTTPProxy, name);
    await everywhere(stage, 'the deleted proxy is gone', {
      holds: async (edge) => {
        const { status } = await stage.ask(edge, site);
        // Where Gateways share an Envoy its listener stays; one of its own has none any more.
        return status === 404 || (status === 0 && edge !== stage.edges[0]);
      },
    });
  },
};

/** Two connectors behind one Gateway, one path each: each path is its own tunnel's. */
export const twoBehindOne: Scenario = {
  name: 'two connectors behind one Gateway',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const [left, right] = [
      await makeConnector(stage, project, { namespace, name: 'left' }),
      await makeConnector(stage, project, { namespace, name: 'right' }),
    ];
    const site = { project, namespace, name: 'both', hostname: `both.${namespace}.test` };
    const rule = (connector: string): object => ({
      matches: [{ path: { type: 'PathPrefix', value: `/${connector}` } }],
      backends: [{ endpoint: 'http://app.internal:8080', connector: { name: connector } }],
    });
    const spec = { hostnames: [site.hostname], rules: [rule('left'), rule('right')] };
    await stage.create(project, HTTPProxy, { metadata: { namespace, name: site.name }, spec });
    const [agent] = [await stage.agent(left), await stage.agent(right)];
    await untilThrough(stage, site, { ...left, path: '/left/1' });
    await untilThrough(stage, site, { ...right, path: '/right/1' });
    const since = stage.wall();
    await agent.kill();
    await everywhere(stage, 'the left one is offline', {
      holds: async (edge) => isOffline(await stage.ask(edge, site, '/left/2')),
    });
    await isThrough(stage, site, { ...right, path: '/right/2', since });
  },
};

/** Two backends share one rule: both are used while both are online, one alone when the other goes, and none is a 503. */
export const weighted: Scenario = {
  name: 'weighted backends',
  async play(stage) {
    const [, project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const [one, two] = [
      await makeConnector(stage, project, { namespace, name: 'one' }),
      await makeConnector(stage, project, { namespace, name: 'two' }),
    ];
    const site = await makeSite(
      stage,
      { project, namespace, name: 'shared' },
      { connector: 'one' },
      { connector: 'two' },
    );
    const [first, second] = [await stage.agent(one), await stage.agent(two)];
    const answers = async (edge: string): Promise<ReadonlySet<string>> => {
      const all = await Promise.all(Array.from({ length: 24 }, () => stage.ask(edge, site, '/')));
      return new Set(all.map(({ status, body }) => (status === 200 ? body : String(status))));
    };
    const bodies = (...ends: readonly { readonly nodeId: string }[]) =>
      ends.map(({ nodeId }) => stage.bodyOf(nodeId, '/')).sort();
    const are =
      (...want: readonly string[]) =>
      async (edge: string): Promise<boolean> =>
        [...(await answers(edge))].sort().join() === [...want].sort().join();
    await everywhere(stage, 'both are used', { holds: are(...bodies(one, two)) });
    await first.kill();
    await everywhere(stage, 'the other one is used', { holds: are(...bodies(two)) });
    await second.kill();
    await untilOffline(stage, site);
    await first.start();
    await everywhere(stage, 'the first one is used', { holds: are(...bodies(one)) });
  },
};

/** One hostname in two projects: who was first keeps it, and the other harms nobody. */
export const hostnameTwice: Scenario = {
  name: 'one hostname in two projects',
  async play(stage) {
    const [first = '', second = ''] = stage.projects;
    const namespaces = [await stage.namespace(first), await stage.namespace(second)] as const;
    const hostname = `taken.${namespaces[0]}.test`;
    const mine = await makeConnector(stage, first, { namespace: namespaces[0], name: 'mine' });
    const theirs = await makeConnector(stage, second, { namespace: namespaces[1], name: 'theirs' });
    await stage.agent(mine);
    await stage.agent(theirs);
    const site = await makeSite(
      stage,
      { project: first, namespace: namespaces[0], name: 'www', hostname },
      { connector: 'mine' },
    );
    await untilThrough(stage, site, mine);
    const since = stage.wall();
    const late = await makeSite(
      stage,
      { project: second, namespace: namespaces[1], name: 'www', hostname },
      { connector: 'theirs' },
    );
    const other = await makeSite(
      stage,
      { project: second, namespace: namespaces[1], name: 'other' },
      { connector: 'theirs' },
    );
    await untilThrough(stage, other, theirs);
    await everywhere(stage, 'the younger Gateway is there', {
      holds: async (edge) => (await stage.seen(edge, Gateway, late)) !== undefined,
    });
    for (let times = 0; times < 20; times++) await isThrough(stage, site, { ...mine, since });
  },
};

/** The private service speaks TLS itself, and is who its certificate says: nobody on the way reads along. */
export const httpsInside: Scenario = {
  name: 'https inside the tunnel',
  needs: 'authorities',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const vault = await makeConnector(stage, project, { namespace, name: 'vault' });
    const endpoint = `https://${secureTarget}`;
    const site = await makeSite(stage, { project, namespace, name: 'vault' }, { connector: 'vault', endpoint });
    const agent = await stage.agent(vault);
    await untilThrough(stage, site, vault);
    for (const { authority } of await stage.tunnels(vault.nodeId)) expect(authority).toBe(secureTarget);
    await agent.kill();
    await untilOffline(stage, site);
  },
};
