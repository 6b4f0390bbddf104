import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import { isLabelValue } from '../meta/syntax.ts';
import { annotations } from './annotations.ts';
import { downstreamNamespaceObject } from './downstream-namespace.ts';
import { EngagedClusters } from './engaged-clusters.ts';
import { ContractError } from './errors.ts';
import { identityOf, isOrphan, livingKey, sameCopy, type Upstream, upstreamKey, upstreamOf } from './identity.ts';
import {
  demoInstallation,
  isInstallationId,
  isMappedNamespace,
  ownershipOf,
  requireInstallationId,
} from './installation.ts';
import { labels } from './labels.ts';
import { anchorName, downstreamNamespace } from './names.ts';

const upstream: Upstream = {
  cluster: 'org/project',
  group: 'networking.datumapis.com',
  kind: 'Connector',
  namespace: 'default',
  name: 'conn-a',
  uid: '6f1c',
  generation: 3,
};
const engaged = new EngagedClusters(['org/project']);

describe('identityOf', () => {
  it('five labels, the installation, uid and generation', () => {
    expect(identityOf(upstream, 'demo')).toEqual({
      labels: {
        'meta.datumapis.com/upstream-cluster-name': 'cluster-org_project',
        'meta.datumapis.com/upstream-group': 'networking.datumapis.com',
        'meta.datumapis.com/upstream-kind': 'Connector',
        'meta.datumapis.com/upstream-name': 'conn-a',
        'meta.datumapis.com/upstream-namespace': 'default',
        'lifeline.dev/installation': 'demo',
      },
      annotations: {
        'meta.datumapis.com/upstream-uid': '6f1c',
        'meta.datumapis.com/upstream-generation': '3',
      },
    });
  });

  it('the exact text stands under the label’s own key where the label is short', () => {
    const name = `conn-${'x'.repeat(248)}`;
    const { labels: marks, annotations: exact } = identityOf({ ...upstream, cluster: 'a_b', name }, 'demo');
    expect(exact[labels.upstreamName]).toBe(name);
    expect(exact[labels.upstreamCluster]).toBe('a_b');
    expect(exact[labels.upstreamNamespace]).toBeUndefined();
    for (const value of Object.values(marks)) expect(isLabelValue(value)).toBe(true);
  });

  it('no cluster label without a cluster name, no generation where the kind has none, every digit where it has', () => {
    const plain = identityOf({ ...upstream, cluster: '', generation: undefined }, 'demo');
    expect(Object.keys(plain.labels)).not.toContain(labels.upstreamCluster);
    expect(Object.keys(plain.annotations)).toEqual([annotations.upstreamUid]);
    const generation = new JsonNumber('9007199254740993');
    expect(identityOf({ ...upstream, generation }, 'demo').annotations[annotations.upstreamGeneration]).toBe(
      '9007199254740993',
    );
  });
});

describe('upstreamOf', () => {
  it.each([
    { name: 'an ordinary copy', upstream },
    { name: 'names of 253 characters', upstream: { ...upstream, name: 'n'.repeat(253), namespace: 'm'.repeat(63) } },
    { name: 'a name that looks short', upstream: { ...upstream, name: 'conn-0123456789' } },
    { name: 'the core group', upstream: { ...upstream, group: '', kind: 'Secret' } },
  ])('reads back $name', ({ upstream: written }) => {
    const { uid, name: objectName, namespace, group, kind } = written;
    expect(upstreamOf({ metadata: identityOf(written, 'demo') }, engaged)).toEqual({
      state: 'decoded',
      upstream: { cluster: 'org/project', uid, name: objectName, namespace, group, kind },
    });
  });

  it('a copy of the Go system has no uid', () => {
    const { labels: marks } = identityOf(upstream, 'demo');
    const decoded = upstreamOf({ metadata: { labels: marks } }, engaged);
    expect(decoded).toMatchObject({ state: 'decoded', upstream: { name: 'conn-a', uid: undefined } });
  });

  it.each([
    { name: 'a cluster that is not engaged', key: labels.upstreamCluster, value: 'cluster-other' },
    { name: 'a short name without its annotation', key: labels.upstreamName, value: 'conn-0123456789' },
    { name: 'a short namespace without its annotation', key: labels.upstreamNamespace, value: 'ns-0123456789' },
  ])('$name cannot be decoded', ({ key, value }) => {
    const identity = identityOf(upstream, 'demo');
    const metadata = { ...identity, labels: { ...identity.labels, [key]: value } };
    expect(upstreamOf({ metadata }, engaged)).toEqual({ state: 'undecodable', key });
  });

  it.each([undefined, null, {}, { [labels.upstreamNamespace]: 'default' }])('labels %j mark no copy', (marks) => {
    expect(upstreamOf({ metadata: { labels: marks } }, engaged)).toEqual({ state: 'unmarked' });
  });
});

