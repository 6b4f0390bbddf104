/**
 * Three replicas of the example app under 30 % faults on every wire, killed, frozen and started again meanwhile. When the weather is over,
 * all is as it should be long before the floor could have put it right; whoever wrote held the Lease.
 */
import { mirrorLabel } from '@lifeline/example-mirror';
import { ConfigMap, type DurationMs, type Random } from '@lifeline/core';
import { seeded, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { evenFaults, type FaultPlan, withFaults } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { configMap, minutes, seconds, World } from '../reports/world.ts';

const sources = ['p1', 'p2', 'p3'];
const replicas = ['a', 'b', 'c'];
const longestFreeze: DurationMs = seconds(40);
/** A lease, the longest pause of a watch, and some. The floor is ten minutes. */
const settleMs: DurationMs = seconds(100);

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

it(
  '30 % faults and kills: every seed ends well, without the floor',
  async () => {
    for (const seed of seeds(16, 300)) {
      await using world = new World({ seed: String(seed), sources });
      const random = seeded(`${seed}/weather`);
      const plan: FaultPlan = { ...evenFaults(0.3), hang: random.int(3) === 0 ? 0.01 : 0 };
      const wires = ['target', ...sources].map((plane) =>
        world.on(plane, withFaults(seeded(`${seed}/wire/${plane}`), plan, { clock: world.clock })),
      );
      for (const replica of replicas) world.start(replica);
      for (let passed = 0; passed < minutes(2);) {
        const ms = random.int(5_000);
        await world.after(ms);
        passed += ms;
        act(world, random, String(passed));
      }
      for (const wire of wires) wire[Symbol.dispose]();
      for (const replica of replicas) if (world.sim.process(replica).dead) world.start(replica);
      await world.after(longestFreeze + settleMs);
      expect(world.differences(), `seed=${seed}\n${world.sim.logLines.slice(-20).join('\n')}`).toEqual([]);
    }
  },
  seedsLimitMs(120_000),
);

/** Something that users, or the machine, do. */
function act(world: World, random: Random, step: string): void {
  const plane = pick(random, sources);
  const name = `o${random.int(3)}`;
  const held = world.source(plane).get(ConfigMap, { namespace: 'default', name });
  const put = (labels: Record<string, string>): void =>
    void world.source(plane).put(ConfigMap, configMap(name, { step }, { ...held?.metadata, labels }), 'user');
  const process = world.sim.process(pick(random, replicas));
  switch (random.int(9)) {
    case 0:
    case 1:
    case 2:
      return put({ [mirrorLabel]: 'true' });
    case 3:
      return held && put({});
    case 4:
      if (held) world.source(plane).remove(ConfigMap, held.metadata, 'user');
      return;
    case 5: {
      const [copy] = world.target.objects(ConfigMap);
      if (copy) world.target.remove(ConfigMap, copy.metadata, 'user');
      return;
    }
    case 6:
      return process.kill();
    case 7:
      for (const replica of replicas) if (world.sim.process(replica).dead) world.start(replica);
      return;
    default:
      process.pause();
      world.clock.timer(random.int(longestFreeze), () => process.resume());
  }
}
