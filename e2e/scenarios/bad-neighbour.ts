/** A connector that cannot be used, beside many that can: it alone is offline. */
import { Connector } from '@lifeline/core';
import { isOffline, makeConnector, makeSite, untilThrough } from './acts.ts';
import type { Site, Stage, TunnelEnd } from './stage.ts';

const neighbours = 50;

/** What agents and users may get wrong. */
const bad: Readonly<Record<string, { readonly status?: object; readonly endpoint?: string }>> = {
  'unusable-id': { status: { connectionDetails: { type: 'PublicKey', publicKey: { id: 'nobody', addresses: [] } } } },
  'absurd-endpoint': { endpoint: 'http://app_internal..:99999' },
  'huge-status': { status: { note: 'x'.repeat(400_000) } },
};

export async function badNeighbour(stage: Stage): Promise<void> {
  const [project = ''] = stage.projects;
  const namespace = await stage.namespace(project);
  const make = async (name: string, endpoint?: string): Promise<{ readonly end: TunnelEnd; readonly site: Site }> => {
    const end = await makeConnector(stage, project, { namespace, name });
    return { end, site: await makeSite(stage, { project, namespace, name }, { connector: name, endpoint }) };
  };
  const good = await Promise.all(Array.from({ length: neighbours }, (_, at) => make(`good-${at}`)));
  const worse = await Promise.all(
    Object.entries(bad).map(async ([name, { endpoint }]) => ({ name, ...(await make(name, endpoint)) })),
  );
  await stage.agent(...[...good, ...worse].map(({ end }) => end));
  for (const { name, end } of worse) {
    const { status } = bad[name] ?? {};
    if (!status) continue;
    await stage.until(`${name} was told`, async () => {
      const { status: said } = (await stage.seen<Connector>(project, Connector, { project, namespace, name })) ?? {};
      return (said as { connectionDetails?: object } | undefined)?.connectionDetails !== undefined;
    });
    await stage.patch(
      project,
      { kind: Connector, name: { namespace, name: end.name }, subresource: 'status' },
      { status },
    );
  }
  // Every edge has them; where each Gateway has an Envoy of its own, some are asked.
  const asked = (edge: string) => (edge === stage.edges[0] ? good : good.slice(0, 3));
  for (const edge of stage.edges) {
    const alone = { ...stage, edges: [edge] };
    await Promise.all(
      asked(edge).map(({ site, end }) => untilThrough(Object.setPrototypeOf(alone, stage) as Stage, site, end)),
    );
  }
  for (const edge of stage.edges) {
    for (const { name, site } of worse.filter(({ name }) => name !== 'huge-status'))
      await stage.until(`${name} alone is offline, at ${edge}`, async () => isOffline(await stage.ask(edge, site)));
  }
}
