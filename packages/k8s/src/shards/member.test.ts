import { type Clock, type DurationMs, Lease, type Transport } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createLog } from '../app/log.ts';
import { createClient } from '../client/http-client.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { Member } from './member.ts';

const set = { namespace: 'system', name: 'app', count: 4 };
const name = { namespace: 'system', name: 'app-member-me' };

function setUp(): { clock: VirtualClock; hub: ScriptedApi; member: Member; run: (ms: DurationMs) => Promise<void> } {
  const clock = new VirtualClock();
  const hub = createScriptedApi({ clock, random: seeded('hub'), kinds: [Lease], latencyMs: 100 });
  const member = memberOf(clock, hub.transport);
  const run = async (ms: DurationMs): Promise<void> => {
    for (const end = clock.monotonic() + ms; clock.monotonic() < end;) {
      member.tick();
      await clock.advance(100);
    }
  };
  return { clock, hub, member, run };
}

function memberOf(clock: Clock, transport: Transport): Member {
  const random = seeded('member');
  return new Member({
    client: createClient({ transport, baseUrl: 'https://hub', clock, random, userAgent: 'test' }),
    clock,
    random,
    log: createLog({ clock, write: () => undefined }),
    set,
    identity: 'me',
    durationMs: 20_000,
    renewMs: 4_000,
  });
}

describe('Member', () => {
  it('is up to date for two renewals after one that the watch has shown was sent, however late it was shown', async () => {
    const { hub, member, run } = setUp();
    await run(1_000);
    const first = hub.get(Lease, name);
    expect([first?.spec?.holderIdentity, member.isUpToDate()]).toEqual(['me', false]);
    await run(5_000);
    expect(hub.get(Lease, name)?.metadata.resourceVersion).not.toBe(first?.metadata.resourceVersion);
    // The watch is one renewal behind.
    member.saw(first);
    expect(member.isUpToDate()).toBe(true);
    await run(2_200);
    expect(member.isUpToDate()).toBe(false);
  });

  it('what the watch shows before the answer is there counts as well', async () => {
    const { clock, hub } = setUp();
    const member = memberOf(clock, async (request, options) => {
      const answer = await hub.transport(request, options);
      await clock.sleep(500);
      return answer;
    });
    member.tick();
    await clock.advance(900);
    member.saw(hub.get(Lease, name));
    expect(member.isUpToDate()).toBe(false);
    await clock.advance(500);
    expect(member.isUpToDate()).toBe(true);
  });

  it('a version that is none of its renewals says nothing', async () => {
    const { hub, member, run } = setUp();
    await run(1_000);
    member.saw(hub.put(Lease, { ...hub.get(Lease, name), metadata: { ...name, labels: { touched: 'yes' } } }));
    expect(member.isUpToDate()).toBe(false);
  });

  it('puts its Lease back when it was deleted, and takes it away in the end', async () => {
    const { clock, hub, member, run } = setUp();
    await run(1_000);
    hub.remove(Lease, name);
    member.saw(undefined);
    await run(1_000);
    expect(hub.get(Lease, name)).toBeDefined();
    await clock.run(member.leave());
    expect(hub.get(Lease, name)).toBeUndefined();
  });
});
