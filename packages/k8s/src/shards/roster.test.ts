import type { Lease } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Roster } from './roster.ts';

const lease = (identity: string, version: number): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: `app-member-${identity}`, namespace: 'system', uid: identity, resourceVersion: String(version) },
});

function setUp(): { clock: VirtualClock; roster: Roster } {
  const clock = new VirtualClock();
  return { clock, roster: new Roster({ clock, identity: 'me', durationMs: 20_000, renewMs: 4_000 }) };
}

describe('Roster', () => {
  it('one that renews is alive, until a whole duration has passed without it', async () => {
    const { clock, roster } = setUp();
    expect(roster.saw('a', lease('a', 1), 'watch')).toBe(true);
    await clock.advance(19_999);
    expect([roster.alive(), roster.isProven('a')]).toEqual([['a', 'me'], true]);
    expect(roster.saw('a', lease('a', 1), 'list')).toBe(false);
    await clock.advance(1);
    expect([roster.alive(), roster.isProven('a')]).toEqual([['me'], false]);
    expect(roster.saw('a', lease('a', 2), 'watch')).toBe(true);
    expect(roster.saw('a', lease('a', 3), 'watch')).toBe(false);
    expect(roster.alive()).toEqual(['a', 'me']);
  });

  it('first sight proves nothing: such a one counts until its renewal should have come', async () => {
    const { clock, roster } = setUp();
    roster.saw('a', lease('a', 1), 'list');
    expect([roster.alive(), roster.isProven('a')]).toEqual([['a', 'me'], false]);
    await clock.advance(5_999);
    expect(roster.alive()).toEqual(['a', 'me']);
    await clock.advance(1);
    expect(roster.alive()).toEqual(['me']);
    expect(roster.saw('a', lease('a', 2), 'list')).toBe(true);
    expect([roster.alive(), roster.isProven('a')]).toEqual([['a', 'me'], true]);
  });

  it('one that takes its Lease away is gone at once; this replica never is', () => {
    const { roster } = setUp();
    roster.saw('a', lease('a', 1), 'watch');
    roster.gone('a');
    roster.gone('me');
    expect([roster.alive(), roster.isProven('me')]).toEqual([['me'], true]);
  });

  it('one that was silent for three durations is dead, this replica excepted', async () => {
    const { clock, roster } = setUp();
    roster.saw('a', lease('a', 1), 'list');
    roster.saw('me', lease('me', 1), 'list');
    await clock.advance(60_000);
    expect(roster.dead()).toEqual([]);
    await clock.advance(1);
    expect(roster.dead().map(({ metadata }) => metadata.name)).toEqual(['app-member-a']);
  });
});
