import { ConfigMap, Connector, Lease, Namespace } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { type Controller, defineController, type WriteRight } from './define-controller.ts';
import { FakeProvider } from './fleet.fixture.ts';
import { self } from './mapper.ts';
import { rbacRules } from './rbac.ts';
import { watch } from './watch.ts';

const project = new FakeProvider('project');
const hub = new FakeProvider('hub');
const reconcile = (): Promise<void> => Promise.resolve();
const writing = (...writes: readonly WriteRight[]): Controller =>
  defineController({ name: 'test', watches: [watch(hub, Namespace, { mapper: self })], writes, reconcile });
const right = (change: Partial<WriteRight>): WriteRight => ({
  plane: 'project',
  kind: Connector,
  verbs: ['patch'],
  fields: ['spec'],
  owner: 'test',
  ...change,
});
const group = 'networking.datumapis.com';

describe('rbacRules', () => {
  it.each<{ name: string; right: WriteRight; want: Record<string, string[]> }>([
    { name: 'patch of the object', right: right({}), want: { connectors: ['patch'] } },
    {
      name: 'patch of status alone',
      right: right({ fields: ['status.conditions', 'status.leaseRef'] }),
      want: { 'connectors/status': ['patch'] },
    },
    {
      name: 'patch of both',
      right: right({ fields: ['status', 'metadata.finalizers'] }),
      want: { connectors: ['patch'], 'connectors/status': ['patch'] },
    },
    {
      name: 'patch of everything',
      right: right({ fields: ['*'] }),
      want: { connectors: ['patch'], 'connectors/status': ['patch'] },
    },
    { name: 'create', right: right({ verbs: ['create'], fields: ['*'] }), want: { connectors: ['create'] } },
    { name: 'delete', right: right({ verbs: ['delete'], fields: [] }), want: { connectors: ['delete'] } },
    { name: 'apply', right: right({ verbs: ['apply'] }), want: { connectors: ['create', 'patch'] } },
    {
      name: 'apply of status',
      right: right({ verbs: ['apply'], fields: ['status.conditions["Ready"]'] }),
      want: { 'connectors/status': ['patch'] },
    },
    { name: 'live reads', right: right({ reads: true }), want: { connectors: ['get', 'list', 'patch'] } },
    { name: 'another plane', right: right({ plane: 'hub' }), want: {} },
  ])('$name', ({ right: row, want }) => {
    const rules = rbacRules('project', [writing(row)]);
    const found = rules.flatMap(({ resources, verbs }) => (resources ?? []).map((resource) => [resource, verbs]));
    expect(Object.fromEntries(found)).toEqual(want);
    expect(rules.every(({ apiGroups }) => apiGroups?.join() === group)).toBe(true);
  });

  it('a kind without a status subresource has its status in the object', () => {
    expect(rbacRules('project', [writing(right({ kind: ConfigMap, fields: ['status'] }))])).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] },
    ]);
  });

  it('live reads of what is neither watched nor written, and Events, in their planes alone', () => {
    const controller = defineController({
      name: 'test',
      watches: [watch(hub, Namespace, { mapper: self })],
      writes: [],
      reads: [
        { plane: 'project', kind: Connector },
        { plane: 'project', kind: ConfigMap, verbs: ['get'] },
      ],
      events: ['project'],
      reconcile,
    });
    expect(rbacRules('project', [controller])).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: [group], resources: ['connectors'], verbs: ['get', 'list'] },
    ]);
    expect(rbacRules('hub', [controller])).toEqual([
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
    ]);
  });

  it('joins controllers, merges what has the same verbs, sorts, and depends on no order', () => {
    const first = defineController({
      name: 'first',
      watches: [
        watch(project, Connector, { mapper: self }),
        watch(project, Lease, { mapper: self }),
        watch(hub, ConfigMap, { mapper: self }),
      ],
      writes: [
        right({ fields: ['status.conditions'] }),
        right({ kind: Lease, verbs: ['create'], fields: ['*'] }),
        { plane: 'hub', kind: ConfigMap, verbs: ['apply', 'delete'], fields: ['data'], owner: 'first' },
      ],
      reconcile,
    });
    const second = defineController({
      name: 'second',
      watches: [watch(project, ConfigMap, { mapper: self }), watch(project, Namespace, { mapper: self })],
      writes: [right({ fields: ['metadata.finalizers'] })],
      reconcile,
    });
    const rules = rbacRules('project', [first, second]);
    expect(rules).toEqual([
      { apiGroups: [''], resources: ['configmaps', 'namespaces'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'list', 'watch'] },
      { apiGroups: [group], resources: ['connectors'], verbs: ['get', 'list', 'patch', 'watch'] },
      { apiGroups: [group], resources: ['connectors/status'], verbs: ['patch'] },
    ]);
    expect(rbacRules('project', [second, first])).toEqual(rules);
    expect(rbacRules('hub', [first, second])).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'] },
    ]);
    expect(rbacRules('edge', [first, second])).toEqual([]);
  });
});
