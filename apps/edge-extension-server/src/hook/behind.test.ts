import { describe, expect, it } from 'vitest';
import { Behind, isBehind } from './behind.ts';
import { HookScene, requestOf } from './editor.fixture.ts';

const scene = new HookScene();
const offline = scene.intentWhen('ns/a', false);
const online = scene.index.intent('ns/a');

describe('a stamp is ahead of us', () => {
  it.each([
    { name: 'the intent that we want', stamp: online, want: false },
    { name: 'another attempt at it', stamp: `${online}.3`, want: false },
    { name: 'an intent that we never had', stamp: offline, want: true },
    { name: 'an attempt at one', stamp: `${offline}.1`, want: true },
    { name: 'no stamp', stamp: undefined, want: false },
    { name: 'no stamp of ours', stamp: 'true/node', want: false },
    { name: 'none, where a connector is wanted', stamp: 'none.1', want: true },
  ])('$name: $want', ({ stamp, want }) => {
    expect(isBehind(scene.index, { key: 'ns/a', stamp })).toBe(want);
  });

  it('not when we once wanted it: then we are ahead', () => {
    using moved = new HookScene();
    moved.online('ns/a', false);
    expect(isBehind(moved.index, { key: 'ns/a', stamp: online })).toBe(false);
    expect(isBehind(moved.index, { key: 'ns/a', stamp: offline })).toBe(false);
  });

  it('for a Gateway without an HTTPProxy, none is what is wanted', () => {
    expect(isBehind(scene.index, { key: 'ns/x', stamp: 'none.1' })).toBe(false);
    expect(isBehind(scene.index, { key: 'ns/x', stamp: online })).toBe(true);
  });
});

/** A call, and when it was answered. */
function call(on: HookScene, stamps: Record<string, string>): { answeredAt: () => number | undefined } {
  let at: number | undefined;
  const running = on.hook.begin('10.0.0.1', () => undefined);
  running.run(requestOf({ gateways: stamps }), () => {
    at = on.clock.monotonic();
    running.ended('answered');
  });
  return { answeredAt: () => at };
}

describe('a call that is ahead of us', () => {
  it('waits for 100 ms and is answered with what there is', async () => {
    using on = new HookScene();
    const { answeredAt } = call(on, { 'ns/a': offline });
    await on.clock.advance(99);
    expect(answeredAt()).toBeUndefined();
    await on.clock.advance(1);
    expect(answeredAt()).toBe(100);
    expect(on.logged()).toMatchObject([{ waited_ms: 100 }]);
    expect(on.clock.pending).toBe(0);
  });

  it('is answered as soon as the cache has caught up', async () => {
    using on = new HookScene();
    const { answeredAt } = call(on, { 'ns/a': offline });
    await on.clock.advance(30);
    on.online('ns/a', false);
    await on.clock.settle();
    expect(answeredAt()).toBe(30);
  });

  it('waits, too, when it was level before: once the index has forgotten what it wanted', async () => {
    using on = new HookScene();
    using behind = new Behind(on);
    const gateways = [{ key: 'ns/a', namespace: 'ns', name: 'a', stamp: online }];
    const { signal } = new AbortController();
    expect(await behind.wait(gateways, signal)).toBe(0);
    on.index.setHTTPProxy('ns/a', undefined);
    on.index.setGateway('ns/a', undefined);
    const waited = behind.wait(gateways, signal);
    await on.clock.advance(100);
    expect(await waited).toBe(100);
  });

  it('waits for all of its Gateways', async () => {
    using on = new HookScene();
    const { answeredAt } = call(on, { 'ns/a': offline, 'ns/b': on.intentWhen('ns/b', false) });
    await on.clock.advance(30);
    on.online('ns/a', false);
    await on.clock.advance(30);
    expect(answeredAt()).toBeUndefined();
    on.online('ns/b', false);
    await on.clock.settle();
    expect(answeredAt()).toBe(60);
  });

  it('goes on waiting when something else changes', async () => {
    using on = new HookScene();
    const { answeredAt } = call(on, { 'ns/a': offline });
    await on.clock.advance(30);
    on.online('ns/b', false);
    await on.clock.advance(30);
    expect(answeredAt()).toBeUndefined();
  });

  it('waits once for a Gateway and stamp, and again for another one of either', async () => {
    using on = new HookScene();
    const waited = async (stamps: Record<string, string>): Promise<number> => {
      const from = on.clock.monotonic();
      const { answeredAt } = call(on, stamps);
      await on.clock.advance(200);
      return (answeredAt() as number) - from;
    };
    expect(await waited({ 'ns/a': offline })).toBe(100);
    expect(await waited({ 'ns/a': offline })).toBe(0);
    expect(await waited({ 'ns/a': `${offline}.1` })).toBe(100);
    expect(await waited({ 'ns/a': offline })).toBe(0);
    expect(await waited({ 'ns/b': offline })).toBe(100);
    expect(await waited({ 'ns/a': offline, 'ns/b': offline })).toBe(0);
  });

  it('does not wait when we are ahead', async () => {
    using on = new HookScene();
    on.online('ns/a', false);
    const { answeredAt } = call(on, { 'ns/a': online });
    await on.clock.settle();
    expect(answeredAt()).toBe(0);
  });

  it('does not wait when waiting has taken a fifth of ten seconds', async () => {
    using on = new HookScene();
    for (let i = 1; i <= 20; i++) {
      call(on, { 'ns/a': `${offline}.${i}` });
      await on.clock.advance(100);
    }
    const { answeredAt } = call(on, { 'ns/a': `${offline}.21` });
    await on.clock.settle();
    expect(answeredAt()).toBe(2_000);
  });

  it('stops waiting when its caller is gone', async () => {
    using on = new HookScene();
    const running = on.hook.begin('10.0.0.1', () => undefined);
    running.run(requestOf({ gateways: { 'ns/a': offline } }), () => expect.unreachable());
    await on.clock.advance(30);
    running.ended('aborted');
    await on.clock.settle();
    expect(on.clock.pending).toBe(0);
    await on.clock.advance(200);
    expect(on.editor.answers).toBe(0);
  });
});
