import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import { epochMs } from '../time.ts';
import {
  type Condition,
  type DesiredCondition,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';
import { parseTime } from './time.ts';

const now = epochMs(Date.UTC(2026, 0, 1, 0, 0, 7));
const nowText = '2026-01-01T00:00:07Z';
const old = '2025-06-01T10:00:00.123+02:00';

const ready = (over: Partial<DesiredCondition> = {}): DesiredCondition => ({
  type: 'Ready',
  status: 'True',
  reason: 'ConnectorReady',
  message: 'renewed',
  observedGeneration: 3,
  ...over,
});
const present = (over: Partial<Condition> = {}): Condition => ({ ...ready(), lastTransitionTime: old, ...over });
const foreign: Condition = {
  type: 'IrohDNSPublished',
  status: 'True',
  lastTransitionTime: null,
  extra: { kept: true },
};

describe('setCondition', () => {
  it.each([
    { name: 'nothing differs', from: {}, to: {}, time: old, same: true },
    { name: 'only the message differs', from: {}, to: { message: 'again' }, time: old, same: false },
    { name: 'only the reason differs', from: {}, to: { reason: 'Other' }, time: old, same: false },
    { name: 'only the generation differs', from: {}, to: { observedGeneration: 4 }, time: old, same: false },
    { name: 'the generation goes', from: {}, to: { observedGeneration: undefined }, time: old, same: false },
    { name: 'the status flips', from: {}, to: { status: 'False' as const }, time: nowText, same: false },
    { name: 'True to Unknown is a flip', from: {}, to: { status: 'Unknown' as const }, time: nowText, same: false },
    { name: 'a null time is left alone', from: { lastTransitionTime: null }, to: {}, time: null, same: true },
    {
      name: 'a null time is mended when the entry is written anyway',
      from: { lastTransitionTime: null },
      to: { message: 'again' },
      time: nowText,
      same: false,
    },
    {
      name: 'an odd time is mended when the entry is written anyway',
      from: { lastTransitionTime: 'yesterday' },
      to: { message: 'again' },
      time: nowText,
      same: false,
    },
    {
      name: 'a null generation is none',
      from: { observedGeneration: null },
      to: { observedGeneration: undefined },
      time: old,
      same: true,
    },
    {
      name: 'generations compare by their digits',
      from: { observedGeneration: new JsonNumber('9007199254740993') },
      to: { observedGeneration: new JsonNumber('9007199254740993') },
      time: old,
      same: true,
    },
    {
      name: 'generations one apart beyond a double differ',
      from: { observedGeneration: new JsonNumber('9007199254740993') },
      to: { observedGeneration: new JsonNumber('9007199254740995') },
      time: old,
      same: false,
    },
  ])('$name', ({ from, to, time, same }) => {
    const conditions = [foreign, present(from)];
    const result = setCondition(conditions, ready(to), now);
    expect(result === conditions).toBe(same);
    expect(findCondition(result, 'Ready')?.lastTransitionTime).toBe(time);
    expect(result[0]).toBe(foreign);
  });

  it.each([undefined, null, []])('adds ours to %j', (conditions) => {
    expect(setCondition(conditions, ready(), now)).toEqual([{ ...ready(), lastTransitionTime: nowText }]);
  });

  it('writes no observedGeneration key when none is desired', () => {
    const [condition] = setCondition([], ready({ observedGeneration: undefined }), now);
    expect(Object.keys(condition ?? {})).not.toContain('observedGeneration');
  });

  it('leaves one entry of our type, where the first one was, and every foreign duplicate', () => {
    const conditions = [foreign, present(), { ...foreign }, present({ status: 'False' }), foreign];
    const result = setCondition(conditions, ready(), now);
    expect(result.map(({ type }) => type)).toEqual([foreign.type, 'Ready', foreign.type, foreign.type]);
    expect(result[1]).toEqual(present());
  });

  it('matches the type exactly', () => {
    const conditions = [present({ type: 'ready' }), present({ type: 'Ready ' })];
    expect(setCondition(conditions, ready(), now)).toHaveLength(3);
    expect(isConditionTrue(conditions, 'Ready')).toBe(false);
  });

  it.each([null, '…05Z', '…05.000Z', '…05.123456Z', '…05+02:00'])(
    'C09: 100 passes over a condition with time %j change nothing',
    (text) => {
      const time = text === null ? null : text.replace('…', '2026-01-01T00:00:');
      const first = [foreign, present({ lastTransitionTime: time })];
      let conditions: readonly Condition[] = first;
      for (let pass = 0; pass < 100; pass++) conditions = setCondition(conditions, ready(), epochMs(now + pass * 1000));
      expect(conditions).toBe(first);
    },
  );

  const conditionArb: fc.Arbitrary<Condition> = fc.record(
    {
      type: fc.constantFrom('Ready', 'Accepted', 'IrohDNSPublished'),
      status: fc.constantFrom('True', 'False', 'Unknown'),
      reason: fc.constantFrom('A', 'B'),
      message: fc.constantFrom('', 'm'),
      lastTransitionTime: fc.constantFrom(null, '', 'odd', old, '2026-01-01T00:00:05Z'),
    },
    { requiredKeys: ['type'] },
  );

  it('one entry of ours, a sendable time when written, foreign entries untouched, idempotent', () => {
    fc.assert(
      fc.property(
        fc.array(conditionArb),
        fc.constantFrom<DesiredCondition['status']>('True', 'False'),
        (conditions, status) => {
          const desired = { type: 'Ready', status, reason: 'A', message: 'm' };
          const result = setCondition(conditions, desired, now);
          const ours = result.filter(({ type }) => type === 'Ready');
          expect(ours).toHaveLength(1);
          expect(ours[0]).toMatchObject(desired);
          if (result !== conditions && ours[0] !== findCondition(conditions, 'Ready')) {
            expect(parseTime(ours[0]?.lastTransitionTime)).toBeDefined();
          }
          const others = (list: readonly Condition[]) => list.filter(({ type }) => type !== 'Ready');
          expect(others(result).every((entry, index) => entry === others(conditions)[index])).toBe(true);
          expect(others(result)).toHaveLength(others(conditions).length);
          expect(setCondition(result, desired, epochMs(now + 60_000))).toBe(result);
        },
      ),
      { seed: 9, numRuns: 500 },
    );
  });
});

describe('removeCondition', () => {
  it('takes away every entry of the type, and returns the same array when there is none', () => {
    const conditions = [foreign, present(), present()];
    expect(removeCondition(conditions, 'Ready')).toEqual([foreign]);
    expect(removeCondition(conditions, 'Accepted')).toBe(conditions);
    expect(removeCondition(null, 'Ready')).toEqual([]);
  });
});
