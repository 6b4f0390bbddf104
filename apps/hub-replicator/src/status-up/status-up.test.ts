import {
  annotations,
  Connector,
  epochMs,
  fieldManagers,
  type JsonObject,
  JsonNumber,
  type JsonValue,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { statusUpMessages } from './messages.ts';
import { needsOwners, statusUp, type StatusUpInputs } from './status-up.ts';
import {
  afterWrites,
  controllerName,
  edgeController,
  mapped,
  now,
  pair,
  type PairOptions,
  policyFor,
  statusIn,
} from './status-up.fixture.ts';

const before = '2025-12-31T00:00:00Z';
const earlier = '2025-11-01T00:00:00Z';
const nowText = '2026-01-01T12:00:00Z';
const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
const condition = (fields: JsonObject = {}): JsonObject => ({
  type: 'Accepted',
  status: 'True',
  reason: 'Accepted',
  message: '',
  lastTransitionTime: before,
  observedGeneration: 7,
  ...fields,
});
const ancestor = (...conditions: readonly JsonValue[]): JsonObject => ({
  ancestorRef: { ...gateway, namespace: mapped },
  controllerName: edgeController,
  conditions,
});
const ours = (...conditions: readonly JsonValue[]): JsonObject => ({
  ancestorRef: { ...gateway, namespace: 'default' },
  controllerName,
  conditions,
});

const resultOf = (inputs: StatusUpInputs): JsonValue | undefined =>
  statusIn(afterWrites(inputs.upstream, statusUp(inputs)));
const result = (options: PairOptions): JsonValue | undefined => resultOf(pair(options));

/** What upstream says of one hub condition of a policy, given what stood there. */
function carried(hub: JsonObject, old?: JsonObject): JsonValue | undefined {
  const status = result({
    kind: 'SecurityPolicy',
    hub: { ancestors: [ancestor(hub)] },
    ...(old ? { status: { ancestors: [ours(old)] } } : {}),
  });
  return ((status as { ancestors: { conditions: JsonValue[] }[] }).ancestors[0] as { conditions: JsonValue[] })
    .conditions[0];
}

describe('what is carried', () => {
  it('policies: our controller, the upstream namespace and generation; fields that nobody knows stay', () => {
    const hub = {
      ancestors: [{ ...ancestor(condition({ extra: { a: [1] } })), weight: new JsonNumber('1.0') }],
      summary: { policies: 2, observedGeneration: 7 },
    };
    expect(result({ kind: 'BackendTrafficPolicy', hub })).toEqual({
      ancestors: [{ ...ours(condition({ extra: { a: [1] }, observedGeneration: 3 })), weight: new JsonNumber('1.0') }],
      summary: { policies: 2, observedGeneration: 3 },
    });
  });

  it('routes: the same for parents', () => {
    const parentRef = { name: 'web', sectionName: 'https' };
    const hub = { parents: [{ parentRef, controllerName: edgeController, conditions: [condition()] }] };
    expect(result({ kind: 'HTTPRoute', hub })).toEqual({
      parents: [{ parentRef, controllerName, conditions: [condition({ observedGeneration: 3 })] }],
    });
  });

  it('Gateways: generations in listeners too', () => {
    const hub = {
      addresses: [{ type: 'Hostname', value: 'edge.example.com' }],
      conditions: [condition(), condition({ type: 'Programmed' })],
      listeners: [{ name: 'https', attachedRoutes: 2, conditions: [condition({ message: `${mapped}/web` })] }],
    };
    expect(result({ kind: 'Gateway', hub })).toEqual({
      addresses: [{ type: 'Hostname', value: 'edge.example.com' }],
      conditions: [condition({ observedGeneration: 3 }), condition({ type: 'Programmed', observedGeneration: 3 })],
      listeners: [
        {
          name: 'https',
          attachedRoutes: 2,
          conditions: [condition({ message: 'default/web', observedGeneration: 3 })],
        },
      ],
    });
  });

  it('Backends: as it is', () => {
    const hub = { observedGeneration: 7, conditions: [condition()] };
    expect(result({ kind: 'Backend', hub })).toEqual({
      observedGeneration: 3,
      conditions: [condition({ observedGeneration: 3 })],
    });
  });

  it.each([
    {
      name: 'cluster-scoped ancestors get no namespace',
      ref: { kind: 'GatewayClass', name: 'c', namespace: mapped },
      want: { kind: 'GatewayClass', name: 'c' },
    },
    { name: 'no namespace is made up', ref: gateway, want: gateway },
  ])('$name', ({ ref, want }) => {
    const hub = { ancestors: [{ ...ancestor(condition()), ancestorRef: ref }] };
    const status = result({ kind: 'SecurityPolicy', hub }) as { ancestors: { ancestorRef: JsonValue }[] };
    expect(status.ancestors[0]?.ancestorRef).toEqual(want);
  });

  it('two controllers about one ancestor become one entry, the first', () => {
    const hub = {
      ancestors: [ancestor(condition()), { ...ancestor(condition({ status: 'False' })), controllerName: 'x/y' }],
    };
    expect(result({ kind: 'SecurityPolicy', hub })).toEqual({
      ancestors: [ours(condition({ observedGeneration: 3 }))],
    });
  });

  it('a type that stands twice is carried once', () => {
    expect(result({ kind: 'Backend', hub: { conditions: [condition(), condition({ status: 'False' })] } })).toEqual({
      conditions: [condition({ observedGeneration: 3 })],
    });
  });

  it('members that the hub no longer has go; so do entries and their conditions', () => {
    const status = {
      gone: 1,
      nothing: null,
      ancestors: [{ ...ours(condition()), ancestorRef: { name: 'old' } }, ours(condition({ type: 'Merged' }))],
    };
    expect(result({ kind: 'SecurityPolicy', status, hub: { ancestors: [ancestor(condition())] } })).toEqual({
      nothing: null,
      ancestors: [ours(condition({ observedGeneration: 3 }))],
    });
  });

  it('keys are data', () => {
    const hub = JSON.parse(
      `{"conditions":[${JSON.stringify(condition())}],"__proto__":{"constructor":1}}`,
    ) as JsonObject;
    const status = result({ kind: 'Backend', hub, status: { conditions: [] } });
    expect(Object.hasOwn(status as object, '__proto__')).toBe(true);
    expect(JSON.stringify(status)).toContain('"__proto__":{"constructor":1}');
  });
});

describe('messages', () => {
  it.each([
    {
      name: 'Conflicted: ours',
      hub: { status: 'False', reason: 'Conflicted', message: `ns-x/${mapped}` },
      want: /^Another object/,
    },
    { name: 'Invalid: ours', hub: { status: 'False', reason: 'Invalid', message: 'bad xds' }, want: /^The spec/ },
    { name: 'TargetNotFound: ours', hub: { status: 'False', reason: 'TargetNotFound' }, want: /^A target/ },
    {
      name: 'only of Accepted',
      hub: { type: 'Programmed', status: 'False', reason: 'Invalid', message: 'x' },
      want: /^x$/,
    },
    { name: 'only of False', hub: { status: 'Unknown', reason: 'Invalid', message: ' x ' }, want: /^ x $/ },
    { name: 'another reason: trimmed', hub: { status: 'False', reason: 'constructor', message: ' x\n' }, want: /^x$/ },
    {
      name: 'False without a word',
      hub: { status: 'False', reason: 'Odd', message: ' ' },
      want: /no reason was given/,
    },
    { name: 'True: scrubbed', hub: { message: `ok in ${mapped}` }, want: /^ok in default$/ },
    { name: 'Unknown: scrubbed', hub: { status: 'Unknown', message: mapped }, want: /^default$/ },
    { name: 'null', hub: { message: null }, want: /^$/ },
    { name: 'longer than a condition may hold', hub: { message: '😀'.repeat(40_000) }, want: /^😀{32768}$/u },
  ])('$name', ({ hub, want }) => {
    expect((carried(condition(hub)) as { message: string }).message).toMatch(want);
  });
});

describe('observedGeneration', () => {
  it.each([
    { name: 'the hub has seen its newest spec', observed: 7, hubGeneration: 7, old: 2, want: 3 },
    { name: 'it lags: the old one stays', observed: 6, hubGeneration: 7, old: 2, want: 2 },
    { name: 'it lags, nothing stood there', observed: 6, hubGeneration: 7, old: undefined, want: undefined },
    { name: 'it says nothing', observed: null, hubGeneration: 7, old: 2, want: 2 },
  ])('$name', ({ observed, hubGeneration, old, want }) => {
    const conditions = [condition({ observedGeneration: observed })];
    const oldConditions = [condition(old === undefined ? { observedGeneration: null } : { observedGeneration: old })];
    const inputs = {
      hubGeneration,
      hub: { observedGeneration: observed ?? undefined, conditions },
      status: { observedGeneration: old, conditions: oldConditions },
    };
    const status = result({ kind: 'Backend', ...inputs }) as { conditions: JsonObject[]; observedGeneration?: number };
    expect(status.conditions[0]?.['observedGeneration'] ?? undefined).toBe(want);
    if (observed !== null) expect(status.observedGeneration).toBe(want);
  });
});

describe('lastTransitionTime', () => {
  it.each([
    { name: 'first sight: the hub’s', hub: before, old: undefined, want: before },
    { name: 'no flip: stays, whatever the hub says', hub: before, old: { lastTransitionTime: earlier }, want: earlier },
    {
      name: 'flip: when the hub saw it',
      hub: before,
      old: { status: 'False', lastTransitionTime: earlier },
      want: before,
    },
    {
      name: 'flip, the hub’s is older: now',
      hub: earlier,
      old: { status: 'False', lastTransitionTime: before },
      want: nowText,
    },
    {
      name: 'flip, the hub’s is null: now',
      hub: null,
      old: { status: 'False', lastTransitionTime: before },
      want: nowText,
    },
    { name: 'first sight, the hub’s is odd: now', hub: 'yesterday', old: undefined, want: nowText },
    {
      name: 'the format stays',
      hub: before,
      old: { lastTransitionTime: '2025-11-01T02:00:00.123456+02:00' },
      want: '2025-11-01T02:00:00.123456+02:00',
    },
    { name: 'C09: an odd one is not sent back', hub: before, old: { lastTransitionTime: null }, want: nowText },
  ])('$name', ({ hub, old, want }) => {
    const entry = old && condition({ message: 'another, so that it is written', ...old });
    expect((carried(condition({ lastTransitionTime: hub }), entry) as JsonObject)['lastTransitionTime']).toBe(want);
  });
});

describe('C07: an aggregate that is not there', () => {
  const unknown = (fields: JsonObject = {}): JsonObject => ({
    type: 'Accepted',
    status: 'Unknown',
    reason: 'DownstreamStatusMissing',
    message: statusUpMessages.missing,
    lastTransitionTime: nowText,
    ...fields,
  });

  it.each([undefined, null, {}, { ancestors: [] }, { ancestors: null }, { ancestors: [{}] }, { extra: 1 }, 'odd'])(
    'hub status %j: what was said becomes Unknown, and nothing goes',
    (hub) => {
      const foreign = { ...ours(condition()), controllerName: 'foreign.example/c' };
      const status = {
        extra: 1,
        ancestors: [
          foreign,
          ours(condition({ observedGeneration: 2 }), condition({ type: 'Merged', observedGeneration: null })),
        ],
      };
      expect(result({ kind: 'SecurityPolicy', status, hub })).toEqual({
        extra: 1,
        ancestors: [foreign, ours(unknown({ observedGeneration: 2 }), unknown({ type: 'Merged' }))],
      });
    },
  );

  it('nothing was said yet: each target is Unknown', () => {
    const spec = {
      targetRef: { ...gateway, extra: 1 },
      targetRefs: [{ group: gateway.group, kind: 'HTTPRoute', name: 'r', sectionName: 's' }, gateway],
    };
    expect(result({ kind: 'SecurityPolicy', spec })).toEqual({
      ancestors: [
        ours(unknown()),
        {
          ...ours(unknown()),
          ancestorRef: { group: gateway.group, kind: 'HTTPRoute', name: 'r', sectionName: 's', namespace: 'default' },
        },
      ],
    });
    expect(result({ kind: 'HTTPRoute', spec: { parentRefs: [{ name: 'web', port: 443 }] } })).toEqual({
      parents: [{ parentRef: { name: 'web', port: 443 }, controllerName, conditions: [unknown()] }],
    });
    expect(result({ kind: 'Backend' })).toEqual({ conditions: [unknown()] });
  });

  it('a policy without targets speaks of itself; a route without parents of nothing', () => {
    const self = { group: 'gateway.envoyproxy.io', kind: 'SecurityPolicy', name: 'web', namespace: 'default' };
    expect(result({ kind: 'SecurityPolicy' })).toEqual({ ancestors: [{ ...ours(unknown()), ancestorRef: self }] });
    expect(statusUp(pair({ kind: 'HTTPRoute' }))).toEqual([]);
  });

  it('Gateways: addresses and counts stay, conditions of others too', () => {
    const status = {
      addresses: [{ value: 'edge.example.com' }],
      conditions: [condition({ type: 'example.com/Theirs' }), condition(), condition({ type: 'Programmed' })],
      listeners: [{ name: 'https', attachedRoutes: 2, conditions: [condition({ observedGeneration: null })] }],
    };
    expect(result({ kind: 'Gateway', status, hub: {} })).toEqual({
      addresses: [{ value: 'edge.example.com' }],
      conditions: [
        condition({ type: 'example.com/Theirs' }),
        unknown({ observedGeneration: 7 }),
        unknown({ type: 'Programmed', observedGeneration: 7 }),
      ],
      listeners: [{ name: 'https', attachedRoutes: 2, conditions: [unknown()] }],
    });
  });

  it('and when it comes back the time is that of the return', () => {
    const gone = pair({ kind: 'Backend', status: { conditions: [condition()] }, hub: {} });
    const missing = afterWrites(gone.upstream, statusUp(gone));
    const later = epochMs(now + 5000);
    const back = {
      ...gone,
      upstream: missing,
      now: later,
      copy: pair({ kind: 'Backend', hub: { conditions: [condition()] } }).copy,
    };
    expect(resultOf(back)).toEqual({
      conditions: [condition({ observedGeneration: 3, lastTransitionTime: '2026-01-01T12:00:05Z' })],
    });
  });
});

describe('what proves nothing changes nothing', () => {
  const good = pair({ kind: 'Backend', status: { conditions: [condition()] }, hub: {} });
  const marked = (change: JsonObject): StatusUpInputs => ({
    ...good,
    copy: { ...good.copy, metadata: { ...good.copy.metadata, ...change } },
  });
  it.each<{ name: string; inputs: StatusUpInputs }>([
    { name: 'no copy was seen', inputs: { ...good, copy: undefined } },
    { name: 'a copy of another uid', inputs: marked({ annotations: { [annotations.upstreamUid]: 'u9' } }) },
    { name: 'a copy that does not say whose it is', inputs: marked({ annotations: {} }) },
    { name: 'a copy on its way out', inputs: marked({ deletionTimestamp: before }) },
    {
      name: 'an upstream on its way out',
      inputs: {
        ...good,
        upstream: { ...good.upstream, metadata: { ...good.upstream.metadata, deletionTimestamp: before } },
      },
    },
    {
      name: 'status that is decided upstream',
      inputs: { ...good, policy: { ...good.policy, status: { direction: 'none' } } },
    },
    {
      name: 'status that is mirrored down',
      inputs: { ...good, policy: { ...policyFor('Connector'), kind: Connector } },
    },
    { name: 'a kind without a status', inputs: { ...good, policy: policyFor('HTTPRouteFilter') } },
  ])('$name', ({ inputs }) => {
    expect(statusUp(inputs)).toEqual([]);
  });

  it('the same, seen well, does', () => {
    expect(statusUp(good)).toHaveLength(1);
  });
});

describe('what is not ours', () => {
  const status = {
    conditions: [condition({ type: 'Theirs', lastTransitionTime: null }), condition(), condition({ type: 'Dropped' })],
  };
  const inputs = pair({ kind: 'Backend', status, hub: { conditions: [condition({ message: 'new' })] } });
  const owned = {
    manager: fieldManagers.hubReplicator,
    fieldsV1: {
      'f:status': { 'f:conditions': { 'k:{"type":"Dropped"}': {}, 'k:{"type":"Accepted"}': {}, 'k:{': {}, '.': {} } },
    },
  };
  const theirs = { manager: 'theirs', fieldsV1: { 'f:status': { 'f:conditions': { 'k:{"type":"Theirs"}': {} } } } };

  it('stays, where the owners are not known, and is not sent back', () => {
    expect(needsOwners(inputs)).toBe(true);
    const [write] = statusUp(inputs);
    expect(JSON.stringify(write)).not.toContain('Theirs');
    expect(resultOf(inputs)).toEqual({
      conditions: [status.conditions[0], condition({ message: 'new', observedGeneration: 3 }), status.conditions[2]],
    });
  });

  it('goes when it is known to be ours', () => {
    const known = {
      ...inputs,
      upstream: {
        ...inputs.upstream,
        metadata: {
          ...inputs.upstream.metadata,
          managedFields: [theirs, owned, { manager: fieldManagers.hubReplicator }],
        },
      },
    };
    expect(needsOwners(known)).toBe(false);
    expect(resultOf(known)).toEqual({
      conditions: [status.conditions[0], condition({ message: 'new', observedGeneration: 3 })],
    });
  });

  it('owners do not matter where all that stands there is spoken of, nor for entries, which name theirs', () => {
    expect(
      needsOwners(pair({ kind: 'Backend', status: { conditions: [condition()] }, hub: { conditions: [condition()] } })),
    ).toBe(false);
    expect(needsOwners(pair({ kind: 'HTTPRoute', status: { conditions: [condition()] }, hub: {} }))).toBe(false);
    expect(needsOwners({ ...inputs, copy: undefined })).toBe(false);
    expect(needsOwners({ ...inputs, policy: policyFor('Connector') })).toBe(false);
  });

  it('leaves no more room for ours than Gateway API does', () => {
    const foreign = Array.from({ length: 14 }, (_, index) => ({
      ...ours(condition()),
      controllerName: `f.example/${index}`,
    }));
    const hub = {
      ancestors: ['a', 'b', 'c'].map((name) => ({ ...ancestor(condition()), ancestorRef: { ...gateway, name } })),
    };
    const { ancestors } = result({ kind: 'SecurityPolicy', hub, status: { ancestors: foreign } }) as {
      ancestors: JsonValue[];
    };
    expect(ancestors).toHaveLength(16);
    const full = [...foreign, ...foreign];
    expect(statusUp(pair({ kind: 'SecurityPolicy', hub, status: { ancestors: full } }))).toEqual([]);
  });
});

describe('the write', () => {
  it('is a patch of the status subresource that fits this very object as it was read', () => {
    const inputs = pair({ kind: 'Backend', hub: { conditions: [condition()] } });
    expect(statusUp(inputs)).toEqual([
      {
        verb: 'patch',
        kind: inputs.policy.kind,
        name: { namespace: 'default', name: 'web' },
        subresource: 'status',
        fieldValidation: 'Ignore',
        patch: {
          type: 'json',
          body: [
            { op: 'test', path: '/metadata/uid', value: 'u1' },
            { op: 'test', path: '/metadata/resourceVersion', value: '5' },
            { op: 'add', path: '/status', value: { conditions: [condition({ observedGeneration: 3 })] } },
          ],
        },
      },
    ]);
  });

  it('converges over what an update left, and then there is none: 100 passes', () => {
    // The Go system gave every ancestor our controller and its namespace, and left the hub's generation.
    const left = {
      ancestors: [
        {
          ancestorRef: { kind: 'GatewayClass', name: 'c', namespace: 'default' },
          controllerName,
          conditions: [condition({ observedGeneration: 99 })],
        },
        ours(condition({ message: `in ${mapped}` })),
      ],
    };
    const inputs = pair({
      kind: 'SecurityPolicy',
      status: left,
      hub: { ancestors: [ancestor(condition({ message: `in ${mapped}` }))] },
    });
    let upstream = afterWrites(inputs.upstream, statusUp(inputs));
    expect(statusIn(upstream)).toEqual({
      ancestors: [ours(condition({ message: 'in default', observedGeneration: 3 }))],
    });
    for (let pass = 0; pass < 100; pass++) {
      upstream = { ...upstream, metadata: { ...upstream.metadata, resourceVersion: String(pass) } };
      expect(statusUp({ ...inputs, upstream, now: epochMs(now + pass * 1000) })).toEqual([]);
    }
  });

  it('C09: odd times, other formats, another order and null are no reason to write', () => {
    const times = [null, '2025-12-31T00:00:00.000Z', '2025-12-31T00:00:00.123456Z', '2025-12-31T02:00:00+02:00', 'odd'];
    const types = times.map((_, index) => `T${index}`);
    const hub = { conditions: types.map((type) => condition({ type })), nothing: null };
    const conditions = types.map((type, index) =>
      condition({ type, lastTransitionTime: times[index] ?? null, observedGeneration: 3 }),
    );
    const status = { conditions: conditions.toReversed(), details: null };
    for (let pass = 0; pass < 100; pass++) {
      expect(statusUp({ ...pair({ kind: 'Backend', hub, status }), now: epochMs(now + pass) })).toEqual([]);
    }
  });
});
