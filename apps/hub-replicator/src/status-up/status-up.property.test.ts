import {
  canonicalJson,
  deepEqual,
  deepFreeze,
  epochMs,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseTime,
} from '@lifeline/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pendingSecretReason, pendingSecretWrites } from '../secrets/guard.ts';
import { conditionsByType } from './conditions.ts';
import { referenceKey } from './references.ts';
import { statusUp } from './status-up.ts';
import {
  afterWrites,
  controllerName,
  edgeController,
  mapped,
  now,
  pair,
  type PairOptions,
  statusIn,
  uid,
} from './status-up.fixture.ts';

const times = [
  null,
  'odd',
  '',
  '2025-12-31T00:00:00Z',
  '2025-12-31T00:00:00.5Z',
  '2025-12-31T02:00:00+02:00',
  '2026-06-01T00:00:00Z',
];
const condition = fc.record(
  {
    type: fc.constantFrom('Accepted', 'Programmed', 'Merged', 'toString'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.constantFrom('Accepted', 'Conflicted', 'Invalid', 'Odd', 'DownstreamStatusMissing'),
    message: fc.constantFrom('', ' ', 'fine', `in ${mapped}`, `ns-${uid}/web, cluster-org-b_p`, null),
    observedGeneration: fc.constantFrom(null, 0, 2, 3, 7),
    lastTransitionTime: fc.constantFrom(...times),
    extra: fc.constantFrom(null, 1, { a: null }),
  },
  { requiredKeys: ['type', 'status', 'reason'] },
);
const conditions = fc.option(fc.array(condition, { maxLength: 4 }));
const reference = fc.record(
  {
    kind: fc.constantFrom('Gateway', 'GatewayClass', 'HTTPRoute'),
    namespace: fc.constantFrom(mapped, 'default', 'other', null),
    name: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['name'] },
);
const entries = (name: 'ancestorRef' | 'parentRef', controllers: readonly string[]): fc.Arbitrary<JsonValue> =>
  fc.option(
    fc.array(
      fc.record(
        { [name]: reference, controllerName: fc.constantFrom(...controllers), conditions },
        { requiredKeys: [name] },
      ),
      { maxLength: 4 },
    ),
  );
const listeners = fc.array(fc.record({ name: fc.constantFrom('a', 'b'), conditions }), { maxLength: 2 });

const statusArb = (controllers: readonly string[]): fc.Arbitrary<JsonValue | undefined> =>
  fc.option(
    fc.record(
      {
        ancestors: entries('ancestorRef', controllers),
        parents: entries('parentRef', controllers),
        conditions,
        listeners,
        observedGeneration: fc.constantFrom(0, 3, 7, null),
        addresses: fc.constantFrom([], ['a'], null),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  );

const optionsArb: fc.Arbitrary<PairOptions> = fc.record({
  kind: fc.constantFrom('SecurityPolicy', 'HTTPRoute', 'Gateway', 'Backend'),
  spec: fc.constantFrom(
    {},
    { targetRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'a' } },
    { parentRefs: [{ name: 'a' }, { name: 'b', port: 80 }] },
  ),
  status: statusArb([controllerName, 'foreign.example/c']),
  hub: statusArb([edgeController, 'foreign.example/c']),
  hubGeneration: fc.constantFrom(7, 8),
});

/** What is asked must not be changed. */
function asked(options: PairOptions): ReturnType<typeof pair> {
  const inputs = pair(options);
  deepFreeze([inputs.upstream, inputs.copy]);
  return inputs;
}

/** Every value that a patch carries. */
const sent = (writes: ReturnType<typeof statusUp>): readonly unknown[] =>
  writes.flatMap((write) =>
    write.verb === 'patch' && write.patch.type === 'json'
      ? write.patch.body.flatMap((operation) =>
          operation.op !== 'test' && 'value' in operation ? [operation.value] : [],
        )
      : [],
  );

function* conditionsIn(value: unknown): Generator<JsonObject, void> {
  if (isJsonArray(value)) for (const item of value) yield* conditionsIn(item);
  if (!isJsonObject(value)) return;
  if (typeof value['type'] === 'string' && typeof value['status'] === 'string') yield value;
  for (const member of Object.values(value)) yield* conditionsIn(member);
}

const itemsOf = (status: JsonValue | undefined, list: string): readonly JsonValue[] => {
  const items = isJsonObject(status) ? status[list] : undefined;
  return isJsonArray(items) ? items : [];
};

/** Entries of other controllers, conditions that the hub does not speak of. */
const foreign = (status: JsonValue | undefined, kind: string, hub: JsonValue | undefined): readonly JsonValue[] => {
  const spoken = new Set([
    ...conditionsByType(itemsOf(hub, 'conditions')).keys(),
    'Accepted',
    'Programmed',
    'ResolvedRefs',
  ]);
  const others = (list: string): readonly JsonValue[] =>
    itemsOf(status, list).filter((item) => !isJsonObject(item) || item['controllerName'] !== controllerName);
  const theirs = itemsOf(status, 'conditions').filter(
    (item) => !isJsonObject(item) || !spoken.has(item['type'] as string),
  );
  if (kind === 'SecurityPolicy') return [...others('ancestors'), ...theirs];
  if (kind === 'HTTPRoute') return [...others('parents'), ...theirs];
  return theirs;
};

it('carried out, nothing is left to write, at any later time', () => {
  fc.assert(
    fc.property(optionsArb, fc.nat(1e9), (options, laterMs) => {
      const inputs = asked(options);
      const upstream = afterWrites(inputs.upstream, statusUp(inputs));
      expect(statusUp({ ...inputs, upstream, now: epochMs(now + laterMs) })).toEqual([]);
    }),
    { seed: 51, numRuns: 800 },
  );
});

it('C09: what is sent holds no condition without a time that the server takes, and no name of the hub', () => {
  fc.assert(
    fc.property(optionsArb, (options) => {
      const inputs = asked(options);
      const values = sent(statusUp(inputs));
      for (const each of conditionsIn(values)) {
        expect(parseTime(each['lastTransitionTime']), JSON.stringify(each)).toBeDefined();
        expect(each['observedGeneration']).not.toBe(null);
        expect(each['message']).not.toContain(uid);
      }
      expect(JSON.stringify(values)).not.toContain('cluster-org-b_p');
    }),
    { seed: 52, numRuns: 800 },
  );
});

it('what is not ours is left as it is, in its order', () => {
  fc.assert(
    fc.property(optionsArb, (options) => {
      const inputs = asked(options);
      const { kind } = inputs.policy.kind;
      const hub = statusIn(inputs.copy);
      const after = statusIn(afterWrites(inputs.upstream, statusUp(inputs)));
      expect(deepEqual(foreign(after, kind, hub), foreign(statusIn(inputs.upstream), kind, hub))).toBe(true);
    }),
    { seed: 53, numRuns: 800 },
  );
});

/** What an item of a list is about. */
const aboutOf = (item: JsonValue): string =>
  isJsonObject(item)
    ? canonicalJson([item['name'] ?? '', referenceKey(item['ancestorRef'] ?? item['parentRef'], 'default')])
    : canonicalJson(item);

it('C07: nothing that was said for the hub is taken away while it is silent', () => {
  fc.assert(
    fc.property(optionsArb, (options) => {
      const inputs = asked(options);
      const { status: _status, ...silent } = inputs.copy as typeof inputs.copy & { status?: unknown };
      const before = statusIn(inputs.upstream);
      const after = statusIn(afterWrites(inputs.upstream, statusUp({ ...inputs, copy: silent })));
      for (const list of ['ancestors', 'parents', 'listeners', 'addresses']) {
        const distinct = new Set(itemsOf(before, list).map(aboutOf));
        if (distinct.size === itemsOf(before, list).length)
          expect(itemsOf(after, list).length).toBeGreaterThanOrEqual(distinct.size);
      }
    }),
    { seed: 54, numRuns: 500 },
  );
});

it('a policy that is held back says so once, and what the hub says afterwards replaces it', () => {
  fc.assert(
    fc.property(optionsArb, fc.nat(1e9), (options, laterMs) => {
      const inputs = asked({ ...options, kind: 'SecurityPolicy' });
      const as = { controllerName, now };
      const held = afterWrites(inputs.upstream, pendingSecretWrites(inputs.upstream, ['default/b', 'default/a'], as));
      expect(
        pendingSecretWrites(held, ['default/a', 'default/b'], { controllerName, now: epochMs(now + laterMs) }),
      ).toEqual([]);
      const after = statusIn(afterWrites(held, statusUp({ ...inputs, upstream: held })));
      expect(JSON.stringify(after)).not.toContain(pendingSecretReason);
    }),
    { seed: 55, numRuns: 500 },
  );
});
