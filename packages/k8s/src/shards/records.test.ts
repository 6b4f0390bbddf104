import type { Lease } from '@lifeline/core';
import { expect, it } from 'vitest';
import { marksOf, memberLease, recordOf, selectorOf, shardLease } from './records.ts';

const set = { namespace: 'system', name: 'app', count: 64 };
const lease = (name: string, count?: string): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name,
    namespace: 'system',
    annotations: count === undefined ? {} : { 'lifeline.dev/shard-count': count },
  },
});

it.each([
  { name: 'app-shard-0', count: '64', want: { of: 'shard', index: 0, count: 64 } },
  { name: 'app-shard-63', count: '32', want: { of: 'shard', index: 63, count: 32 } },
  { name: 'app-shard-7', count: undefined, want: { of: 'shard', index: 7, count: undefined } },
  { name: 'app-shard-7', count: 'many', want: { of: 'shard', index: 7, count: undefined } },
  { name: 'app-shard-07', count: '64', want: undefined },
  { name: 'app-shard-', count: '64', want: undefined },
  { name: 'app-member-a-b', count: '64', want: { of: 'member', identity: 'a-b', count: 64 } },
  { name: 'app-member-', count: '64', want: undefined },
  { name: 'other-shard-1', count: '64', want: undefined },
])('$name, saying $count → $want', ({ name, count, want }) => {
  expect(recordOf(set, lease(name, count))).toEqual(want);
});

it('what is written is what is read and selected', () => {
  const { labels, annotations } = marksOf(set);
  expect(selectorOf(set)).toBe('lifeline.dev/shards=app');
  expect(labels).toEqual({ 'lifeline.dev/shards': 'app' });
  for (const name of [shardLease(set, 5), memberLease(set, 'm')])
    expect(recordOf(set, { ...lease(name.name), metadata: { ...name, annotations } })?.count).toBe(64);
});
