import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { epochMs } from '../time.ts';
import { type ConditionedObject, conditionPatch, conditionsToApply } from './condition-patch.ts';
import { type Condition, type DesiredCondition, setCondition } from './conditions.ts';

const now = epochMs(Date.UTC(2026, 0, 1, 0, 0, 7));
const nowText = '2026-01-01T00:00:07Z';
const then = '2025-12-31T00:00:00Z';
const metadata = { name: 'conn-a', uid: 'u1', resourceVersion: '7' };
const desired: DesiredCondition = { type: 'Ready', status: 'True', reason: 'ConnectorReady', message: 'renewed' };
const foreign: Condition = { type: 'IrohDNSPublished', status: 'True', lastTransitionTime: null, extra: 1 };
const written = (over: Partial<Condition> = {}): Condition => ({ ...desired, lastTransitionTime: then, ...over });
const patched = (object: object, over: Partial<DesiredCondition> = {}): ConditionedObject =>
  applyJsonPatch(object, conditionPatch(object as ConditionedObject, { ...desired, ...over }, now) ?? []) as never;

describe('conditionPatch', () => {
  it.each([
    { name: 'no status', object: { metadata }, want: [] },
    { name: 'a null status', object: { metadata, status: null }, want: [] },
    { name: 'no conditions', object: { metadata, status: {} }, want: [] },
    { name: 'null conditions', object: { metadata, status: { conditions: null } }, want: [] },
    { name: 'foreign conditions', object: { metadata, status: { conditions: [foreign] } }, want: [foreign] },
  ])('adds ours to $name', ({ object, want }) => {
    expect(patched(object).status?.conditions).toEqual([...want, { ...desired, lastTransitionTime: nowText }]);
  });

  it('an addition passes only on the revision that was read: absence cannot be tested', () => {
    const patch = conditionPatch({ metadata }, desired, now) ?? [];
    const meanwhile = { metadata: { ...metadata, resourceVersion: '8' }, status: { conditions: [written()] } };
    expect(() => applyJsonPatch(meanwhile, patch)).toThrow('test-failed');
  });

  it('touches our entry alone, whatever else was written meanwhile', () => {
    const read = { metadata, status: { conditions: [foreign, written({ status: 'False' })], leaseRef: { name: 'a' } } };
    const patch = conditionPatch(read, desired, now) ?? [];
    const meanwhile = {
      metadata: { ...metadata, resourceVersion: '9' },
      status: { conditions: [{ ...foreign, status: 'False' }, written({ status: 'False' })], connectionDetails: {} },
    };
    expect(applyJsonPatch(meanwhile, patch)).toEqual({
      ...meanwhile,
      status: {
        ...meanwhile.status,
        conditions: [{ ...foreign, status: 'False' }, written({ lastTransitionTime: nowText })],
      },
    });
  });

  it('fails instead of hitting a neighbour when the list moved, or when the object was made anew', () => {
    const patch =
      conditionPatch({ metadata, status: { conditions: [written({ status: 'False' })] } }, desired, now) ?? [];
    expect(() => applyJsonPatch({ metadata, status: { conditions: [foreign] } }, patch)).toThrow('test-failed');
    const anew = { metadata: { ...metadata, uid: 'u2' }, status: { conditions: [written()] } };
    expect(() => applyJsonPatch(anew, patch)).toThrow('test-failed');
  });

  it('writes nothing when nothing of ours would change', () => {
    expect(conditionPatch({ metadata, status: { conditions: [foreign, written()] } }, desired, now)).toBeUndefined();
    const nullTime = written({ lastTransitionTime: null });
    expect(conditionPatch({ metadata, status: { conditions: [nullTime] } }, desired, now)).toBeUndefined();
  });

  it('leaves what setCondition leaves', () => {
    const condition: fc.Arbitrary<Condition> = fc.record({
      type: fc.constantFrom('Ready', 'Accepted'),
      status: fc.constantFrom('True', 'False'),
      reason: fc.constantFrom('ConnectorReady', 'B'),
      message: fc.constantFrom('renewed', 'm'),
      lastTransitionTime: fc.constantFrom(null, then),
    });
    fc.assert(
      fc.property(fc.array(condition), (conditions) => {
        const object = { metadata, status: { conditions } };
        expect(patched(object).status?.conditions).toEqual(setCondition(conditions, desired, now));
        expect(conditionPatch(patched(object), desired, now)).toBeUndefined();
      }),
      { seed: 25, numRuns: 500 },
    );
  });
});

describe('conditionsToApply', () => {
  const accepted: DesiredCondition = { type: 'Accepted', status: 'True', reason: 'Accepted', message: '' };
  const acceptedEntry: Condition = { ...accepted, lastTransitionTime: then };

  it('sends all of ours when one of them changes, and nobody else’s', () => {
    const conditions = [foreign, acceptedEntry, written({ status: 'False' })];
    expect(conditionsToApply({ metadata, status: { conditions } }, [accepted, desired], now)).toEqual([
      acceptedEntry,
      written({ lastTransitionTime: nowText }),
    ]);
  });

  it('sends nothing when all are as desired', () => {
    const conditions = [foreign, acceptedEntry, written()];
    expect(conditionsToApply({ metadata, status: { conditions } }, [accepted, desired], now)).toBeUndefined();
  });

  it('never sends a null time', () => {
    const conditions = [{ ...acceptedEntry, lastTransitionTime: null }];
    const sent = conditionsToApply({ metadata, status: { conditions } }, [accepted, desired], now);
    expect(sent?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([nowText, nowText]);
  });
});
