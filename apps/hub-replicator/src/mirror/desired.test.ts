import { ConfigMap, deepFreeze, Gateway, HTTPProxy, labels, NetworkContext, Secret } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { type DesiredCopy, desiredCopy } from './desired.ts';
import { copyOf, installation, policyOf, targetOf, uid, upstreamOf } from './mirror.fixture.ts';
import { mustBeReplaced } from './replaced.ts';

const desired = (kind = HTTPProxy as Parameters<typeof policyOf>[0], metadata = {}, body: object = {}): DesiredCopy =>
  desiredCopy({
    policy: policyOf(kind),
    target: targetOf(kind),
    upstream: deepFreeze(upstreamOf(kind, metadata, body)),
    installation,
  });

describe('desiredCopy', () => {
  it('carries identity and body, and nothing else of the object', () => {
    const metadata = {
      labels: { team: 'a', [labels.location]: 'x' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      finalizers: ['theirs'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' }],
    };
    expect(desired(HTTPProxy, metadata, { spec: { hostnames: ['a'] }, status: { x: 1 }, extra: true })).toEqual({
      labels: {
        [labels.upstreamCluster]: 'cluster-org_p1',
        [labels.upstreamGroup]: 'networking.datumapis.com',
        [labels.upstreamKind]: 'HTTPProxy',
        [labels.upstreamName]: 'web',
        [labels.upstreamNamespace]: 'default',
        [labels.installation]: installation,
      },
      annotations: { 'meta.datumapis.com/upstream-uid': uid, 'meta.datumapis.com/upstream-generation': '3' },
      body: { spec: { hostnames: ['a'] } },
    });
  });

  it('an object without a generation has none in its copy', () => {
    expect(desired(ConfigMap, { generation: undefined }).annotations).toEqual({
      'meta.datumapis.com/upstream-uid': uid,
    });
  });

  it.each([
    [{ data: { a: '1' }, binaryData: { b: 'AA==' }, immutable: false, type: 'Opaque' }],
    [{ data: {}, immutable: true }],
  ])('W10: body %j', (body) => {
    expect(desired(Secret, {}, body).body).toEqual(body);
  });

  it('what is null is not there', () => {
    expect(desired(ConfigMap, {}, { data: null, immutable: null }).body).toEqual({});
  });

  it('labels that are carried never hide those that identify', () => {
    const policy = policyOf(NetworkContext, { carriedLabels: [labels.location, labels.upstreamName, '__proto__'] });
    const upstream = upstreamOf(NetworkContext, {
      labels: { [labels.location]: 'x', [labels.upstreamName]: 'forged' },
    });
    const copy = desiredCopy({ policy, target: targetOf(NetworkContext), upstream, installation });
    expect(copy.labels).toMatchObject({ [labels.location]: 'x', [labels.upstreamName]: 'web' });
    expect(Object.keys(copy.labels)).toHaveLength(7);
  });

  it('a Gateway gets the class that its class maps to; others go as they are', () => {
    const policy = policyOf(Gateway, { gatewayClasses: { up: 'down' } });
    const classOf = (gatewayClassName: string): unknown =>
      desiredCopy({
        policy,
        target: targetOf(Gateway),
        upstream: upstreamOf(Gateway, {}, { spec: { gatewayClassName, listeners: [] } }),
        installation,
      }).body['spec'];
    expect(classOf('up')).toEqual({ gatewayClassName: 'down', listeners: [] });
    expect(classOf('other')).toEqual({ gatewayClassName: 'other', listeners: [] });
    expect(classOf('toString')).toEqual({ gatewayClassName: 'toString', listeners: [] });
  });
});

describe('mustBeReplaced', () => {
  it.each([
    {
      name: 'a Secret of its type',
      kind: Secret,
      wanted: { type: 'kubernetes.io/tls' },
      body: { type: 'kubernetes.io/tls' },
      want: false,
    },
    {
      name: 'a Secret of another type',
      kind: Secret,
      wanted: { type: 'kubernetes.io/tls' },
      body: { type: 'Opaque' },
      want: true,
    },
    { name: 'a Secret of no type', kind: Secret, wanted: {}, body: { type: 'Opaque' }, want: false },
    {
      name: 'what is immutable and right',
      kind: ConfigMap,
      wanted: { data: { a: '1' }, immutable: true },
      body: { data: { a: '1' }, immutable: true },
      want: false,
    },
    {
      name: 'what is immutable and wrong',
      kind: ConfigMap,
      wanted: { data: { a: '2' }, immutable: true },
      body: { data: { a: '1' }, immutable: true },
      want: true,
    },
    {
      name: 'what is immutable and has more',
      kind: ConfigMap,
      wanted: { immutable: true },
      body: { data: { a: '1' }, immutable: true },
      want: true,
    },
    {
      name: 'what somebody made immutable',
      kind: ConfigMap,
      wanted: { data: { a: '1' } },
      body: { data: { a: '1' }, immutable: true },
      want: true,
    },
    {
      name: 'what can be changed',
      kind: ConfigMap,
      wanted: { data: { a: '2' } },
      body: { data: { a: '1' } },
      want: false,
    },
    {
      name: 'a kind that has a field of that name',
      kind: HTTPProxy,
      wanted: { type: 'a' },
      body: { type: 'b' },
      want: false,
    },
  ])('$name: $want', ({ kind, wanted, body, want }) => {
    expect(mustBeReplaced(kind, wanted, { ...copyOf(), ...body })).toBe(want);
  });
});
