/** Every kind that is replicated, on real planes: down, its status up, and away again. */
import { Backend, type Kind, type KubeObject } from '@lifeline/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindTable, target } from '../hub-replicator/kind-table.ts';
import { condition } from '../hub-replicator/objects.ts';
import { ProcessStage } from './stage.fixture.ts';
import { labels } from '@lifeline/core';

const project = 'project-a';
/** Of an HTTPProxy of that name the gateway fixture makes a Gateway and an HTTPRoute. */
const rows = kindTable.filter(({ isOff = false }) => !isOff);
const opted = { [labels.gatewaySync]: 'true', [labels.location]: 'lax', [labels.network]: 'n' };
const name = 'web';

let stage: ProcessStage;
let namespace: string;
beforeAll(async () => {
  stage = await ProcessStage.open();
  namespace = await stage.namespace(project);
});
afterAll(() => stage?.close());

const statusOf = (kind: Kind): object => {
  const conditions = [condition('Accepted', 'True')];
  if (kind.id === Backend.id) return { conditions };
  return { ancestors: [{ ancestorRef: target, controllerName: 'theirs.example/c', conditions }] };
};

const seen = (plane: string, kind: Kind): Promise<(KubeObject & { readonly status?: object }) | undefined> =>
  stage.seen(plane, kind, { project, namespace, name });

describe('each kind', { timeout: 120_000 }, () => {
  it('is copied to the hub', async () => {
    for (const { kind, content } of rows)
      await stage.create(project, kind, { metadata: { namespace, name, labels: opted }, ...content });
    for (const { kind, content } of rows) {
      await stage.until(`a copy of ${kind.id}`, async () => (await seen('hub', kind)) !== undefined);
      expect(await seen('hub', kind), kind.id).toMatchObject(content);
    }
  });

  it('has the status that was decided downstream', async () => {
    for (const { kind, flow } of rows) {
      if (flow !== 'up' || !kind.statusSubresource) continue;
      const where = { namespace: stage.mapped({ project, namespace }), name };
      await stage.patch('hub', { kind, name: where, subresource: 'status' }, { status: statusOf(kind) });
      await stage.until(`the status of ${kind.id}`, async () =>
        JSON.stringify((await seen(project, kind))?.status ?? {}).includes('"type":"Accepted"'),
      );
    }
  });

  it('is gone from the hub when it is gone upstream', async () => {
    for (const { kind } of rows) await stage.delete(project, kind, { namespace, name });
    for (const { kind } of rows)
      await stage.until(`no ${kind.id}`, async () => !(await seen('hub', kind)) && !(await seen(project, kind)));
  });
});
