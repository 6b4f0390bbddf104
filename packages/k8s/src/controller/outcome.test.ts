import { DeadlineError, TerminalError } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { KubeError, type KubeErrorCode } from '../client/kube-error.ts';
import { ClusterNotReadyError } from '../fleet/cluster.ts';
import { outcomeOf } from './outcome.ts';

const notReady = new ClusterNotReadyError('suspended', () => ({ [Symbol.dispose]: () => undefined }));

describe('outcomeOf', () => {
  it.each<[KubeErrorCode, ReturnType<typeof outcomeOf>['at']]>([
    ['conflict', 'conflict'],
    ['already-exists', 'conflict'],
    ['not-found', 'conflict'],
    ['gone', 'conflict'],
    ['kind-missing', 'slow'],
    ['invalid', 'slow'],
    ['forbidden', 'failed'],
    ['too-large', 'slow'],
    ['not-declared', 'slow'],
    ['unauthorized', 'failed'],
    ['namespace-terminating', 'failed'],
    ['throttled', 'failed'],
    ['unavailable', 'failed'],
    ['timeout', 'failed'],
    ['malformed', 'failed'],
    ['fenced', 'failed'],
  ])('%s → %s', (code, at) => {
    expect(outcomeOf(new KubeError(code, 'x')).at).toBe(at);
  });

  it.each<[KubeErrorCode, boolean]>([
    ['forbidden', true],
    ['unavailable', false],
  ])('%s: the waits grow up to the floor: %s', (code, untilFloor) => {
    expect(outcomeOf(new KubeError(code, 'x'))).toMatchObject({ untilFloor });
  });

  it.each([
    { name: 'a cluster that is not ready', error: notReady, want: { at: 'parked' } },
    { name: 'a terminal error', error: new TerminalError('x'), want: { at: 'terminal' } },
    { name: 'a deadline of ours', error: new DeadlineError('x'), want: { at: 'failed', expected: true } },
    { name: 'anything else: a bug', error: new RangeError('x'), want: { at: 'failed', expected: false } },
    { name: 'what is no error at all', error: 'x', want: { at: 'failed', expected: false } },
    {
      name: 'a known cause',
      error: new Error('x', { cause: new Error('y', { cause: new KubeError('conflict', 'z') }) }),
      want: { at: 'conflict' },
    },
    {
      name: 'the outermost of two known ones',
      error: new TerminalError('x', { cause: new KubeError('conflict', 'z') }),
      want: { at: 'terminal' },
    },
  ])('$name', ({ error, want }) => {
    expect(outcomeOf(error)).toMatchObject(want);
  });

  it.each([
    [7000, 7000],
    [undefined, 0],
    [-1, 0],
    [1e12, 600_000],
  ])('Retry-After %s → not before %s', (retryAfterMs, notBeforeMs) => {
    expect(outcomeOf(new KubeError('throttled', 'x', { retryAfterMs }))).toMatchObject({ at: 'failed', notBeforeMs });
  });
});
