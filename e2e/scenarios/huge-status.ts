/** A status that fits into no annotation. */
import { annotations, annotationTrue, type Condition, Connector, type DurationMs } from '@lifeline/core';
import { isThrough, makeConnector, makeSite, untilThrough } from './acts.ts';
import type { Scenario, Stage, TunnelEnd } from './stage.ts';

/** Before that, the same thing said again is not written. */
const eventPauseMs: DurationMs = 61_000;
const limitMs: DurationMs = 120_000;

/** What is carried is cut, whole again as soon as it fits, and cut again; the connector stays online, and the Event counts. */
export const hugeStatus: Scenario = {
  name: 'a status larger than any annotation',
  async play(stage) {
    const [project = ''] = stage.projects;
    const namespace = await stage.namespace(project);
    const end = await makeConnector(stage, project, { namespace, name: 'talker' });
    const site = await makeSite(stage, { project, namespace, name: 'www' }, { connector: end.name });
    await stage.agent(end);
    await untilThrough(stage, site, end);
    const since = stage.wall();
    await remark(stage, end, true);
    const saidAt = stage.now();
    await isThrough(stage, site, { ...end, since });
    await remark(stage, end, false);
    await stage.until('an Event that may count', async () => stage.now() - saidAt > eventPauseMs, limitMs);
    await remark(stage, end, true);
    await isThrough(stage, site, { ...end, since });
  },
};

/** Another controller says more of a Connector than any annotation holds, or takes it back. Waits until the hub has it, cut or whole. */
export async function remark(stage: Stage, { project, namespace, name }: TunnelEnd, much: boolean): Promise<void> {
  const isVerdict = ({ type }: Pick<Condition, 'type'>): boolean => !type.startsWith('Remark');
  const verdicts = async (): Promise<readonly Condition[]> => {
    const { status } = (await stage.seen(project, Connector, { project, namespace, name })) ?? {};
    return ((status?.conditions ?? []) as readonly Condition[]).filter(isVerdict);
  };
  await stage.until(`${name} has a verdict`, async () => (await verdicts()).some(({ type }) => type === 'Ready'));
  const remarks = Array.from({ length: much ? 12 : 0 }, (_, at) => ({
    type: `Remark${at}`,
    status: 'True',
    reason: 'Remark',
    message: 'x'.repeat(30_000),
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  const conditions = [...(await verdicts()), ...remarks];
  const place = { kind: Connector, name: { namespace, name }, subresource: 'status' } as const;
  await stage.patch(project, place, { status: { conditions } });
  await stage.until(`the copy of ${name} is ${much ? 'cut' : 'whole'}`, async () => {
    const { metadata } = (await stage.seen('hub', Connector, { project, namespace, name })) ?? {};
    return (
      metadata !== undefined &&
      (metadata.annotations?.[annotations.upstreamStatusTruncated] === annotationTrue) === much
    );
  });
}
