import {
  Connector,
  encodeCluster,
  HTTPProxy,
  type KubeObject,
  labels,
  matchesSelector,
  parseSelector,
  type UpstreamName,
  upstreamKey,
} from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, placeOf } from './decide.ts';
import { claims, clusterLabels, copyIndexes, copySelector, indexValues } from './identity-index.ts';
import {
  anchorOf,
  copyOf,
  goCopyOf,
  mappedOf,
  namespaceOf,
  policyOf,
  rulesOf,
  seenOf,
  targetOf,
  upstreamOf,
} from './mirror.fixture.ts';

/** Names that run into each other: pieces that labels shorten, join and escape. */
const piece = fc.constantFrom('a', 'b', 'default', 'p1', 'x'.repeat(40), 'y'.repeat(63), 'a-0123456789');
const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('-'));
const cluster = fc.oneof(
  fc.tuple(name, name).map(([org, project]) => `${org}/${project}`),
  fc.tuple(name, name).map(([org, project]) => `${org}_${project}`),
  name,
  fc.constant(''),
);
const target = fc
  .record({ cluster, namespace: name, name, kind: fc.constantFrom(HTTPProxy, Connector) })
  .map(({ kind, ...rest }): UpstreamName => ({ ...rest, group: kind.group, kind: kind.kind }));

const isFound = (copy: KubeObject, by: UpstreamName): boolean =>
  indexValues('upstream', by).some((value) => copyIndexes.upstream(copy).includes(value)) && claims(copy, by);

describe('the index of copies', () => {
  it('finds every copy by its object, and none by another: whatever they are called', () => {
    fc.assert(
      fc.property(target, target, (one, other) => {
        for (const copy of [copyOf(one), anchorOf(one)]) {
          expect(isFound(copy, one)).toBe(true);
          expect(isFound(copy, other)).toBe(upstreamKey(one) === upstreamKey(other));
          expect(matchesSelector(parseSelector(copySelector(one)), copy.metadata.labels)).toBe(true);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("two tenants never touch what is the other's, wherever they and their objects are called alike", () => {
    const tenant = fc.record({ cluster, namespaceUid: fc.uuid(), uid: fc.uuid() });
    fc.assert(
      fc.property(fc.tuple(tenant, tenant), target, fc.boolean(), ([a, b], shared, isGone) => {
        fc.pre(a.cluster !== b.cluster && a.namespaceUid !== b.namespaceUid);
        const [first, second] = [a, b].map(({ cluster: own }) => ({ ...shared, cluster: own })) as [
          UpstreamName,
          UpstreamName,
        ];
        const kind = shared.kind === 'Connector' ? Connector : HTTPProxy;
        const place = placeOf(first, { cluster: a.cluster, name: shared.namespace, uid: a.namespaceUid });
        const theirs = [
          copyOf(first, { ...place }),
          goCopyOf(first, a.uid, { ...place }),
          copyOf(first, { namespace: 'ns-earlier' }),
        ];
        const named = { namespace: shared.namespace, name: shared.name };
        const decision = decide(
          seenOf({
            target: second,
            upstream: isGone ? undefined : upstreamOf(kind, { ...named, uid: b.uid }),
            namespace: namespaceOf({ name: shared.namespace, uid: b.namespaceUid }),
            mapped: undefined,
            copies: theirs,
            anchors: [anchorOf(first, { namespace: place.namespace })],
          }),
          rulesOf(policyOf(kind)),
        );
        expect(decision).toMatchObject(
          isGone ? { at: 'nothing' } : { at: 'keep', current: undefined, stale: [], staleAnchors: [] },
        );
        if (decision.at === 'keep') expect(decision.place.namespace).not.toBe(place.namespace);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('a short label whose annotation names another object is not taken at its word', () => {
    const long = targetOf(HTTPProxy, { name: 'n'.repeat(80) });
    const copy = copyOf(long);
    const forged = { ...copy.metadata.annotations, [labels.upstreamName]: 'other' };
    expect(claims(copy, long)).toBe(true);
    expect(claims({ ...copy, metadata: { ...copy.metadata, annotations: forged } }, long)).toBe(false);
  });

  it("knows the labels of the Go system, and not those that may be another's", () => {
    expect(clusterLabels('p1')).toEqual(['cluster-p1', 'cluster-_p1']);
    expect(clusterLabels('org/p1')).toEqual(['cluster-org_p1', 'cluster-_org_p1']);
    expect(clusterLabels('org_p1')).toEqual([encodeCluster('org_p1')?.label]);
    expect(clusterLabels('')).toEqual(['']);
    expect(claims(goCopyOf(targetOf()), targetOf())).toBe(true);
    const legacy = { ...goCopyOf(targetOf()).metadata.labels, [labels.upstreamCluster]: 'cluster-_org_p1' };
    expect(claims(goCopyOf(targetOf(), 'u', { labels: legacy }), targetOf())).toBe(true);
  });

  it('files nothing under marks that are missing, but for the cluster without a name', () => {
    const single = targetOf(HTTPProxy, { cluster: '' });
    expect(copyIndexes.upstream(copyOf(single))).toEqual(indexValues('upstream', single));
    expect(copyIndexes.upstream(copyOf(single, { labels: {} }))).toEqual([]);
    expect(copyIndexes.project(copyOf(single, { labels: undefined }))).toEqual([]);
    expect(copyIndexes.namespace(mappedOf(single))).toHaveLength(1);
    expect(copySelector(single)).toContain(`!${labels.upstreamCluster},`);
  });
});
