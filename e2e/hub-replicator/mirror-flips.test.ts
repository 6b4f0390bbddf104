/** A flip of liveness that comes while a write of the same copy has hardly left. */
import { annotations, classifyLiveness, intercept } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Connector, minutes, MirrorWorld, seconds } from './mirror-world.ts';
import { connector, onlineStatus } from './objects.ts';

const target = { kind: Connector, name: { namespace: 'default', name: 'c1' } };

/** A connector that is online, and so is its copy. */
async function online(world: MirrorWorld): Promise<() => string> {
  const namespace = await world.namespace();
  await world.make(world.project(), Connector, connector('c1'));
  await world.status(world.project(), target, onlineStatus('True'));
  world.start();
  await world.after(minutes(1));
  return () => classifyLiveness(world.hub.get(Connector, { namespace, name: 'c1' })).state;
}

/** The status on the copy. */
const carried = ({ hub }: MirrorWorld): string =>
  hub.objects(Connector)[0]?.metadata.annotations?.[annotations.upstreamStatus] ?? '';

/** From now on the hub answers writes long after its watches have told of them. */
const answerWritesLate = (world: MirrorWorld): void =>
  world.route(
    'hub',
    intercept(world.hub.transport, (next) => async (request, options) => {
      const response = await next(request, options);
      if (request.method === 'PATCH') await world.clock.sleep(500);
      return response;
    }),
  );

async function looks({ metrics }: MirrorWorld): Promise<number> {
  const ended = /^controller_runtime_reconcile_total\{controller="mirror-connectors",result="success"\} (\d+)$/m;
  return Number(ended.exec(await metrics.text())?.[1]);
}

describe('a flip', () => {
  it('waits for no spacing of writes: not after a write of the spec, nor after another flip', async () => {
    await using world = new MirrorWorld();
    const state = await online(world);
    await world.patch(world.project(), target, { spec: { connectorClassName: 'other' } });
    await world.after(10);
    const since = world.calls.length;
    await world.status(world.project(), target, onlineStatus('False'));
    await world.after(1);
    expect(state()).toBe('offline');
    await world.status(world.project(), target, onlineStatus('True'));
    await world.after(1);
    expect(state()).toBe('online');
    expect(world.writes(since)).toHaveLength(2);
  });

  it('that is taken back before the hub’s watch has told of it is taken back on the hub', async () => {
    await using world = new MirrorWorld();
    const replica = world.hub.replica();
    world.route('hub', replica.transport);
    const state = await online(world);
    replica.freeze();
    for (const ready of ['False', 'True', 'False', 'True'] as const) {
      await world.status(world.project(), target, onlineStatus(ready));
      await world.after(seconds(1));
      expect(state()).toBe(ready === 'True' ? 'online' : 'offline');
    }
    const since = world.calls.length;
    replica.thaw();
    await world.after(minutes(15));
    expect(state()).toBe('online');
    expect(world.writes(since)).toEqual([]);
  });

  it('that the hub’s watch tells of before the write is answered takes one look', async () => {
    await using world = new MirrorWorld();
    answerWritesLate(world);
    const state = await online(world);
    const before = await looks(world);
    await world.status(world.project(), target, onlineStatus('False'));
    await world.after(seconds(5));
    expect([state(), (await looks(world)) - before]).toEqual(['offline', 1]);
  });

  it('what somebody does to a copy before the write of it is answered is put right', async () => {
    await using world = new MirrorWorld();
    answerWritesLate(world);
    await online(world);
    await world.status(world.project(), target, onlineStatus('False'));
    await world.after(100);
    const right = carried(world);
    const { metadata } = world.hub.objects(Connector)[0] as Connector;
    const edit = { metadata: { annotations: { [annotations.upstreamStatus]: 'edited' } } };
    await world.patch(world.hub, { kind: Connector, name: metadata }, edit);
    expect(carried(world)).toBe('edited');
    await world.after(seconds(5));
    expect(carried(world)).toBe(right);
  });

  it('what is no flip waits for its turn, though the hub’s watch has not told of the last one', async () => {
    await using world = new MirrorWorld();
    const replica = world.hub.replica();
    world.route('hub', replica.transport);
    await online(world);
    replica.freeze();
    await world.status(world.project(), target, onlineStatus('True', 'https://one.example'));
    await world.after(seconds(1));
    await world.status(world.project(), target, onlineStatus('True', 'https://two.example'));
    await world.after(seconds(1));
    expect(carried(world)).toContain('one.example');
    await world.after(seconds(30));
    expect(carried(world)).toContain('two.example');
  });
});
