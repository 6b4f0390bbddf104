/** The right to patch Gateways is the right to stamp them: the policy of the charts refuses anything else. */
import { annotations, Gateway } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite } from '../scenarios/acts.ts';
import type { Site } from '../scenarios/stage.ts';
import { adminClient } from './harness/admin-client.ts';
import { extensionServer, type Release, retranslator } from './harness/deploy.ts';
import { type Edge, file } from './harness/names.ts';
import { ProcessStage } from './stage.fixture.ts';

const { signal } = new AbortController();

let stage: ProcessStage;
let site: Site;
beforeAll(async () => {
  stage = await ProcessStage.open();
  const [project] = stage.projects;
  site = await makeSite(stage, { project, namespace: await stage.namespace(project), name: 'www' });
});
afterAll(() => stage?.close());

const unstamped = { metadata: { annotations: { [annotations.intent]: null } } };
const more: Readonly<Record<string, object>> = {
  'the spec': { spec: { gatewayClassName: 'another' } },
  'a label': { metadata: { labels: { mine: 'yes' } } },
  'another annotation': { metadata: { annotations: { 'example.com/mine': 'yes' } } },
  'an owner': { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] } },
  'a finalizer': { metadata: { finalizers: ['example.com/mine'] } },
};

describe.each<{ readonly edge: Edge; readonly release: Release }>([
  { edge: 'edge-1', release: extensionServer },
  { edge: 'edge-2', release: retranslator },
])('as $release.chart at $edge', ({ edge, release }) => {
  const patch = async (body: object): Promise<string> => {
    const client = await adminClient(file(edge, `${release.chart}.kubeconfig`));
    const target = { kind: Gateway, name: { namespace: stage.mapped(site), name: site.name } };
    try {
      await client.patch(
        target,
        { type: 'merge', body: body as Readonly<Record<string, unknown>> },
        { signal, dryRun: true },
      );
      return 'taken';
    } catch (error) {
      if (isKubeError(error)) return error.message;
      throw error;
    }
  };

  beforeAll(async () => {
    await stage.until('the Gateway is there', async () => (await stage.seen(edge, Gateway, site)) !== undefined);
  });

  it('takes the stamp', async () => {
    expect(await patch({ metadata: { annotations: { [annotations.intent]: '0123456789abcdef' } } })).toBe('taken');
    expect(await patch(unstamped)).toBe('taken');
  });

  it.each(Object.keys(more))('refuses %s', async (name) => {
    expect(await patch(more[name] ?? {})).toContain('the retranslator may');
  });
});
