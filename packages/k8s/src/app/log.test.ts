import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog } from './log.ts';

const logged = (fields: Record<string, unknown>): Record<string, unknown> => {
  const lines: string[] = [];
  const log = createLog({ clock: new VirtualClock(), write: (line) => lines.push(line), fields: { app: 'sample' } });
  log.child({ cluster: 'p1' }).warn(fields, 'said');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
};

describe('createLog', () => {
  it('writes one JSON line with the time of the clock', () => {
    expect(logged({ name: 'a' })).toEqual({
      level: 'warn',
      time: '2026-01-01T00:00:00.000Z',
      app: 'sample',
      cluster: 'p1',
      name: 'a',
      msg: 'said',
    });
  });

  it('shows errors with their causes, and no stack', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    expect(logged({ err: error, other: error })).toMatchObject({ err: 'outer (inner)', other: 'outer (inner)' });
  });

  it.each(['token', 'bearerToken', 'clientSecret', 'Authorization', 'password', 'privateKey'])(
    'masks %s at any depth',
    (key) => {
      expect(
        JSON.stringify(logged({ [key]: 'hush', deep: { [key]: 'hush' }, list: [{ [key]: { data: 'hush' } }] })),
      ).not.toContain('hush');
    },
  );

  it('shrinks a Kubernetes object to its name', () => {
    const object = {
      kind: 'Secret',
      metadata: { namespace: 'n', name: 's', annotations: { a: 'b' } },
      data: { x: 'hush' },
    };
    expect(logged({ object })['object']).toEqual({ kind: 'Secret', namespace: 'n', name: 's' });
  });

  it('filters by level', () => {
    const lines: string[] = [];
    createLog({ clock: new VirtualClock(), write: (line) => lines.push(line), level: 'warn' }).info({}, 'quiet');
    expect(lines).toEqual([]);
  });
});
