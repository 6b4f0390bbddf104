import { annotations, downstreamNamespaceObject, identityOf } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectOf } from './mapped-namespace.ts';

const marked = (label?: string, annotation?: string) => ({
  metadata: {
    labels: label === undefined ? {} : { 'meta.datumapis.com/upstream-cluster-name': label },
    annotations: annotation === undefined ? {} : { 'meta.datumapis.com/upstream-cluster-name': annotation },
  },
});

describe('the project of a mapped Namespace', () => {
  it.each([
    { name: 'plain', object: marked('cluster-shop'), want: 'shop' },
    {
      name: 'short, with its annotation',
      object: downstreamNamespaceObject({ cluster: 'org_a/p', name: 'default', uid: 'u' }, 'demo'),
      want: 'org_a/p',
    },
    { name: 'short, the annotation lost', object: marked('cluster-org_a_p-ba27a5716b') },
    { name: 'what looks short and is not annotated', object: marked('cluster-shop-0123456789') },
    { name: 'a `_` may have been a `/`', object: marked('cluster-org_shop') },
    { name: 'legacy', object: marked('cluster-_shop') },
    { name: 'the annotation names another', object: marked('cluster-shop', 'other') },
    { name: 'no cluster label: the single cluster', object: marked() },
    { name: 'no label, an annotation', object: marked(undefined, 'shop') },
    { name: 'the prefix alone', object: marked('cluster-') },
    { name: 'not ours', object: marked('shop') },
  ])('$name', ({ object, want }) => {
    expect(projectOf(object)).toBe(want);
  });

  it('never another one: whatever is written for a project is read back as that project or not at all', () => {
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9_/-]{0,70}$/);
    fc.assert(
      fc.property(name, fc.boolean(), (cluster, kept) => {
        const { labels, annotations: exact } = identityOf(
          { cluster, group: '', kind: 'Namespace', namespace: 'n', name: 'n', uid: 'u' },
          'demo',
        );
        const found = projectOf({
          metadata: { labels, annotations: kept ? exact : { [annotations.upstreamUid]: 'u' } },
        });
        if (kept && Object.keys(exact).some((key) => key.endsWith('cluster-name'))) expect(found).toBe(cluster);
        else expect([cluster, undefined]).toContain(found);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
