import { annotations, labels, type ObjectMeta } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { installation, mappedOf, namespaceUid, targetOf } from './mirror.fixture.ts';
import { namespaceState, namespaceWrite } from './namespace.ts';

const upstream = { cluster: 'org/p1', name: 'default', uid: namespaceUid };
const { labels: whole = {}, annotations: notes = {} } = mappedOf().metadata;
const without = (...keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(whole ?? {}).filter(([key]) => !keys.includes(key)));
const go = { [labels.upstreamCluster]: 'cluster-org_p1', [labels.upstreamNamespace]: 'default' };
const state = (metadata: Partial<ObjectMeta>): string => {
  const found = namespaceState(mappedOf(targetOf(), metadata), upstream, installation);
  return found.at === 'refused' ? found.reason : found.at;
};

describe('namespaceState', () => {
  it.each<{ name: string; metadata: Partial<ObjectMeta>; want: string }>([
    { name: 'as we make it', metadata: {}, want: 'ready' },
    { name: 'with more on it', metadata: { labels: { ...whole, theirs: 'x' } }, want: 'ready' },
    { name: 'without a label', metadata: { labels: without(labels.upstreamCluster) }, want: 'wanting' },
    { name: 'without labels', metadata: { labels: {} }, want: 'wanting' },
    { name: 'without annotations', metadata: { annotations: {} }, want: 'wanting' },
    { name: 'of the Go system', metadata: { labels: go, annotations: {} }, want: 'wanting' },
    {
      name: 'of the Go system, long ago',
      metadata: { labels: { ...go, [labels.upstreamCluster]: 'cluster-_org_p1' }, annotations: {} },
      want: 'wanting',
    },
    { name: 'without anything', metadata: { labels: {}, annotations: {} }, want: 'PlaceTaken' },
    {
      name: 'of who knows which project',
      metadata: { labels: { [labels.upstreamNamespace]: 'default' }, annotations: {} },
      want: 'PlaceTaken',
    },
    {
      name: 'of another project',
      metadata: { labels: { ...whole, [labels.upstreamCluster]: 'cluster-org_p2' } },
      want: 'PlaceTaken',
    },
    {
      name: 'of our uid by another name',
      metadata: { labels: { ...whole, [labels.upstreamNamespace]: 'other' } },
      want: 'wanting',
    },
    {
      name: 'of our uid by another exact name',
      metadata: { annotations: { ...notes, [labels.upstreamNamespace]: 'other' } },
      want: 'wanting',
    },
    {
      name: 'of our uid by another name, of another project',
      metadata: { labels: { ...go, [labels.upstreamCluster]: 'cluster-org_p2', [labels.upstreamNamespace]: 'other' } },
      want: 'PlaceTaken',
    },
    {
      name: 'of no uid and another name',
      metadata: { labels: { ...whole, [labels.upstreamNamespace]: 'other' }, annotations: {} },
      want: 'PlaceTaken',
    },
    {
      name: 'of another uid',
      metadata: { annotations: { ...notes, [annotations.upstreamUid]: 'other' } },
      want: 'PlaceTaken',
    },
    {
      name: 'of a project by its exact name',
      metadata: { annotations: { ...notes, [labels.upstreamCluster]: 'org/p2' } },
      want: 'PlaceTaken',
    },
    {
      name: 'of another installation',
      metadata: { labels: { ...whole, [labels.installation]: 'there' } },
      want: 'OtherInstallation',
    },
  ])('$name → $want', ({ metadata, want }) => {
    expect(state(metadata)).toBe(want);
  });

  it('an exact name that somebody added is made right: an apply of ours could not take it off', () => {
    const edited = mappedOf(targetOf(), { annotations: { ...notes, [labels.upstreamNamespace]: 'other' } });
    const write = namespaceWrite(upstream, installation, edited);
    const { metadata } = (write as unknown as { object: { metadata: ObjectMeta } }).object;
    expect(metadata.annotations).toEqual({ ...notes, [labels.upstreamNamespace]: 'default' });
    expect(state({ annotations: metadata.annotations })).toBe('ready');
  });

  it('absent: to be made, with all its labels in one request', () => {
    expect(namespaceState(undefined, upstream, installation)).toEqual({ at: 'wanting' });
    expect(namespaceWrite(upstream, installation)).toMatchObject({
      verb: 'apply',
      object: { metadata: { name: `ns-${namespaceUid}`, labels: whole, annotations: notes } },
    });
  });
});
