import { ConfigMap, Connector, type JsonPatchOperation, Lease } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { isKubeError } from '../client/kube-error.ts';
import type { Write } from '../fleet/cluster.ts';
import type { WriteRight } from './define-controller.ts';
import { WriteGuard } from './write-guard.ts';
import { writtenPaths } from './written-paths.ts';
import { formatFieldPath } from './field-path.ts';

const name = { namespace: 'default', name: 'a' };
const merge = (kind: Write['kind'], body: Record<string, unknown>, subresource?: 'status'): Write => ({
  verb: 'patch',
  kind,
  name,
  patch: { type: 'merge', body },
  subresource,
});
const json = (kind: Write['kind'], body: JsonPatchOperation[], subresource?: 'status'): Write => ({
  verb: 'patch',
  kind,
  name,
  patch: { type: 'json', body },
  subresource,
});
const apply = (kind: Write['kind'], fields: Record<string, unknown>, subresource?: 'status'): Write => ({
  verb: 'apply',
  kind,
  object: { ...fields, metadata: { ...name, ...(fields['metadata'] as object) } },
  force: true,
  subresource,
});
const create = (kind: Write['kind'], fields: Record<string, unknown>): Write => ({
  verb: 'create',
  kind,
  object: { ...fields, metadata: { ...name, ...(fields['metadata'] as object) } },
});

describe('writtenPaths', () => {
  it.each<{ what: string; write: Write; want: string[] }>([
    {
      what: 'identity is nobody’s field',
      write: create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: 'u', resourceVersion: '1' } }),
      want: [],
    },
    {
      what: 'leaves of an applied object',
      write: apply(ConfigMap, { data: { a: '1', 'b.c': '2' }, metadata: { labels: { x: 'y' } } }),
      want: ['data.a', 'data["b.c"]', 'metadata.labels.x'],
    },
    {
      what: 'undefined is not sent',
      write: apply(ConfigMap, { data: undefined, immutable: true }),
      want: ['immutable'],
    },
    {
      what: 'items of an applied map list, by key',
      write: apply(Connector, { status: { conditions: [{ type: 'Ready' }, { type: 'Accepted' }] } }, 'status'),
      want: ['status.conditions.Ready', 'status.conditions.Accepted'],
    },
    {
      what: 'an item without its key means the list',
      write: apply(Connector, { status: { conditions: [{ reason: 'x' }] } }, 'status'),
      want: ['status.conditions'],
    },
    {
      what: 'a list in a merge patch, whole',
      write: merge(Connector, { status: { conditions: [{ type: 'Ready' }] } }, 'status'),
      want: ['status.conditions'],
    },
    {
      what: 'a removal by merge patch',
      write: merge(ConfigMap, { metadata: { annotations: { 'a.b/c': null } }, data: null }),
      want: ['metadata.annotations["a.b/c"]', 'data'],
    },
    {
      what: 'the finalizer list in a merge patch',
      write: merge(ConfigMap, { metadata: { finalizers: ['ours'] } }),
      want: ['metadata.finalizers'],
    },
    {
      what: 'JSON patch: what a test reads is not written',
      write: json(ConfigMap, [
        { op: 'test', path: '/metadata/uid', value: 'u' },
        { op: 'remove', path: '/metadata/finalizers/0' },
      ]),
      want: ['metadata.finalizers.0'],
    },
    {
      what: 'JSON patch: escaped names',
      write: json(ConfigMap, [{ op: 'add', path: '/metadata/annotations/a.b~1c', value: '' }]),
      want: ['metadata.annotations["a.b/c"]'],
    },
    {
      what: 'JSON patch: a move empties its source',
      write: json(ConfigMap, [{ op: 'move', from: '/data/a', path: '/data/b' }]),
      want: ['data.a', 'data.b'],
    },
    {
      what: 'JSON patch: a copy reads its source',
      write: json(ConfigMap, [{ op: 'copy', from: '/data/a', path: '/data/b' }]),
      want: ['data.b'],
    },
    { what: 'JSON patch: everything', write: json(ConfigMap, [{ op: 'replace', path: '', value: {} }]), want: ['*'] },
    {
      what: 'JSON patch: no pointer at all',
      write: json(ConfigMap, [{ op: 'add', path: 'data', value: {} }]),
      want: ['*'],
    },
    { what: 'a delete', write: { verb: 'delete', kind: ConfigMap, name, uid: 'u' }, want: [] },
  ])('$what', ({ write, want }) => {
    expect(writtenPaths(write).map(({ path }) => formatFieldPath(path))).toEqual(want);
  });
});

const stamp = 'gateway.envoyproxy.io/lifeline-intent';
const writes: WriteRight[] = [
  { plane: 'hub', kind: ConfigMap, verbs: ['apply', 'delete'], fields: ['data', 'metadata.labels'], owner: 'copier' },
  {
    plane: 'hub',
    kind: ConfigMap,
    verbs: ['patch'],
    fields: ['metadata.finalizers', `metadata.annotations["${stamp}"]`],
    owner: 'finalizer',
  },
  { plane: 'hub', kind: ConfigMap, verbs: ['patch'], fields: ['immutable'], owner: 'sealer' },
  {
    plane: 'project',
    kind: Connector,
    verbs: ['apply', 'patch'],
    fields: ['status.conditions["Ready"]', 'status.leaseRef'],
    owner: 'connector',
  },
  { plane: 'project', kind: Lease, verbs: ['create'], fields: ['*'], owner: 'connector' },
  { plane: 'hub', kind: Connector, verbs: ['apply'], fields: ['spec'], owner: 'whole' },
  { plane: 'hub', kind: Connector, verbs: ['apply'], fields: ['spec.class', 'metadata.labels'], owner: 'part' },
  { plane: 'hub', kind: Connector, verbs: ['create', 'patch'], fields: ['*'], owner: 'maker' },
  { plane: 'edge', kind: Connector, verbs: ['apply'], fields: ['*'], owner: 'all' },
];
const guard = new WriteGuard({ name: 'test', writes });

