import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLabelValue } from '../meta/syntax.ts';
import { decodeCluster, encodeCluster, projectKey } from './cluster-label.ts';
import { EngagedClusters } from './engaged-clusters.ts';

describe('encodeCluster', () => {
  it.each([
    { cluster: 'datum-cloud', label: 'cluster-datum-cloud' },
    { cluster: 'org/project', label: 'cluster-org_project' },
    { cluster: '/p', label: 'cluster-_p' },
    { cluster: 'single', label: 'cluster-single' },
    { cluster: 'p'.repeat(55), label: `cluster-${'p'.repeat(55)}` },
  ])('$cluster → $label', ({ cluster, label }) => {
    expect(encodeCluster(cluster)).toEqual({ label });
  });

  it('the single cluster without a name has no label', () => {
    expect(encodeCluster('')).toBeUndefined();
  });

  it.each([
    { name: 'a `_` in the name', cluster: 'org_a/p', start: 'cluster-org_a_p-' },
    { name: '56 characters', cluster: 'p'.repeat(56), start: `cluster-${'p'.repeat(32)}-` },
    { name: 'a project of 72 characters', cluster: `p-${'x'.repeat(70)}`, start: `cluster-p-${'x'.repeat(30)}-` },
    { name: 'a long path', cluster: `org-a/${'x'.repeat(60)}`, start: `cluster-org-a_${'x'.repeat(26)}-` },
    { name: 'a trailing slash', cluster: 'org/', start: 'cluster-org-' },
    { name: 'what looks like a short form', cluster: 'p-0123456789', start: 'cluster-p-0123456789-' },
    { name: '253 characters', cluster: 'y'.repeat(253), start: `cluster-${'y'.repeat(32)}-` },
  ])('C11: $name is shortened', ({ cluster, start }) => {
    const encoded = encodeCluster(cluster);
    expect(encoded?.annotation).toBe(cluster);
    expect(encoded?.label.slice(0, -10)).toBe(start);
    expect(isLabelValue(encoded?.label ?? '-')).toBe(true);
  });

  it('pinned values: what was written must be found again by later versions', () => {
    expect(encodeCluster('org_a/p')?.label).toBe('cluster-org_a_p-ba27a5716b');
    expect(encodeCluster('p'.repeat(70))?.label).toBe(`cluster-${'p'.repeat(32)}-d79ad4b575`);
  });

  it('C13: `org-a/p1`, `org-b/p1`, `org_a/p1` and `org/a/p1` stay apart', () => {
    const encoded = ['org-a/p1', 'org-b/p1', 'org_a/p1', 'org/a/p1', 'org/a_p1'].map(
      (name) => encodeCluster(name)?.label,
    );
    expect(new Set(encoded).size).toBe(5);
  });
});

describe('decodeCluster', () => {
  const long = `org/${'x'.repeat(80)}`;
  const short = encodeCluster(long)?.label;
  const engaged = new EngagedClusters(['my-project', 'org/project', 'org_b/q', long]);
  const decoded = (cluster: string) => ({ state: 'decoded', cluster });
  const undecodable = (reason: string) => ({ state: 'undecodable', reason });

  it.each([
    { name: 'plain, engaged', label: 'cluster-my-project', want: decoded('my-project') },
    { name: 'a path, engaged', label: 'cluster-org_project', want: decoded('org/project') },
    { name: 'legacy', label: 'cluster-_my-project', want: decoded('my-project') },
    { name: 'legacy path', label: 'cluster-_org_project', want: decoded('org/project') },
    { name: 'short, engaged, annotation lost', label: short, want: decoded(long) },
    {
      name: 'short, not engaged, annotation kept',
      label: encodeCluster('a_b')?.label,
      annotation: 'a_b',
      want: decoded('a_b'),
    },
    { name: 'plain, not engaged', label: 'cluster-other', want: undecodable('not-engaged') },
    { name: 'plain form of a name with `_`', label: 'cluster-org_b_q', want: undecodable('not-engaged') },
    { name: 'legacy, not engaged', label: 'cluster-_other', want: undecodable('not-engaged') },
    { name: 'no prefix', label: 'my-project', want: undecodable('not-engaged') },
    { name: 'the prefix alone', label: 'cluster-', want: undecodable('not-engaged') },
    {
      name: 'the annotation names another tenant',
      label: 'cluster-my-project',
      annotation: 'org/project',
      want: undecodable('contradiction'),
    },
    {
      name: 'the annotation stands alone',
      label: undefined,
      annotation: 'my-project',
      want: undecodable('contradiction'),
    },
    { name: 'no label', label: undefined, want: undecodable('not-engaged') },
  ])('$name', ({ label, annotation, want }) => {
    expect(decodeCluster(label, annotation, engaged)).toEqual(want);
  });

  it('no label is the cluster without a name, where there is one', () => {
    expect(decodeCluster(undefined, undefined, new EngagedClusters(['']))).toEqual(decoded(''));
  });

  it('a cluster that really is `/name` goes before the legacy reading', () => {
    expect(decodeCluster('cluster-_p', undefined, new EngagedClusters(['/p']))).toEqual(decoded('/p'));
  });
});

describe('clusters of any name', () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', '1', '-', '_', '/', '.', '-0123456789', 'xxxxxxxxxxxxxxxxxxxx'), {
      maxLength: 20,
      size: 'max',
    })
    .map((parts) => parts.join(''));

  it('valid and decodable: from the annotation, and from the engaged clusters without it', () => {
    fc.assert(
      fc.property(name, (cluster) => {
        const encoded = encodeCluster(cluster);
        if (!encoded) {
          expect(cluster).toBe('');
          return;
        }
        expect(isLabelValue(encoded.label)).toBe(true);
        expect(decodeCluster(encoded.label, encoded.annotation, new EngagedClusters([cluster]))).toEqual({
          state: 'decoded',
          cluster,
        });
        expect(decodeCluster(encoded.label, undefined, new EngagedClusters([cluster]))).toEqual({
          state: 'decoded',
          cluster,
        });
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('injective: a label never decodes to another cluster', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        if (a === b) return;
        expect(encodeCluster(a)?.label).not.toBe(encodeCluster(b)?.label);
        const encoded = encodeCluster(a);
        const onlyB = new EngagedClusters([b]);
        const result = decodeCluster(encoded?.label, encoded?.annotation, onlyB);
        // A legacy label may spell `/name`; that cluster and `name` share a key and are never engaged together.
        if (result.state === 'decoded' && projectKey(a) !== projectKey(b)) expect(result.cluster).toBe(a);
      }),
      { seed: 11, numRuns: 3000 },
    );
  });
});

describe('projectKey', () => {
  it.each([
    ['org/project', 'project'],
    ['project', 'project'],
    ['a/b/c', 'c'],
    ['/p', 'p'],
    ['org/', ''],
    ['', ''],
  ])('%j → %j', (cluster, want) => {
    expect(projectKey(cluster)).toBe(want);
  });
});
