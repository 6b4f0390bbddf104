import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotations } from '../contract/annotations.ts';
import { annotationBudgetBytes, annotationBytes } from '../contract/sizes.ts';
import { parseJson } from '../json/parse.ts';
import { epochMs } from '../time.ts';
import { classifyStatus } from './classify.ts';
import { mirrorStatus, mirrorText } from './status-mirror.ts';

const now = epochMs(Date.UTC(2026, 0, 1, 0, 0, 7, 5));
const nowText = '2026-01-01T00:00:07.005Z';
const nodeId = 'a'.repeat(64);
const details = { type: 'PublicKey', publicKey: { id: nodeId, homeRelay: 'https://relay.example', addresses: [] } };
const ready = { type: 'Ready', status: 'True', reason: 'ConnectorReady', message: 'The agent renews its Lease.' };
const status = { conditions: [ready], connectionDetails: details };
const mirror = (value: unknown, others = {}, present = {}) => mirrorStatus({ status: value, others, present, now });
const textOf = ({ annotations: map }: ReturnType<typeof mirror>) => map[annotations.upstreamStatus];

describe('mirrorText', () => {
  it.each([undefined, null, {}, 'text', []])('%j is no status', (none) => {
    expect(mirrorText(none)).toBeUndefined();
    expect(mirror(none)).toEqual({ annotations: {}, truncated: false });
  });

  it('C03: every digit arrives', () => {
    const source =
      '{"observedGeneration":9007199254740993,"bytesIn":9223372036854775807,"ratio":1.0,"big":1e21,"neg":-0}';
    expect(mirrorText(parseJson(source))).toBe(
      '{"big":1e21,"bytesIn":9223372036854775807,"neg":-0,"observedGeneration":9007199254740993,"ratio":1.0}',
    );
  });

  it('C04: equal content is equal text, whatever the order of keys', () => {
    const one = '{"ports":{"443":1,"80":2,"8080":3},"a":1}';
    const two = '{"a":1,"ports":{"8080":3,"80":2,"443":1}}';
    expect(mirrorText(parseJson(one))).toBe(mirrorText(parseJson(two)));
  });

  it('C09: times stay as they are written, null and absent as they are', () => {
    expect(
      mirrorText({
        conditions: [{ lastTransitionTime: null }, { lastTransitionTime: '…05+02:00' }],
        connectionDetails: null,
      }),
    ).toBe('{"conditions":[{"lastTransitionTime":null},{"lastTransitionTime":"…05+02:00"}],"connectionDetails":null}');
  });
});

describe('mirrorStatus', () => {
  it('carries the status whole, with when it was first seen', () => {
    expect(mirror(status)).toEqual({
      annotations: {
        'networking.datumapis.com/upstream-status': mirrorText(status),
        'networking.datumapis.com/upstream-status-observed-at': nowText,
      },
      truncated: false,
    });
  });

  const before = '2025-12-31T00:00:00Z';
  it.each([
    { name: 'unchanged text keeps its time', text: mirrorText(status), at: before, want: before },
    { name: 'changed text has a new one', text: '{}', at: before, want: nowText },
    { name: 'a time that is none is replaced', text: mirrorText(status), at: 'yesterday', want: nowText },
    { name: 'a time that is missing is made', text: mirrorText(status), at: undefined, want: nowText },
  ])('$name', ({ text, at, want }) => {
    const present = { [annotations.upstreamStatus]: text, [annotations.upstreamStatusObservedAt]: at } as Record<
      string,
      string
    >;
    expect(mirror(status, {}, present).annotations[annotations.upstreamStatusObservedAt]).toBe(want);
  });
});

