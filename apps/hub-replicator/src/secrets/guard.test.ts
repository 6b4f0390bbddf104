import { epochMs, type JsonObject, type KubeObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { afterWrites, statusIn } from '../status-up/status-up.fixture.ts';
import { decideGuard, missingSecrets, pendingSecretWrites, type SecretState } from './guard.ts';

const now = epochMs(Date.UTC(2026, 0, 1));
const options = { controllerName: 'example.com/ours', now };

const policy = (secrets: readonly string[], fields: JsonObject = {}): KubeObject => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'SecurityPolicy',
  metadata: { namespace: 'default', name: 'p', uid: 'u1', resourceVersion: '1', generation: 4 },
  ...{ spec: { apiKeyAuth: { credentialRefs: secrets.map((name) => ({ name })) }, ...fields } },
});

describe('decideGuard', () => {
  type States = Readonly<Record<string, SecretState>>;
  it.each<{ name: string; wants: string[]; stands?: string[]; states: States; at: string; missing: string[] }>([
    { name: 'names no Secret', wants: [], states: {}, at: 'open', missing: [] },
    { name: 'all ready', wants: ['a', 'b'], states: { a: 'ready', b: 'ready' }, at: 'open', missing: [] },
    {
      name: 'one absent',
      wants: ['b', 'a'],
      states: { a: 'absent', b: 'absent' },
      at: 'closed',
      missing: ['default/a', 'default/b'],
    },
    {
      name: 'W9: on the hub, not on every member',
      wants: ['a'],
      states: { a: 'spreading' },
      at: 'closed',
      missing: ['default/a'],
    },
    {
      name: 'W8: a Secret of the standing copy is lost',
      wants: ['a'],
      stands: ['a'],
      states: { a: 'absent' },
      at: 'closed',
      missing: ['default/a'],
    },
    {
      name: 'W8: lost, and another one missing',
      wants: ['a', 'b'],
      stands: ['a'],
      states: { a: 'absent', b: 'spreading' },
      at: 'closed',
      missing: ['default/a', 'default/b'],
    },
    {
      name: 'the new spec does without what is lost',
      wants: ['b'],
      stands: ['a'],
      states: { a: 'absent', b: 'ready' },
      at: 'open',
      missing: [],
    },
    {
      name: 'the new spec names one that is not there: the old one stays',
      wants: ['a', 'b'],
      stands: ['a'],
      states: { a: 'ready', b: 'absent' },
      at: 'waiting',
      missing: ['default/b'],
    },
    {
      name: 'the same while it spreads',
      wants: ['b'],
      stands: ['a'],
      states: { a: 'ready', b: 'spreading' },
      at: 'waiting',
      missing: ['default/b'],
    },
    {
      name: 'a member joins: what is served is not taken away',
      wants: ['a'],
      stands: ['a'],
      states: { a: 'spreading' },
      at: 'open',
      missing: [],
    },
  ])('$name: $at', ({ wants, stands, states, at, missing }) => {
    const stateOf = ({ name }: { name: string }): SecretState => states[name] ?? 'absent';
    const copy = stands && policy(stands);
    expect(decideGuard({ policy: policy(wants), copy, stateOf })).toEqual({ at, missing });
  });

  it('missingSecrets: what is not on the hub', () => {
    expect(missingSecrets(policy(['b', 'c', 'a']), ({ name }) => name === 'b')).toEqual(['default/a', 'default/c']);
  });
});

describe('pendingSecretWrites', () => {
  const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
  const held = (object: KubeObject, missing = ['default/b', 'default/a'], at = now): KubeObject =>
    afterWrites(object, pendingSecretWrites(object, missing, { ...options, now: at }));
  const accepted = {
    type: 'Accepted',
    status: 'False',
    reason: 'PendingSecret',
    message: 'Not served until these Secrets are in place everywhere: default/a, default/b.',
    observedGeneration: 4,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };

  it('one entry for each target, of this generation', () => {
    const spec = {
      targetRef: { ...gateway, sectionName: 'https' },
      targetRefs: [gateway, { ...gateway, kind: 'HTTPRoute' }],
    };
    const entry = (ancestorRef: JsonObject): JsonObject => ({
      ancestorRef: { ...ancestorRef, namespace: 'default' },
      controllerName: options.controllerName,
      conditions: [accepted],
    });
    expect(statusIn(held(policy(['a'], spec)))).toEqual({
      ancestors: [entry(spec.targetRef), entry(gateway), entry({ ...gateway, kind: 'HTTPRoute' })],
    });
  });

  it('a policy without targets speaks of itself', () => {
    const self = { group: 'gateway.envoyproxy.io', kind: 'SecurityPolicy', name: 'p', namespace: 'default' };
    expect(statusIn(held(policy(['a'])))).toMatchObject({ ancestors: [{ ancestorRef: self }] });
  });

  it('the time stays while it is held, whatever else changes; entries of others stay', () => {
    const foreign = { ancestorRef: gateway, controllerName: 'foreign.example/c', conditions: [] };
    const before = { ...policy(['a'], { targetRef: gateway }), status: { ancestors: [foreign] } };
    const first = held(before);
    const later = epochMs(now + 60_000);
    expect(pendingSecretWrites(first, ['default/a', 'default/b'], { ...options, now: later })).toEqual([]);
    const status = statusIn(held(first, ['default/a'], later)) as { ancestors: JsonObject[] };
    expect(status.ancestors).toEqual([
      foreign,
      {
        ancestorRef: { ...gateway, namespace: 'default' },
        controllerName: options.controllerName,
        conditions: [{ ...accepted, message: 'Not served until these Secrets are in place everywhere: default/a.' }],
      },
    ]);
  });

  it('what it said before being held back is replaced, and the time moves with the flip', () => {
    const entry = {
      ancestorRef: { ...gateway, namespace: 'default' },
      controllerName: options.controllerName,
      conditions: [
        {
          type: 'Accepted',
          status: 'True',
          reason: 'Accepted',
          message: '',
          lastTransitionTime: '2025-01-01T00:00:00Z',
        },
        { type: 'Overridden', status: 'True', reason: 'x', message: '', lastTransitionTime: '2025-01-01T00:00:00Z' },
      ],
    };
    const before = {
      ...policy(['a'], { targetRef: gateway }),
      status: { ancestors: [entry, { ...entry, ancestorRef: { name: 'old' } }] },
    };
    expect(statusIn(held(before))).toEqual({ ancestors: [{ ...entry, conditions: [accepted] }] });
  });

  it('a target that is gone from the spec goes from the status', () => {
    const before = held(policy(['a'], { targetRef: gateway }));
    const moved = { ...policy(['a'], { targetRef: { ...gateway, name: 'api' } }), ...{ status: statusIn(before) } };
    const { ancestors } = statusIn(held(moved)) as { ancestors: { ancestorRef: { name: string } }[] };
    expect(ancestors.map(({ ancestorRef }) => ancestorRef.name)).toEqual(['api']);
  });
});
