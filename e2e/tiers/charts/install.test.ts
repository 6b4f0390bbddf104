/** The chart as a team installs it: on test planes, by the real helm, from the first mistake to the end. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Planes } from '../kubectl/planes.fixture.ts';
import { charts, merged, type Ran, release, runHelm, type Values } from './helm.fixture.ts';

// They serve no PodDisruptionBudgets.
const values: Values = {
  image: { repository: 'registry.example/lifeline/hub-replicator' },
  podDisruptionBudget: { enabled: false },
};
const ofRelease = '--selector=app.kubernetes.io/part-of=lifeline';
const kinds = 'configmaps,deployments,services,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings';

let planes: Planes;
beforeAll(async () => {
  planes = await Planes.start('--projects', '1', '--edges', '1');
}, 120_000);
afterAll(async () => await planes?.[Symbol.asyncDispose]());

const helm = (plane: string, args: readonly string[], given?: Values): Promise<Ran> =>
  runHelm([...args, '--namespace', release.namespace, '--kubeconfig', join(planes.dir, `${plane}.kubeconfig`)], given);
const install = (plane: string, more: Values = {}, ...flags: readonly string[]): Promise<Ran> => {
  const chart = join(charts, 'hub-replicator');
  return helm(
    plane,
    ['upgrade', '--install', release.name, chart, '--create-namespace', ...flags],
    merged(values, more),
  );
};
const kubectl = async (plane: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await planes.kubectl(plane, args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout.trim();
};
const present = async (plane: string): Promise<readonly string[]> =>
  (await kubectl(plane, 'get', kinds, '--all-namespaces', ofRelease, '--output=name')).split('\n').filter(Boolean);

describe('on a hub', () => {
  it('without the Namespace of the shards nothing is made, and the way out is told', async () => {
    const { code, stderr } = await install('hub');
    expect(stderr).toContain('make it first: kubectl create namespace lifeline-truth');
    expect(code).toBe(1);
    expect(await present('hub')).toEqual([]);
    await kubectl('hub', 'create', 'namespace', 'lifeline-truth');
  });

  it('is installed, with its rights, and says which are to be made elsewhere', async () => {
    const { code, stdout, stderr } = await install('hub');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('STATUS: deployed');
    expect(stdout).toMatch(/with the same values and rights.only set to:\n {2}project\n*$/);
    expect(await present('hub')).toEqual([
      'configmap/lifeline-hub-replicator',
      'deployment.apps/lifeline-hub-replicator',
      'service/lifeline-hub-replicator',
      'serviceaccount/lifeline-hub-replicator',
      'role.rbac.authorization.k8s.io/lifeline-hub-replicator-shards',
      'rolebinding.rbac.authorization.k8s.io/lifeline-hub-replicator-shards',
      'clusterrole.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-control-plane',
      'clusterrole.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-hub',
      'clusterrolebinding.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-control-plane',
      'clusterrolebinding.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-hub',
    ]);
  });

  it('is upgraded, and rolled back', async () => {
    const level = async (): Promise<string | undefined> =>
      /logLevel: \w+/.exec(
        await kubectl('hub', 'get', 'configmap', 'lifeline-hub-replicator', '-n', release.namespace, '-o', 'yaml'),
      )?.[0];
    expect(await level()).toBe('logLevel: info');
    expect(await install('hub', { config: { logLevel: 'debug' } }, '--dry-run=server')).toMatchObject({ code: 0 });
    expect(await level()).toBe('logLevel: info');
    expect(await install('hub', { config: { logLevel: 'debug' } })).toMatchObject({ code: 0 });
    expect(await level()).toBe('logLevel: debug');
    expect(await helm('hub', ['rollback', release.name, '1'])).toMatchObject({ code: 0 });
    expect(await level()).toBe('logLevel: info');
  });

  it('gives back rights that it needs no longer', async () => {
    expect(await install('hub', { kubeconfigs: { controlPlane: { secret: 'elsewhere' } } })).toMatchObject({ code: 0 });
    expect((await present('hub')).filter((name) => name.includes('control-plane'))).toEqual([]);
  });

  it('is removed, all but what belongs to no release', async () => {
    expect(await helm('hub', ['uninstall', release.name])).toMatchObject({ code: 0, stderr: '' });
    expect(await present('hub')).toEqual([]);
    expect(await kubectl('hub', 'get', 'namespace', 'lifeline-truth', '--output=name')).toBe(
      'namespace/lifeline-truth',
    );
    expect(await kubectl('hub', 'get', 'secrets', '-n', release.namespace, '--output=name')).toBe('');
  });
});

describe('on a project', () => {
  it('are the rights, and nothing else', async () => {
    const subjects = [{ kind: 'User', name: 'replicator', apiGroup: 'rbac.authorization.k8s.io' }];
    expect(await install('project-a', { rights: { only: 'project', subjects } })).toMatchObject({ code: 0 });
    expect(await present('project-a')).toEqual([
      'clusterrole.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-project',
      'clusterrolebinding.rbac.authorization.k8s.io/lifeline-system:lifeline-hub-replicator-project',
    ]);
  });
});