describe('same copy', () => {
  const copy = { plane: 'hub', group: 'g', kind: 'Connector', namespace: 'ns-1', name: 'a', upstreamUid: 'u1' };
  it.each(Object.keys(copy))('differs by %s', (field) => {
    expect(sameCopy(copy, { ...copy })).toBe(true);
    expect(sameCopy(copy, { ...copy, [field]: 'other' })).toBe(false);
  });

  it('C13: keys of the same name in other clusters, groups and namespaces differ', () => {
    const name = { cluster: 'c', group: 'g', kind: 'Gateway', namespace: 'n', name: 'web' };
    const others = [
      { cluster: 'd' },
      { group: 'h' },
      { kind: 'K' },
      { namespace: 'm' },
      { name: 'api' },
      { cluster: '', group: 'cg' },
    ];
    const keys = [name, ...others.map((over) => ({ ...name, ...over }))].map(upstreamKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    { name: 'alive', copy: { namespace: 'ns-1', upstreamUid: 'u1' }, want: false },
    { name: 'made anew upstream', copy: { namespace: 'ns-1', upstreamUid: 'u0' }, want: true },
    { name: 'another namespace', copy: { namespace: 'ns-2', upstreamUid: 'u1' }, want: true },
    { name: 'no uid known', copy: { namespace: 'ns-2' }, want: false },
  ])('orphan: $name → $want', ({ copy: lone, want }) => {
    expect(isOrphan(lone, new Set([livingKey('ns-1', 'u1')]))).toBe(want);
  });
});

describe('downstream names', () => {
  it('follow from uids', () => {
    expect(downstreamNamespace('6f1c')).toBe('ns-6f1c');
    expect(anchorName('6f1c')).toBe('anchor-6f1c');
    expect(() => downstreamNamespace('')).toThrow(ContractError);
    expect(() => anchorName('')).toThrow(ContractError);
  });

  it('the downstream Namespace has all its labels from the start', () => {
    const namespace = downstreamNamespaceObject({ cluster: 'org/project', name: 'default', uid: '6f1c' }, 'demo');
    expect(namespace).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: 'ns-6f1c',
        labels: {
          'meta.datumapis.com/upstream-cluster-name': 'cluster-org_project',
          'meta.datumapis.com/upstream-group': '',
          'meta.datumapis.com/upstream-kind': 'Namespace',
          'meta.datumapis.com/upstream-name': 'default',
          'meta.datumapis.com/upstream-namespace': 'default',
          'lifeline.dev/installation': 'demo',
        },
        annotations: { 'meta.datumapis.com/upstream-uid': '6f1c' },
      },
    });
    expect(isMappedNamespace(namespace)).toBe(true);
    expect(isMappedNamespace({ metadata: { labels: { [labels.upstreamNamespace]: '' } } })).toBe(true);
    expect(isMappedNamespace({ metadata: {} })).toBe(false);
  });
});

describe('installations', () => {
  it.each(['demo', 'a', '0', 'a-b', 'x'.repeat(40)])('%s is an id', (id) => {
    expect(isInstallationId(id)).toBe(true);
    expect(requireInstallationId(id)).toBe(id);
  });
  it.each(['', 'A', 'a_b', 'a.b', '-a', 'a-', 'x'.repeat(41), 'a\n'])('%j is none', (id) => {
    expect(isInstallationId(id)).toBe(false);
    expect(() => requireInstallationId(id)).toThrow(ContractError);
  });

  const marked = (marks?: Record<string, string> | null) =>
    ownershipOf({ metadata: { labels: marks } }, demoInstallation);
  it.each([
    { name: 'our label', marks: { [labels.installation]: 'demo', [labels.upstreamNamespace]: 'd' }, want: 'ours' },
    { name: 'our label, no identity', marks: { [labels.installation]: 'demo' }, want: 'ours' },
    { name: 'identity, no installation', marks: { [labels.upstreamNamespace]: 'd' }, want: 'adoptable' },
    {
      name: 'another installation',
      marks: { [labels.installation]: 'demo2', [labels.upstreamNamespace]: 'd' },
      want: 'foreign',
    },
    { name: 'an empty installation', marks: { [labels.installation]: '' }, want: 'foreign' },
    { name: 'other labels', marks: { app: 'web' }, want: 'unrelated' },
    { name: 'no labels', marks: null, want: 'unrelated' },
  ])('C19: $name → $want', ({ marks, want }) => {
    expect(marked(marks)).toBe(want);
  });
});
