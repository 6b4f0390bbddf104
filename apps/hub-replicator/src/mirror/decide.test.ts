import { annotations, ConfigMap, finalizers, Gateway, HTTPProxy, labels, type KubeObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { decide, type Decision, needsProof, type Rules, type Seen } from './decide.ts';
import {
  anchorOf,
  copyOf,
  goCopyOf,
  mappedOf,
  namespaceOf,
  otherUid,
  policyOf,
  rulesOf,
  seenOf,
  targetOf,
  upstreamOf,
} from './mirror.fixture.ts';

const rules = rulesOf(policyOf(HTTPProxy));
const retired = rulesOf(policyOf(HTTPProxy, { enabled: false }));
const held = { finalizers: [finalizers.replicator] };
const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const elsewhere = { namespace: 'ns-earlier' };
const goTarget = targetOf();

/** What a decision comes to, in few words. */
function words(decision: Decision): string {
  const names = (objects: readonly KubeObject[]): string =>
    objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(',');
  switch (decision.at) {
    case 'nothing':
    case 'sweep':
      return decision.at;
    case 'refused':
      return `refused ${decision.refusal.reason}`;
    case 'keep':
      return [
        decision.current ? 'keep' : 'make',
        ...(decision.stale.length > 0 ? [`after ${names(decision.stale)}`] : []),
        ...(decision.staleAnchors.length > 0 ? [`and ${names(decision.staleAnchors)}`] : []),
      ].join(' ');
    case 'end':
      return [
        'end',
        ...(decision.copies.length > 0 ? [names(decision.copies)] : []),
        ...(decision.anchors.length > 0 ? ['anchor'] : []),
        ...(decision.held ? ['release'] : []),
      ].join(' ');
  }
}

interface Case {
  readonly name: string;
  readonly seen: Partial<Seen>;
  readonly rules?: Rules;
  readonly want: string;
}

const here = 'ns-ns-uid/web';

describe('decide', () => {
  it.each<Case>([
    { name: 'present upstream, nothing on the hub', seen: {}, want: 'make' },
    { name: 'present on both', seen: { copies: [copyOf()], anchors: [anchorOf()] }, want: 'keep' },
    {
      name: 'gone upstream, present on the hub',
      seen: { upstream: undefined, copies: [copyOf()], anchors: [anchorOf()] },
      want: `end ${here} anchor`,
    },
    { name: 'gone upstream, an anchor left', seen: { upstream: undefined, anchors: [anchorOf()] }, want: 'end anchor' },
    { name: 'gone on both', seen: { upstream: undefined }, want: 'nothing' },
    {
      name: 'deleting, its anchor without labels',
      seen: {
        upstream: upstreamOf(HTTPProxy, { ...held, ...deleting }),
        anchors: [anchorOf(targetOf(), { labels: undefined })],
      },
      want: 'end anchor release',
    },
    {
      name: 'deleting, its anchor of another uid',
      seen: {
        upstream: upstreamOf(HTTPProxy, { ...held, ...deleting }),
        anchors: [anchorOf(targetOf(), { labels: undefined, annotations: otherUid })],
      },
      want: 'end release',
    },
    {
      name: 'gone with everything else of its kind',
      seen: { upstream: undefined, copies: [copyOf()], emptied: true },
      want: 'sweep',
    },
    {
      name: 'deleting, held by us',
      seen: { upstream: upstreamOf(HTTPProxy, { ...held, ...deleting }), copies: [copyOf()] },
      want: `end ${here} release`,
    },
    {
      name: 'deleting, not held by us',
      seen: { upstream: upstreamOf(HTTPProxy, deleting), copies: [copyOf()] },
      want: `end ${here}`,
    },
    {
      name: 'deleting, held by us, nothing on the hub',
      seen: { upstream: upstreamOf(HTTPProxy, { ...held, ...deleting }) },
      want: 'end release',
    },
    { name: 'deleting, nothing of ours', seen: { upstream: upstreamOf(HTTPProxy, deleting) }, want: 'nothing' },
    {
      name: 'its Namespace purged, the object left behind',
      seen: { upstream: upstreamOf(HTTPProxy, held), namespace: undefined, mapped: undefined, copies: [copyOf()] },
      want: `end ${here} release`,
    },
    {
      name: 'its Namespace purged, and the object',
      seen: { upstream: undefined, namespace: undefined, mapped: undefined, copies: [copyOf()] },
      want: `end ${here}`,
    },
    {
      name: 'a copy of another uid',
      seen: { copies: [copyOf(targetOf(), { annotations: otherUid, ownerReferences: [] })] },
      want: `make after ${here}`,
    },
    {
      name: 'a copy whose uid somebody edited',
      seen: { copies: [copyOf(targetOf(), { annotations: otherUid })] },
      want: 'keep',
    },
    {
      name: 'a copy that lost all marks but its anchor',
      seen: { copies: [copyOf(targetOf(), { labels: {}, annotations: {} })] },
      want: 'keep',
    },
    {
      name: 'a copy in an earlier mapped namespace',
      seen: { copies: [copyOf(targetOf(), elsewhere)] },
      want: 'make after ns-earlier/web',
    },
    {
      name: 'copies in two mapped namespaces',
      seen: { copies: [copyOf(), copyOf(targetOf(), elsewhere)] },
      want: 'keep after ns-earlier/web',
    },
    {
      name: 'an anchor of another uid',
      seen: { copies: [copyOf()], anchors: [anchorOf(), anchorOf(targetOf(), { name: 'anchor-old' })] },
      want: 'keep and ns-ns-uid/anchor-old',
    },
    {
      name: "another installation's copy",
      seen: { copies: [copyOf(targetOf(), {}, 'there')] },
      want: 'refused OtherInstallation',
    },
    {
      name: "another installation's anchor",
      seen: { copies: [copyOf()], anchors: [anchorOf(targetOf(), {}, 'there')] },
      want: 'refused OtherInstallation',
    },
    {
      name: "another installation's Namespace",
      seen: { mapped: mappedOf(targetOf(), {}, 'there') },
      want: 'refused OtherInstallation',
    },
    {
      name: "another installation's copy elsewhere",
      seen: { copies: [copyOf(), copyOf(targetOf(), elsewhere, 'there')] },
      want: 'keep',
    },
    {
      name: "another installation's copy of what is gone",
      seen: { upstream: undefined, copies: [copyOf(targetOf(), {}, 'there')] },
      want: 'nothing',
    },
    {
      name: 'a stranger in its place',
      seen: { copies: [copyOf(targetOf(), { labels: {}, annotations: {}, ownerReferences: [] })] },
      want: 'refused PlaceTaken',
    },
    {
      name: "another object's Go copy in its place",
      seen: { copies: [goCopyOf(targetOf(HTTPProxy, { cluster: 'org/p2' }), 'their-uid')] },
      want: 'refused PlaceTaken',
    },
    {
      name: "another project's Namespace",
      seen: { mapped: mappedOf(targetOf(HTTPProxy, { cluster: 'org/p2' })) },
      want: 'refused PlaceTaken',
    },
    {
      name: "another project's Namespace, when it ends",
      seen: {
        upstream: upstreamOf(HTTPProxy, { ...held, ...deleting }),
        mapped: mappedOf(targetOf(HTTPProxy, { cluster: 'org/p2' })),
        copies: [copyOf(targetOf(HTTPProxy, { cluster: 'org/p2' }))],
      },
      want: 'end release',
    },
    { name: 'a Go copy', seen: { copies: [goCopyOf()] }, want: 'keep' },
    { name: 'a Go copy without an anchor', seen: { copies: [goCopyOf(goTarget, undefined)] }, want: 'keep' },
    {
      name: 'a Go copy of an earlier object',
      seen: { copies: [goCopyOf(goTarget, 'old-uid')] },
      want: `make after ${here}`,
    },
    {
      name: 'a Go copy, elsewhere',
      seen: { copies: [goCopyOf(goTarget, 'old-uid', elsewhere)] },
      want: 'make after ns-earlier/web',
    },
    { name: 'a Go copy of what is gone', seen: { upstream: undefined, copies: [goCopyOf()] }, want: `end ${here}` },
  ])('$name → $want', ({ seen, want }) => {
    expect(words(decide(seenOf(seen), rules))).toBe(want);
  });

  it.each<Case>([
    {
      name: 'ours',
      seen: { upstream: upstreamOf(HTTPProxy, held), copies: [copyOf()], anchors: [anchorOf()] },
      want: `end ${here} anchor release`,
    },
    { name: 'ours, the object gone', seen: { upstream: undefined, copies: [copyOf()] }, want: `end ${here}` },
    {
      name: 'ours, and everything gone',
      seen: { upstream: undefined, copies: [copyOf()], emptied: true },
      want: `end ${here}`,
    },
    {
      name: "the Go system's, held by its replicator",
      seen: { upstream: upstreamOf(HTTPProxy, held), copies: [goCopyOf()] },
      want: `end ${here} release`,
    },
    {
      name: "some other controller's",
      seen: {
        copies: [goCopyOf()],
        anchors: [{ ...goCopyOf(), metadata: { ...goCopyOf().metadata, name: 'anchor-x' } }],
      },
      want: 'nothing',
    },
    {
      name: "some other controller's, the object gone",
      seen: { upstream: undefined, copies: [goCopyOf()] },
      want: 'nothing',
    },
    { name: 'nothing but our finalizer', seen: { upstream: upstreamOf(HTTPProxy, held) }, want: 'end release' },
  ])('a retired kind, a copy of $name → $want', ({ seen, want }) => {
    expect(words(decide(seenOf(seen), retired))).toBe(want);
  });

  it.each<Case>([
    {
      name: 'selected',
      seen: { upstream: upstreamOf(ConfigMap, { labels: { [labels.gatewaySync]: '' } }) },
      want: 'make',
    },
    { name: 'not selected', seen: { upstream: upstreamOf(ConfigMap) }, want: 'nothing' },
    {
      name: 'not selected any more',
      seen: { upstream: upstreamOf(ConfigMap, held), copies: [copyOf(targetOf(ConfigMap))] },
      want: `end ${here} release`,
    },
    { name: 'not selected any more, copy gone', seen: { upstream: upstreamOf(ConfigMap, held) }, want: 'end release' },
    {
      name: 'called like an anchor',
      seen: {
        target: targetOf(ConfigMap, { name: 'anchor-6a5aa4cd-1e5b-4bd0-9d4e-6a3b9b4dbb0c' }),
        upstream: upstreamOf(ConfigMap, { labels: { [labels.gatewaySync]: '' } }),
      },
      want: 'refused NameReserved',
    },
  ])('of a kind with a selector, $name → $want', ({ seen, want }) => {
    expect(words(decide(seenOf({ target: targetOf(ConfigMap), ...seen }), rulesOf(policyOf(ConfigMap))))).toBe(want);
  });

  it('where project and hub are one server, a namespace of copies is no source, and clean-up goes on', () => {
    const single = rulesOf(policyOf(HTTPProxy), { single: true });
    const namespace = namespaceOf({ labels: { [labels.upstreamNamespace]: 'x' } });
    expect(words(decide(seenOf({ namespace }), single))).toBe('nothing');
    expect(words(decide(seenOf({ namespace }), rules))).toBe('make');
    const upstream = upstreamOf(HTTPProxy, held);
    expect(words(decide(seenOf({ namespace, upstream, copies: [copyOf()] }), single))).toBe(`end ${here} release`);
  });

  it('a Gateway that another controller keeps on the hub is none of our business while the kind is off', () => {
    const target = targetOf(Gateway);
    const seen = seenOf({ target, upstream: upstreamOf(Gateway), copies: [goCopyOf(target)] });
    expect(words(decide(seen, rulesOf(policyOf(Gateway))))).toBe('nothing');
  });

  it('nothing is made or ended without proof, and nothing is asked for what is at rest', () => {
    const proof = (seen: Partial<Seen>, by = rules): boolean => needsProof(decide(seenOf(seen), by));
    expect(proof({})).toBe(true);
    expect(proof({ copies: [copyOf()], anchors: [anchorOf()] })).toBe(false);
    expect(proof({ copies: [copyOf()], anchors: [anchorOf(), anchorOf(targetOf(), { name: 'anchor-old' })] })).toBe(
      true,
    );
    expect(proof({ copies: [copyOf(), copyOf(targetOf(), elsewhere)] })).toBe(true);
    expect(proof({ upstream: undefined, copies: [copyOf()] })).toBe(true);
    expect(proof({ upstream: upstreamOf(HTTPProxy, held) }, retired)).toBe(true);
    expect(proof({ copies: [copyOf(targetOf(), {}, 'there')] })).toBe(false);
    expect(proof({ upstream: undefined })).toBe(false);
  });

  it('a Namespace that is to be put right is not ready', () => {
    const ready = (mapped: KubeObject | undefined): unknown => {
      const decision = decide(seenOf({ mapped }), rules);
      return decision.at === 'keep' && decision.isNamespaceReady;
    };
    expect(ready(mappedOf())).toBe(true);
    expect(ready(undefined)).toBe(false);
    expect(
      ready(
        mappedOf(targetOf(), {
          annotations: { [annotations.upstreamUid]: 'ns-uid' },
          labels: { [labels.upstreamNamespace]: 'default' },
        }),
      ),
    ).toBe(false);
  });
});
