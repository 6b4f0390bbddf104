import { describe, expect, it } from 'vitest';
import { Loop, type LoopOptions } from './loop.fixture.ts';

async function begun(options: LoopOptions): Promise<Loop> {
  const loop = new Loop(options);
  await loop.begin();
  return loop;
}
const [merged, unmerged] = [{ merged: true }, { merged: false }];

describe.each([
  { name: 'merged', options: merged },
  { name: 'unmerged', options: unmerged },
])('the loop, $name', ({ options }) => {
  it('settles after a start, and is quiet then', async () => {
    const loop = await begun(options);
    expect(loop.astray()).toEqual([]);
    await loop.clock.advance(3_600_000);
    expect(loop.stamps).toEqual([]);
  });

  it('callers without a connection stay served: quiet is not gone', async () => {
    const loop = await begun(options);
    for (const { name, server } of loop.callers)
      loop.say({ at: 'caller', replica: server.replica, caller: name, connected: false });
    await loop.clock.advance(3_600_000);
    expect(loop.stamps).toEqual([]);
    loop.flip('ns-0/g0');
    await loop.clock.advance(3_600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps).toHaveLength(1);
  });

  it('a flip is one stamp, and every caller runs it', async () => {
    const loop = await begun(options);
    loop.flip('ns-0/g0');
    await loop.clock.advance(200);
    expect(loop.astray()).toEqual([]);
    await loop.clock.advance(600_000);
    expect(loop.stamps.map(({ key }) => key)).toEqual(['ns-0/g0']);
    expect(loop.stamps[0]?.value).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each(['failed', 'aborted'] as const)('a call that %s is asked for again', async (fate) => {
    const loop = await begun(options);
    loop.fates.push(fate, fate);
    loop.flip('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps.map(({ value }) => value?.slice(16))).toEqual(['', '.1']);
  });

  it('a stamp that the own cache does not show is written again ever more slowly', async () => {
    const loop = await begun({ ...options, replicas: 1, callers: 1 });
    loop.servers[0]?.cache.freeze('others');
    loop.fates.push('failed');
    loop.flip('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.stamps.filter(({ key }) => key === 'ns-0/g0')).toHaveLength(1);
    expect(loop.tries).toBeGreaterThan(2);
    expect(loop.tries).toBeLessThan(25);
    loop.servers[0]?.cache.thaw();
    await loop.clock.advance(60_000);
    expect(loop.astray()).toEqual([]);
  });

  it('a server whose cache was behind is asked again', async () => {
    const loop = await begun(options);
    const [, second] = loop.servers;
    second?.cache.freeze();
    loop.flip('ns-0/g0');
    await loop.clock.advance(1_000);
    expect(loop.astray()).toHaveLength(1);
    second?.cache.thaw();
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps.length).toBeLessThanOrEqual(3);
  });

  it('a server that dies in a call', async () => {
    const loop = await begun(options);
    loop.flip('ns-0/g0');
    await loop.clock.advance(40);
    loop.servers[0]?.restart();
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps.length).toBeLessThanOrEqual(3);
  });

  it('a call is lost of a caller that nobody has heard of', async () => {
    const loop = await begun(options);
    // What they knew of it goes with them.
    for (const server of loop.servers) server.restart();
    await loop.clock.advance(1_500);
    // The other one's is answered: the Gateway is not one that nobody is asked about.
    loop.fates.push('answered', 'failed');
    loop.flip('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
  });

  it('the last connector backend goes: no stamp is left', async () => {
    const loop = await begun(options);
    loop.unplug('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps.map(({ value }) => value)).toEqual([null]);
  });

  it('and when the answer without it is lost, it is asked for until it is there', async () => {
    const loop = await begun(options);
    loop.fates.push('failed', 'failed');
    loop.unplug('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.astray()).toEqual([]);
    expect(loop.stamps.map(({ value }) => value)).toEqual([null, 'none.1', null]);
  });
});

describe('a server that computes intents in a newer way', () => {
  it('stops the stamps of older retranslators for as long as it is there', async () => {
    const loop = await begun({ merged: true, replicas: 1, callers: 1 });
    const [server] = loop.servers;
    const { programmed } = server?.retranslator ?? expect.fail('no server');
    programmed.replayed('newer', [{ at: 'synced', replica: 'newer', digestVersion: 2 }]);
    loop.flip('ns-0/g0');
    await loop.clock.advance(600_000);
    expect(loop.stamps).toEqual([]);
    programmed.streamEnded('newer');
    await loop.clock.advance(600_000);
    expect(loop.stamps).toHaveLength(1);
    expect(loop.astray()).toEqual([]);
  });
});
