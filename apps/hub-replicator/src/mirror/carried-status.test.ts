import {
  annotationBudgetBytes,
  annotations,
  Connector,
  epochMs,
  HTTPProxy,
  type Kind,
  monotonicMs,
} from '@lifeline/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CarriedStatus, carriedStatus } from './carried-status.ts';
import { desiredCopy } from './desired.ts';
import { copyOf, installation, policyOf, targetOf, upstreamOf } from './mirror.fixture.ts';
import { ownedKeys } from './owned.ts';
import { Pace } from './pace.ts';

const { upstreamStatus, upstreamStatusObservedAt, upstreamStatusTruncated } = annotations;
const target = targetOf(Connector);
const status = (ready: string, relay = 'r'): object => ({
  conditions: [{ type: 'Ready', status: ready }],
  connectionDetails: { type: 'PublicKey', publicKey: { id: 'a'.repeat(64), homeRelay: relay, addresses: [] } },
});
let pace: Pace;
beforeEach(() => void (pace = new Pace(30_000)));

/** @param ms both clocks */
function carried(
  value: unknown,
  present: Record<string, string> | undefined,
  { ms = 0, kind = Connector }: { readonly ms?: number; readonly kind?: Kind } = {},
): CarriedStatus {
  const policy = policyOf(kind);
  const upstream = upstreamOf(kind, {}, { status: value });
  const desired = desiredCopy({ policy, target, upstream, installation });
  const current = present && copyOf(target, { annotations: { ...desired.annotations, ...present } });
  const times = { now: epochMs(ms), monotonic: monotonicMs(ms) };
  return carriedStatus({ policy, upstream, current, desired, owned: ownedKeys(policy), key: 'k' }, pace, times);
}

describe('carriedStatus', () => {
  it('of a kind that mirrors none is none', () => {
    expect(carried(status('True'), {}, { kind: HTTPProxy })).toMatchObject({ newest: {}, due: {}, changes: false });
  });

  it('of a new copy goes with it', () => {
    const { newest, due, waitMs, changes } = carried(status('True'), undefined);
    expect(newest[upstreamStatus]).toContain('"status":"True"');
    expect({ due, waitMs, changes }).toEqual({ due: newest, waitMs: 0, changes: true });
  });

  it('that the copy has changes nothing', () => {
    const { newest } = carried(status('True'), undefined);
    expect(carried(status('True'), newest, { ms: 5_000 })).toMatchObject({ newest, due: newest, changes: false });
  });

  it('waits for its turn unless somebody waits for it; then the copy keeps what it has', () => {
    const { newest } = carried(status('True'), undefined);
    pace.went('k', { monotonic: monotonicMs(0) });
    const calm = carried(status('True', 'r2'), newest, { ms: 1_000 });
    expect(calm).toMatchObject({ due: newest, waitMs: 29_000, changes: true });
    expect(calm.newest[upstreamStatus]).toContain('r2');
    expect(calm.newest[upstreamStatusObservedAt]).toBe('1970-01-01T00:00:01.000Z');
    expect(carried(status('True', 'r2'), newest, { ms: 30_000 })).toMatchObject({
      waitMs: 0,
      due: { [upstreamStatusObservedAt]: '1970-01-01T00:00:01.000Z' },
    });
    expect(carried(status('False', 'r2'), newest, { ms: 2_000 })).toMatchObject({ waitMs: 0 });
  });

  it.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['empty', {}],
  ])('that is %s now goes at once, with all its annotations', (_, value) => {
    const { newest } = carried(status('True'), undefined);
    pace.went('k', { monotonic: monotonicMs(0) });
    expect(carried(value, { ...newest, [upstreamStatusTruncated]: 'true' }, { ms: 1_000 })).toMatchObject({
      newest: {},
      due: {},
      waitMs: 0,
      changes: true,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['edited', { [upstreamStatus]: '{"forged":true}' }],
    ['no JSON', { [upstreamStatus]: 'x' }],
    ['called truncated', { [upstreamStatusTruncated]: 'true' }],
    ['without its time', { [upstreamStatusObservedAt]: 'x' }],
  ])('that was %s on the copy is put right at once', (_, edit) => {
    const { newest } = carried(status('True'), undefined);
    pace.went('k', { monotonic: monotonicMs(0) });
    expect(carried(status('True'), { ...newest, ...edit }, { ms: 1_000 })).toMatchObject({ waitMs: 0, changes: true });
  });

  it('shares the limit with what others write on the copy', () => {
    const big = { theirs: 'x'.repeat(annotationBudgetBytes - 600) };
    expect(carried(status('True'), big).truncated).toBe(false);
    const bigger = carried({ ...status('True'), message: 'm'.repeat(600) }, big);
    expect(bigger.truncated).toBe(true);
    expect(bigger.newest[upstreamStatusTruncated]).toBe('true');
  });
});