describe('C01: a status that does not fit', () => {
  const many = (count: number, message: string) =>
    Array.from({ length: count }, (_, i) => ({ type: `T${i}`, status: 'True', reason: 'R', message }));
  const weight = (result: ReturnType<typeof mirror>, others: Record<string, string>) =>
    annotationBytes({ ...others, ...result.annotations });
  const others = { big: 'x'.repeat(20_000) };
  const parsed = (result: ReturnType<typeof mirror>) => JSON.parse(textOf(result) ?? 'null') as typeof status;

  it('capabilities go first, and it is said that they went', () => {
    const result = mirror({ ...status, capabilities: [{ conditions: many(900, 'm'.repeat(300)) }] }, others);
    expect(result.truncated).toBe(true);
    expect(result.annotations[annotations.upstreamStatusTruncated]).toBe('true');
    expect(parsed(result)).toEqual(status);
  });

  it('exactly at the budget it is whole, one byte more and it is not', () => {
    const at = (length: number) => mirror({ ...status, note: 'n'.repeat(length) }, others);
    const base = weight(at(0), others);
    const whole = at(annotationBudgetBytes - base);
    expect(weight(whole, others)).toBe(annotationBudgetBytes);
    expect(whole.truncated).toBe(false);
    expect(at(annotationBudgetBytes - base + 1).truncated).toBe(true);
    expect(at(0).annotations[annotations.upstreamStatusTruncated]).toBeUndefined();
  });

  it('messages are cut as little as possible, never within a character', () => {
    const result = mirror({ ...status, conditions: [ready, ...many(100, '🙂'.repeat(2000))] }, others);
    const { conditions } = parsed(result);
    expect(conditions).toHaveLength(101);
    expect(conditions[0]).toEqual(ready);
    const lengths = new Set(conditions.slice(1).map(({ message }) => message.length));
    expect(lengths.size).toBe(1);
    expect(conditions[1]?.message).toMatch(/^🙂+$/u);
    expect(weight(result, others)).toBeLessThanOrEqual(annotationBudgetBytes);
    expect(weight(result, others)).toBeGreaterThan(annotationBudgetBytes - 100 * 4 - 1);
  });

  it('too many conditions: Ready and the connection details are left', () => {
    const result = mirror({ ...status, conditions: [...many(9000, ''), ready] }, others);
    expect(parsed(result)).toEqual(status);
  });

  it('details that do not fit either: what liveness is decided by is left', () => {
    const addresses = Array.from({ length: 20_000 }, (_, port) => ({ address: '10.0.0.7', port }));
    const bloated = { ...status, connectionDetails: { ...details, publicKey: { ...details.publicKey, addresses } } };
    const result = mirror(bloated, others);
    expect(textOf(result)).toBe(
      `{"conditions":[{"status":"True","type":"Ready"}],"connectionDetails":{"publicKey":{"id":"${nodeId}"},"type":"PublicKey"}}`,
    );
    expect(classifyStatus(parsed(result))).toEqual(classifyStatus(bloated));
  });

  it('no room at all: no status, and it is said', () => {
    const result = mirror(status, { big: 'x'.repeat(annotationBudgetBytes - 100) });
    expect(result).toEqual({ annotations: { [annotations.upstreamStatusTruncated]: 'true' }, truncated: true });
  });

  it('a flip of Ready is seen through every form, and the full copy comes back by itself', () => {
    const big = { capabilities: [{ conditions: many(900, 'm'.repeat(300)) }] };
    const flipped = { ...status, conditions: [{ ...ready, status: 'False' }] };
    expect(classifyStatus(parsed(mirror({ ...status, ...big }, others))).state).toBe('online');
    const reduced = mirror({ ...flipped, ...big }, others);
    expect(classifyStatus(parsed(reduced)).state).toBe('offline');
    expect(mirror(flipped, others, reduced.annotations).truncated).toBe(false);
  });

  it('any status, any neighbours: it fits, decides liveness alike, and is a function of its inputs', () => {
    const condition = fc.record({
      type: fc.constantFrom('Ready', 'Accepted', 'X'),
      status: fc.constantFrom('True', 'False'),
      message: fc.integer({ min: 0, max: 120_000 }).map((length) => 'é"🙂x'.repeat(length / 4)),
    });
    const anyStatus = fc.record({
      conditions: fc.array(condition, { maxLength: 4 }),
      connectionDetails: fc.constantFrom(details, null, { type: 'Other' }),
      extra: fc.integer({ min: 0, max: 300_000 }).map((length) => 'e'.repeat(length)),
    });
    fc.assert(
      fc.property(anyStatus, fc.integer({ min: 0, max: 240_000 }), (value, filled) => {
        const neighbours = { other: 'x'.repeat(filled) };
        const result = mirror(value, neighbours);
        expect(weight(result, neighbours)).toBeLessThanOrEqual(annotationBudgetBytes);
        expect(classifyStatus(parsed(result))).toEqual(classifyStatus(value));
        expect(mirror(structuredClone(value), neighbours)).toEqual(result);
        expect(result.truncated).toBe(annotations.upstreamStatusTruncated in result.annotations);
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
