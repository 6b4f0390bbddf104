/** The rights that the hub replicator's chart gives, and those that the app declares with the same settings. */
import { beforeAll, describe, expect, it } from 'vitest';
import { cases } from './cases.fixture.ts';
import { type Manifest, merged, release, template, type Values } from './helm.fixture.ts';
import { PlaneOfRelease } from './plane.fixture.ts';
import { difference, none, only, rolesOf, settingsOf } from './rendered.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

const chart = 'hub-replicator';
const rendered = new Map<string, readonly Manifest[]>();
beforeAll(async () => {
  for (const [name, values] of Object.entries(cases)) rendered.set(name, await template(chart, values));
});
const objectsOf = (name: string): readonly Manifest[] => rendered.get(name) ?? [];
describe('rights in its own cluster', () => {
  it.each(Object.keys(cases))('are those that the app declares, and no others: %s', async (name) => {
    const objects = objectsOf(name);
    const settings = await settingsOf(objects);
    const { hub, projects } = settings;
    const roles = [
      ...(hub.kubeconfig === undefined ? ['hub', 'shards'] : []),
      ...(hub.kubeconfig === undefined && projects.mode === 'single' ? ['project'] : []),
      ...(projects.mode === 'projects' && projects.kubeconfig === undefined ? ['control-plane'] : []),
      ...(projects.mode === 'secrets' && projects.kubeconfig === undefined ? ['secrets'] : []),
    ].sort();
    expect(rolesOf(objects)).toEqual(name === 'bare' ? [] : roles);
    for (const role of rolesOf(objects)) expect(difference(objects, role, settings), role).toEqual(none);
    for (const { kind, metadata, subjects, roleRef } of objects.filter(({ kind }) => kind?.endsWith('RoleBinding'))) {
      const { serviceAccountName } = workloadOf(only(objects, 'Deployment')).pod;
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: serviceAccountName, namespace: release.namespace }]);
      expect(roleRef).toEqual({
        apiGroup: 'rbac.authorization.k8s.io',
        kind: kind?.replace('Binding', ''),
        name: metadata.name,
      });
    }
  });
});

describe('rights for another plane', () => {
  const subjects = [{ kind: 'User', name: 'replicator', apiGroup: 'rbac.authorization.k8s.io' }];
  const rightsOf = (values: Values, plane: string) =>
    template(chart, merged(values, { rights: { only: plane, subjects } }));

  it.each([
    ['folder', 'hub', ['hub', 'shards']],
    ['folder', 'project', ['project']],
    ['kinds', 'project', ['project']],
    ['kinds-of-projects', 'hub', ['hub', 'shards']],
    ['projects', 'controlPlane', ['control-plane']],
    ['projects-internal', 'controlPlane', ['control-plane']],
    ['secrets', 'controlPlane', ['secrets']],
    ['single', 'hub', ['hub', 'project', 'shards']],
  ] as const)('%s: %s', async (name, plane, roles) => {
    const objects = await rightsOf(cases[name] ?? {}, plane);
    expect(rolesOf(objects)).toEqual(roles);
    expect(objects.every(({ kind }) => /^(Cluster)?Role(Binding)?$/.test(kind ?? ''))).toBe(true);
    const settings = await settingsOf(objectsOf(name));
    for (const role of roles) expect(difference(objects, role, settings), role).toEqual(none);
    for (const binding of objects.filter(({ kind }) => kind?.endsWith('Binding')))
      expect(binding.subjects).toEqual(subjects);
    await using server = await PlaneOfRelease.create(objects);
    expect(await server.refused(objects)).toEqual([]);
  });
});
