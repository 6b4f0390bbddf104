import { KubeError, type KubeErrorCode } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { targetOf } from './mirror.fixture.ts';
import { isRefused, refusedWrite } from './refused-write.ts';

const place = 'ns-6a5aa4cd-1e5b-4bd0-9d4e-6a3b9b4dbb0c';

describe('a refused write', () => {
  it.each<[KubeErrorCode, number | undefined, boolean]>([
    ['invalid', 422, true],
    ['forbidden', 403, true],
    ['too-large', 413, true],
    ['conflict', 409, false],
    ['unavailable', 503, false],
    ['invalid', undefined, false],
  ])('%s (%s): %s', (code, status, want) => {
    expect(isRefused(new KubeError(code, 'x', { status }))).toBe(want);
  });

  it('is told by its causes, without the names of the hub', () => {
    const error = new KubeError('invalid', `PATCH https://hub/${place}`, {
      status: 422,
      reason: 'Invalid',
      causes: [`spec.x: not in ${place}`, 'spec.y: required'],
    });
    expect(refusedWrite(error, targetOf())).toEqual({
      reason: 'ReplicationRefused',
      note: 'An API server refuses what replicating this object takes: Invalid; spec.x: not in default; spec.y: required',
    });
    expect(refusedWrite(new KubeError('too-large', 'x', { status: 413 }), targetOf()).note).toContain('HTTP 413');
  });
});
