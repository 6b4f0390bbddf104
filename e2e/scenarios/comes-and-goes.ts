/** An agent dies and comes back: its route follows, and nothing else moves. */
import { type DurationMs, Gateway, HTTPProxy, HTTPRoute, type Kind } from '@lifeline/core';
import { expect } from 'vitest';
import { goneWithin, makeConnector, makeSite, untilGone, untilThrough } from './acts.ts';
import type { Site, Scenario, Stage } from './stage.ts';

const untouched: readonly Kind[] = [HTTPProxy, HTTPRoute, Gateway];

export const comesAndGoes: Scenario = {
  name: 'an agent dies and comes back',
  async play(stage) {
    const [, project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const end = await makeConnector(stage, project, { namespace, name: 'office' });
    const site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
    const agent = await stage.agent(end);
    await untilThrough(stage, site, end);
    const before = await generations(stage, site);

    const times: DurationMs[] = [];
    do {
      await agent.kill();
      times.push(await untilGone(stage, site, end));
      await agent.start();
      await untilThrough(stage, site, end);
    } while (Math.min(...times) > goneWithin(stage) && times.length < stage.tries);
    expect(Math.min(...times)).toBeLessThanOrEqual(goneWithin(stage));
    expect(await generations(stage, site)).toEqual(before);
  },
};

/** Of what the site consists of, in every plane: a tunnel that comes or goes changes no spec, and makes nothing anew. */
async function generations(stage: Stage, site: Site): Promise<readonly string[]> {
  const all = [site.project, 'hub', ...stage.edges].flatMap((plane) =>
    untouched.map(async (kind) => {
      const found = await stage.seen(plane, kind, site);
      if (!found) throw new Error(`${plane} has no ${kind.kind} of ${site.name}`);
      return `${plane} ${kind.kind} ${found.metadata.uid} ${String(found.metadata.generation)}`;
    }),
  );
  return await Promise.all(all);
}
