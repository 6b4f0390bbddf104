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
    expect(roster.alive()).toEqual(['a', 'me']);
    expect(roster.saw('a', lease('a', 1), 'list')).toBe(false);
    await clock.advance(1);
    expect(roster.alive()).toEqual(['me']);
    expect(roster.saw('a', lease('a', 2), 'watch')).toBe(true);
    expect(roster.saw('a', lease('a', 3), 'watch')).toBe(false);
    expect(roster.alive()).toEqual(['a', 'me']);
  });

  it('first sight proves nothing: such a one counts until its renewal should have come', async () => {
    const { clock, roster } = setUp();
    roster.saw('a', lease('a', 1), 'list');
    expect(roster.alive()).toEqual(['a', 'me']);
    await clock.advance(5_999);
    expect(roster.alive()).toEqual(['a', 'me']);
    await clock.advance(1);
    expect(roster.alive()).toEqual(['me']);
    expect(roster.saw('a', lease('a', 2), 'list')).toBe(true);
    expect(roster.alive()).toEqual(['a', 'me']);
  });

  it('one that has renewed for a duration is settled; one that comes and goes, or whom nobody saw renew, is not', async () => {
    const { clock, roster } = setUp();
    const settled = async (ms: number): Promise<boolean> => {
      await clock.advance(ms);
      return roster.isSettled('a');
    };
    roster.saw('a', lease('a', 1), 'watch');
    await clock.advance(10_000);
    roster.saw('a', lease('a', 2), 'watch');
    expect([await settled(0), await settled(10_000)]).toEqual([false, false]);
    roster.saw('a', lease('a', 3), 'watch');
    expect([await settled(0), await settled(19_999), await settled(1)]).toEqual([true, true, false]);
    // It was dead for a moment: it begins anew.
    roster.saw('a', lease('a', 4), 'watch');
    await clock.advance(19_999);
    roster.saw('a', lease('a', 5), 'watch');
    expect(await settled(1)).toBe(false);
    roster.saw('a', lease('a', 6), 'watch');
    expect(await settled(0)).toBe(true);
    expect(roster.isSettled('me')).toBe(false);
  });

  it('one that takes its Lease away is gone at once; this replica never is', () => {
    const { roster } = setUp();
    roster.saw('a', lease('a', 1), 'watch');
    roster.gone('a');
    roster.gone('me');
    expect(roster.alive()).toEqual(['me']);
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