describe('WriteGuard', () => {
  it.each<{ what: string; plane?: string; write: Write; owner: string }>([
    {
      what: 'fields of the lane',
      write: apply(ConfigMap, { data: { a: '1' }, metadata: { labels: { x: 'y' } } }),
      owner: 'copier',
    },
    { what: 'a delete with a uid', write: { verb: 'delete', kind: ConfigMap, name, uid: 'u' }, owner: 'copier' },
    {
      what: 'an entry of a list of the lane',
      write: json(ConfigMap, [{ op: 'add', path: '/metadata/finalizers/-', value: 'ours' }]),
      owner: 'finalizer',
    },
    {
      what: 'one annotation',
      write: merge(ConfigMap, { metadata: { annotations: { [stamp]: 'x' } } }),
      owner: 'finalizer',
    },
    {
      what: 'an empty map above the lane',
      write: merge(ConfigMap, { metadata: { annotations: {} } }),
      owner: 'finalizer',
    },
    { what: 'the row that covers it', write: merge(ConfigMap, { immutable: true }), owner: 'sealer' },
    {
      what: 'our item of a map list',
      plane: 'project',
      write: apply(Connector, { status: { conditions: [{ type: 'Ready' }] } }, 'status'),
      owner: 'connector',
    },
    {
      what: 'a part of a field that another row has whole',
      write: apply(Connector, { spec: { class: 'a' }, metadata: { labels: { x: 'y' } } }),
      owner: 'part',
    },
    {
      what: 'a status and a name',
      write: apply(Connector, { status: { a: 1 } }, 'status'),
      plane: 'edge',
      owner: 'all',
    },
    { what: 'a status by its subresource', write: merge(Connector, { status: { a: 1 } }, 'status'), owner: 'maker' },
    {
      what: 'everything of a new object',
      plane: 'project',
      write: create(Lease, { spec: { holderIdentity: 'x' } }),
      owner: 'connector',
    },
  ])('allows $what', ({ plane = 'hub', write, owner }) => {
    expect(guard.rightFor(plane, write).owner).toBe(owner);
  });

  it.each<{ what: string; plane?: string; write: Write; says: string }>([
    {
      what: 'another plane',
      plane: 'project',
      write: apply(ConfigMap, { data: {} }),
      says: 'apply of ConfigMap in plane project',
    },
    { what: 'another verb', write: create(ConfigMap, { data: {} }), says: 'create of ConfigMap in plane hub' },
    { what: 'another kind', write: create(Lease, {}), says: 'create of Lease.coordination.k8s.io' },
    {
      what: 'fields outside of the lane',
      write: apply(ConfigMap, { data: { a: '1' }, immutable: true }),
      says: 'immutable',
    },
    {
      what: 'fields of two rows at once',
      write: merge(ConfigMap, { immutable: true, metadata: { finalizers: null } }),
      says: 'immutable',
    },
    {
      what: 'another annotation',
      write: merge(ConfigMap, { metadata: { annotations: { other: 'x' } } }),
      says: 'metadata.annotations.other',
    },
    {
      what: 'all annotations',
      write: merge(ConfigMap, { metadata: { annotations: null } }),
      says: 'metadata.annotations',
    },
    {
      what: 'a map put in place of all annotations',
      write: json(ConfigMap, [{ op: 'add', path: '/metadata/annotations', value: { [stamp]: 'x' } }]),
      says: 'metadata.annotations',
    },
    {
      what: 'a list replaced by an empty map',
      write: json(ConfigMap, [{ op: 'replace', path: '/metadata/annotations', value: {} }]),
      says: 'metadata.annotations',
    },
    {
      what: 'a status with everything else',
      write: create(Connector, { spec: {}, status: { a: 1 } }),
      says: 'past the status subresource',
    },
    {
      what: 'everything by the subresource of the status',
      write: merge(Connector, { spec: { class: 'a' } }, 'status'),
      says: 'through the status subresource',
    },
    {
      what: 'another owner’s condition',
      plane: 'project',
      write: apply(Connector, { status: { conditions: [{ type: 'Accepted' }] } }, 'status'),
      says: 'status.conditions.Accepted',
    },
    {
      what: 'the whole list of conditions',
      plane: 'project',
      write: merge(Connector, { status: { conditions: [{ type: 'Ready' }] } }, 'status'),
      says: 'status.conditions',
    },
    {
      what: 'status past its subresource',
      plane: 'project',
      write: merge(Connector, { status: { leaseRef: null } }),
      says: 'past the status subresource',
    },
    {
      what: 'labels through the status subresource',
      plane: 'project',
      write: merge(Connector, { status: { leaseRef: null }, metadata: { labels: null } }, 'status'),
      says: 'metadata.labels through the status subresource',
    },
    {
      what: 'a delete without a uid',
      write: { verb: 'delete', kind: ConfigMap, name, uid: '' },
      says: 'without a uid',
    },
  ])('refuses $what', ({ plane = 'hub', write, says }) => {
    let thrown: unknown;
    try {
      guard.rightFor(plane, write);
    } catch (error) {
      thrown = error;
    }
    expect(isKubeError(thrown, 'not-declared')).toBe(true);
    expect((thrown as Error).message).toContain(says);
  });
});
