/** A connector that cannot be used, beside many that can: it alone is offline. */
import { Connector, findCondition } from '@lifeline/core';
import { makeConnector, makeSite, untilOffline, untilThrough } from './acts.ts';
import type { Site, Scenario, Stage, TunnelEnd } from './stage.ts';

/** Karmada carries some twenty changes a second, and each neighbour is five objects. */
const limitMs = 180_000;
/** Of the good ones, so many are asked at an edge where each has an Envoy of its own. */
const asked = 3;

/** What agents and users may get wrong. */
const wrong = {
  'unusable-id': { id: 'nobody' },
  'absurd-endpoint': { endpoint: 'http://app_internal:8080' },
} as const;

interface Pair {
  readonly end: TunnelEnd;
  readonly site: Site;
}

export const badNeighbour: Scenario = {
  name: 'bad connectors beside many good ones',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const make = async (
      name: string,
      { id, endpoint }: { readonly id?: string; readonly endpoint?: string } = {},
    ): Promise<Pair> => {
      const end = await makeConnector(stage, project, { namespace, name });
      const site = await makeSite(stage, { project, namespace, name }, { connector: name, endpoint });
      return { end: { ...end, nodeId: id ?? end.nodeId }, site };
    };
    const good = await Promise.all(Array.from({ length: stage.crowd }, (_, at) => make(`good-${at}`)));
    const bad = await Promise.all(Object.entries(wrong).map(([name, fault]) => make(name, fault)));
    const huge = await make('huge-status');
    await stage.agent(...[...good, ...bad, huge].map(({ end }) => end));
    await sayMuch(stage, huge.end);
    const well = [huge, ...good];
    for (const [at, edge] of stage.edges.entries()) {
      const these = at === 0 ? well : well.slice(0, asked);
      await Promise.all(these.map(({ site, end }) => untilThrough(stage, site, { ...end, limitMs, edges: [edge] })));
    }
    for (const { site } of bad) await untilOffline(stage, site);
    await Promise.all(
      well.map(({ site, end }) => untilThrough(stage, site, { ...end, edges: stage.edges.slice(0, 1), limitMs: 0 })),
    );
  },
};

/** Another controller says more of a Connector than any annotation holds. What is carried of it is shorter, and it stays online. */
async function sayMuch(stage: Stage, { project, namespace, name }: TunnelEnd): Promise<void> {
  const read = async (): Promise<readonly object[] | null | undefined> => {
    const { status } = (await stage.seen(project, Connector, { project, namespace, name })) ?? {};
    return findCondition(status?.conditions, 'Ready') && status?.conditions;
  };
  await stage.until(`${name} has a verdict`, async () => !!(await read()));
  const more = Array.from({ length: 12 }, (_, at) => ({
    type: `Remark${at}`,
    status: 'True',
    reason: 'Remark',
    message: 'x'.repeat(30_000),
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  const conditions = [...((await read()) ?? []), ...more];
  const target = { kind: Connector, name: { namespace, name }, subresource: 'status' } as const;
  await stage.patch(project, target, { status: { conditions } });
}
