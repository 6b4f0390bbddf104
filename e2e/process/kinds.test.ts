/** Every kind that is replicated, on real planes: down, its status up, and away again. */
import {
  Backend,
  Connector,
  ConnectorClass,
  findCondition,
  Gateway,
  type Kind,
  type KubeObject,
  labels,
  Lease,
  Secret,
  SecurityPolicy,
} from '@lifeline/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindTable, target } from '../hub-replicator/kind-table.ts';
import { condition } from '../hub-replicator/objects.ts';
import { makeConnector } from '../scenarios/acts.ts';
import { leaseDurationSeconds } from './harness/hub-apps.ts';
import { ProcessStage } from './stage.fixture.ts';

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
  if (kind.id === Backend.id || kind.id === Gateway.id) return { conditions };
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
    const up = rows.filter(({ kind, flow }) => flow === 'up' && kind.statusSubresource).map(({ kind }) => kind);
    // The Gateway is the one that was made of the HTTPProxy.
    for (const kind of [...up, Gateway]) {
      await stage.until(`a copy of ${kind.id}`, async () => (await seen('hub', kind)) !== undefined);
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

describe('what is not as it should be', { timeout: 150_000 }, () => {
  const there = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace, name });

  it('a Connector is not accepted any more when its class is gone', async () => {
    const spec = { controllerName: 'networking.datumapis.com/datum-connect' };
    const passing = { name: `passing-${namespace}` };
    await stage.create(project, ConnectorClass, { metadata: passing, spec });
    await stage.create(project, Connector, { metadata: there('lost'), spec: { connectorClassName: passing.name } });
    const accepted = async (): Promise<string | null | undefined> => {
      const found = await stage.seen(project, Connector, { project, ...there('lost') });
      return findCondition(found?.status?.conditions, 'Accepted')?.reason;
    };
    await stage.until('it is accepted', async () => (await accepted()) === 'Accepted');
    await stage.delete(project, ConnectorClass, passing);
    await stage.until('it is not', async () => (await accepted()) === 'ConnectorClassNotFound');
  });

  it('a Lease that is spoilt is mended, and one that is deleted comes back', async () => {
    await makeConnector(stage, project, there('leased'));
    const lease = async (): Promise<Lease | undefined> =>
      await stage.seen(project, Lease, { project, ...there('leased') });
    const isWhole = async (): Promise<boolean> => (await lease())?.spec?.leaseDurationSeconds === leaseDurationSeconds;
    await stage.until('a Lease', isWhole);
    await stage.patch(project, { kind: Lease, name: there('leased') }, { spec: { leaseDurationSeconds: null } });
    await stage.until('its duration', isWhole);
    const { uid } = (await lease())?.metadata ?? {};
    await stage.delete(project, Lease, there('leased'));
    await stage.until('another one', async () => (await isWhole()) && (await lease())?.metadata.uid !== uid);
  });

  it('a policy waits for the Secret that it names', async () => {
    const basicAuth = { users: { name: 'users' } };
    await stage.create(project, SecurityPolicy, { metadata: there('auth'), spec: { targetRefs: [target], basicAuth } });
    const says = async (text: string): Promise<boolean> =>
      JSON.stringify((await stage.seen(project, SecurityPolicy, { project, ...there('auth') }))?.status ?? {}).includes(
        text,
      );
    await stage.until('it waits', () => says(`${namespace}/users`));
    await stage.create(project, Secret, { metadata: there('users'), data: { '.htpasswd': 'eA==' }, type: 'Opaque' });
    await stage.until(
      'it is copied',
      async () => (await stage.seen('hub', SecurityPolicy, { project, ...there('auth') })) !== undefined,
    );
  });
});
