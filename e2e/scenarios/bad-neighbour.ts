/** Connectors that cannot be used, beside many that can, behind the same Gateways: they alone are offline. */
import { HTTPProxy } from '@lifeline/core';
import { everywhere, isOffline, makeConnector, target, untilThrough } from './acts.ts';
import { remark } from './huge-status.ts';
import type { Scenario, Site, Stage, TunnelEnd } from './stage.ts';

/** An HTTPRoute has no more. @see gateway.networking.k8s.io/v1 HTTPRouteSpec.rules */
const rulesAtMost = 16;
/** Karmada carries some twenty changes a second. */
const limitMs = 300_000;
const hugeName = 'huge-status';

/** What agents and users may get wrong. */
const wrong: Readonly<Record<string, { readonly id?: string; readonly endpoint?: string }>> = {
  'unusable-id': { id: 'nobody' },
  'absurd-endpoint': { endpoint: 'http://app_internal:8080' },
};

/** A connector, and the path that leads to it. */
interface Way {
  readonly end: TunnelEnd;
  readonly site: Site;
  readonly path: string;
}

export const badNeighbour: Scenario = {
  name: 'bad connectors beside many good ones',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const good = Array.from({ length: stage.crowd }, (_, at) => `good-${at}`);
    const ways = await makeWays(stage, { project, namespace }, [...Object.keys(wrong), hugeName, ...good]);
    await stage.agent(...ways.map(({ end }) => end));
    const huge = ways.find(({ end }) => end.name === hugeName) as Way;
    await remark(stage, huge.end, true);
    const isGood = ({ end }: Way): boolean => !Object.hasOwn(wrong, end.name);
    await Promise.all(
      ways.filter(isGood).map(({ site, end, path }) => untilThrough(stage, site, { ...end, path, limitMs })),
    );
    await Promise.all(
      ways.map((way) =>
        isGood(way)
          ? untilThrough(stage, way.site, { ...way.end, path: way.path })
          : everywhere(stage, `${way.path} is offline`, {
              holds: async (edge) => isOffline(await stage.ask(edge, way.site, way.path)),
            }),
      ),
    );
  },
};

/** Sites of as many rules as a route may have, one for each connector. */
async function makeWays(
  stage: Stage,
  { project, namespace }: Omit<TunnelEnd, 'name' | 'nodeId'>,
  names: readonly string[],
): Promise<readonly Way[]> {
  const ways: Way[] = [];
  for (let from = 0; from < names.length; from += rulesAtMost) {
    const these = names.slice(from, from + rulesAtMost);
    const name = `crowd-${from}`;
    const site = { project, namespace, name, hostname: `${name}.${namespace}.test` };
    const rules = these.map((connector) => ({
      matches: [{ path: { type: 'PathPrefix', value: `/${connector}` } }],
      backends: [{ endpoint: wrong[connector]?.endpoint ?? `http://${target}`, connector: { name: connector } }],
    }));
    await stage.create(project, HTTPProxy, {
      metadata: { namespace, name },
      spec: { hostnames: [site.hostname], rules },
    });
    for (const connector of these) {
      const end = await makeConnector(stage, project, { namespace, name: connector });
      ways.push({ end: { ...end, nodeId: wrong[connector]?.id ?? end.nodeId }, site, path: `/${connector}/page` });
    }
  }
  return ways;
}
