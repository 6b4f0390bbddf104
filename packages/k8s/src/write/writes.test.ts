import {
  applyJsonPatch,
  type Condition,
  ConfigMap,
  Connector,
  deepEqual,
  epochMs,
  type JsonValue,
  type KubeObject,
} from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Write } from '../fleet/cluster.ts';
import { conditionWrites } from './condition-writes.ts';
import { deleteWrite } from './delete-write.ts';
import { finalizerAddition, finalizerRemoval } from './finalizer-writes.ts';

const ours = 'lifeline.dev/ours';

const object = (finalizers: readonly string[], { deleting = false, resourceVersion = '1' } = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    namespace: 'default',
    name: 'a',
    uid: 'u',
    resourceVersion,
    finalizers: [...finalizers],
    ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
});

/** What the server holds after the writes; undefined when it refused one of them. */
function carryOut(writes: readonly Write[], held: KubeObject): KubeObject | undefined {
  try {
    return writes.reduce<JsonValue>(
      (state, write) => {
        if (write.verb !== 'patch' || write.patch.type !== 'json') throw new Error('not a JSON patch');
        return applyJsonPatch(state, write.patch.body);
      },
      held as unknown as JsonValue,
    ) as unknown as KubeObject;
  } catch {
    return undefined;
  }
}

describe('finalizer writes', () => {
  it('C25: whatever others did between our read and our write, theirs is neither lost nor brought back', () => {
    const list = fc.uniqueArray(fc.constantFrom(ours, 'theirs', 'a', 'b', 'c'), { maxLength: 5 });
    fc.assert(
      fc.property(
        list,
        list,
        fc.record({ deleting: fc.boolean(), add: fc.boolean() }),
        (read, held, { deleting, add }) => {
          const seen = object(read, { deleting, resourceVersion: deepEqual(read, held) ? '2' : '1' });
          const now = object(held, { deleting, resourceVersion: '2' });
          const writes = add ? finalizerAddition(ConfigMap, seen, ours) : finalizerRemoval(ConfigMap, seen, ours);
          if (add && deleting) expect(writes).toEqual([]);
          const after = carryOut(writes, now);
          if (!after) return;
          const foreign = (finalizers: readonly string[] | null | undefined): string[] =>
            (finalizers ?? []).filter((entry) => entry !== ours);
          expect(foreign(after.metadata.finalizers)).toEqual(foreign(held));
          if (writes.length > 0) expect((after.metadata.finalizers ?? []).includes(ours)).toBe(add);
        },
      ),
      { seed: 8, numRuns: 1000 },
    );
  });

  it('C25: they go through when nobody interfered', () => {
    expect(
      carryOut(finalizerAddition(ConfigMap, object(['theirs']), ours), object(['theirs']))?.metadata.finalizers,
    ).toEqual(['theirs', ours]);
    expect(carryOut(finalizerAddition(ConfigMap, object([]), ours), object([]))?.metadata.finalizers).toEqual([ours]);
    const dying = object([ours, 'theirs'], { deleting: true });
    expect(carryOut(finalizerRemoval(ConfigMap, dying, ours), dying)?.metadata.finalizers).toEqual(['theirs']);
  });
});

describe('conditionWrites', () => {
  const now = epochMs(Date.UTC(2026, 0, 2));
  const ready = { type: 'Ready', status: 'True', reason: 'Fine', message: '' } as const;
  const foreign: Condition = { type: 'Foreign', status: 'False', lastTransitionTime: null };
  const connector = (conditions: Condition[]): Connector => ({
    apiVersion: Connector.apiVersion,
    kind: 'Connector',
    metadata: { namespace: 'default', name: 'a', uid: 'u', resourceVersion: '1' },
    spec: { connectorClassName: 'default' },
    status: { conditions },
  });

  it('writes what differs, through the status subresource, and then nothing', () => {
    const before = connector([foreign]);
    const writes = conditionWrites(Connector, before, { desired: [ready], now });
    expect(writes).toMatchObject([{ verb: 'patch', subresource: 'status', name: { namespace: 'default', name: 'a' } }]);
    const after = carryOut(writes, before) as Connector;
    expect(after.status?.conditions).toEqual([foreign, { ...ready, lastTransitionTime: '2026-01-02T00:00:00Z' }]);
    expect(conditionWrites(Connector, after, { desired: [ready], now: epochMs(now + 1000) })).toEqual([]);
  });
});

describe('deleteWrite', () => {
  it('B01: carries the uid, and is not to be had without one', () => {
    expect(deleteWrite(ConfigMap, object([]))).toEqual({
      verb: 'delete',
      kind: ConfigMap,
      name: { namespace: 'default', name: 'a' },
      uid: 'u',
    });
    expect(() => deleteWrite(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })).toThrow(
      'no uid',
    );
  });
});
