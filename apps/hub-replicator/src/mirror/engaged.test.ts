import { ConfigMap, encodeCluster, HTTPProxy, type KubeObject, labels } from '@lifeline/core';
import type { Cluster, ClusterProvider } from '@lifeline/k8s';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngagedProjects, requestOfCopy, requestOfNamespace } from './engaged.ts';
import { anchorOf, copyOf, goCopyOf, mappedOf, targetOf } from './mirror.fixture.ts';

/** A provider whose clusters come and go by hand. */
function projectsOf(...names: readonly string[]): {
  projects: ClusterProvider;
  engage: (name: string) => AbortController;
} {
  const lives = new Map<string, AbortController>();
  let tell: (cluster: Cluster) => void = () => undefined;
  const clusterOf = (name: string): Cluster => ({ name, signal: lives.get(name)?.signal }) as Cluster;
  const engage = (name: string): AbortController => {
    const life = new AbortController();
    lives.set(name, life);
    tell(clusterOf(name));
    return life;
  };
  const projects = {
    plane: 'project',
    subscribe(engaged: (cluster: Cluster) => void) {
      tell = engaged;
      for (const name of names) engage(name);
      return { [Symbol.dispose]: () => undefined };
    },
  } as unknown as ClusterProvider;
  return { projects, engage };
}

const engagedIn = (...names: readonly string[]): EngagedProjects => new EngagedProjects(projectsOf(...names).projects);

describe('EngagedProjects', () => {
  it('finds a project by its label, without a list; a short label needs its annotation', () => {
    const segment = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/);
    const name = fc.oneof(
      segment,
      fc.tuple(segment, segment).map((parts) => parts.join('/')),
      fc.tuple(segment, segment).map((parts) => parts.join('_')),
    );
    fc.assert(
      fc.property(name, name, (one, other) => {
        const engaged = engagedIn(one);
        const { label, annotation } = encodeCluster(one) ?? {};
        expect(engaged.byLabel(label)).toBe(annotation === undefined ? one : undefined);
        if (one !== other) expect(engaged.byLabel(encodeCluster(other)?.label)).toBeUndefined();
      }),
      { seed: 5 },
    );
    expect(engagedIn('').byLabel(undefined)).toBe('');
    expect(engagedIn('p1').byLabel(undefined)).toBeUndefined();
  });

  it('forgets a project when it goes, and not when its successor is there already', () => {
    const { projects, engage } = projectsOf();
    const gone: string[] = [];
    const engaged = new EngagedProjects(projects);
    engaged.whenGone((cluster) => gone.push(cluster));
    const first = engage('p1');
    expect(engaged.has('p1')).toBe(true);
    const second = engage('p1');
    first.abort();
    expect([engaged.has('p1'), gone]).toEqual([true, []]);
    second.abort();
    expect([engaged.has('p1'), engaged.get('p1'), gone]).toEqual([false, undefined, ['p1']]);
  });
});

describe('requestOfCopy', () => {
  const target = targetOf();
  const request = { at: 'request', request: { cluster: 'org/p1', key: 'default/web' } };
  const engaged = engagedIn('org/p1', 'p1', 'p'.repeat(70));
  const marked = (marks: Record<string, string>, notes?: Record<string, string>): KubeObject => {
    const { labels: before, annotations } = copyOf(target).metadata;
    return copyOf(target, { labels: { ...before, ...marks }, annotations: { ...annotations, ...notes } });
  };

  it.each<[string, KubeObject, unknown]>([
    ['a copy', copyOf(target), request],
    ['a Go copy', goCopyOf(target), request],
    ['a Go copy of long ago', marked({ [labels.upstreamCluster]: 'cluster-_org_p1' }), request],
    ['an anchor', anchorOf(target), request],
    ['a copy of another kind', copyOf(targetOf(ConfigMap)), { at: 'none' }],
    [
      'a copy from a project that is not looked after here',
      copyOf(targetOf(HTTPProxy, { cluster: 'org/p2' })),
      { at: 'none' },
    ],
    ['the same, with a long name', copyOf(targetOf(HTTPProxy, { cluster: 'q'.repeat(70) })), { at: 'none' }],
    [
      'a copy from a project with a long name',
      copyOf(targetOf(HTTPProxy, { cluster: 'p'.repeat(70) })),
      { at: 'request', request: { cluster: 'p'.repeat(70), key: 'default/web' } },
    ],
    ['an object without marks', copyOf(target, { labels: {} }), { at: 'none' }],
    [
      'a copy without a name',
      copyOf(target, {
        labels: { ...copyOf(target).metadata.labels, [labels.upstreamName]: 'x'.repeat(40) + '-0123456789' },
      }),
      { at: 'unreadable', key: labels.upstreamName },
    ],
    [
      'a copy of two projects',
      marked({}, { [labels.upstreamCluster]: 'p1' }),
      { at: 'unreadable', key: labels.upstreamCluster },
    ],
  ])('%s', (_, object, want) => {
    expect(requestOfCopy(HTTPProxy, object, engaged)).toEqual(want);
  });
});

describe('requestOfNamespace', () => {
  const engaged = engagedIn('org/p1');
  const go = { [labels.upstreamCluster]: 'cluster-org_p1', [labels.upstreamNamespace]: 'default' };

  it.each<[string, KubeObject, unknown]>([
    ['ours', mappedOf(), { cluster: 'org/p1', key: 'default' }],
    ['of the Go system', mappedOf(targetOf(), { labels: go, annotations: {} }), { cluster: 'org/p1', key: 'default' }],
    ['of nobody', mappedOf(targetOf(), { labels: {}, annotations: {} }), undefined],
    ['of another project', mappedOf(targetOf(HTTPProxy, { cluster: 'org/p2' })), undefined],
    ['of two projects', mappedOf(targetOf(), { annotations: { [labels.upstreamCluster]: 'org/p2' } }), undefined],
  ])('%s', (_, object, want) => {
    expect(requestOfNamespace(object, engaged)).toEqual(want);
  });
});
