/** A minute in the life of three replicas of the example app over five planes, with users who create, edit and delete. */
import { mirrorLabel } from '@lifeline/example-mirror';
import { ConfigMap, type DurationMs, keyOf, type Random, seeded } from '@lifeline/core';
import type { Client } from '@lifeline/k8s';
import { createClient } from '@lifeline/k8s';
import { Simulation, type Trace } from '@lifeline/k8s/testing';
import { configMap, seconds, World } from '../reports/world.ts';

export interface Kill {
  readonly replica: string;
  /** Counted over the replica's first process; from 1. */
  readonly point: number;
}

export interface Life {
  readonly trace: Trace;
  /** What is left in the end, with nothing in it that depends on when things were done. */
  readonly end: string;
  /** What is not as it should be. */
  readonly faults: readonly string[];
  /** Points that the first process of the replica that leads first has passed. */
  readonly points: number;
}

const sources = ['p1', 'p2', 'p3', 'p4'];
const replicas = ['a', 'b', 'c'];
const restartAfter: DurationMs = 1_000;

export interface LifeOptions {
  readonly kills?: readonly Kill[] | undefined;
  /** What each user does, one after the other. Default 4. */
  readonly steps?: number | undefined;
}

/** Long enough for a leader that was killed last of all to be waited for. */
const quietMs = seconds(40);

/** The same seed, the same life; a kill changes what happens, and must not change how it ends. */
export async function live(seed: number, { kills = [], steps = 4 }: LifeOptions = {}): Promise<Life> {
  const world = new World({ seed: String(seed), sources });
  try {
    const first = replicas.map((replica) => {
      const process = world.start(replica);
      for (const kill of kills) if (kill.replica === replica) process.killAt(kill.point);
      return process;
    });
    const watchman = revive(world);
    const users = Promise.all(
      sources.map((plane) => user(world, { plane, steps, random: seeded(`${seed}/user/${plane}`) })),
    );
    await world.clock.run(users, seconds(600));
    await world.after(quietMs);
    watchman[Symbol.dispose]();
    const points = first[0]?.points ?? 0;
    const faults = world.differences();
    return { trace: world.sim.trace, end: endOf(world), faults, points };
  } finally {
    await world[Symbol.asyncDispose]();
  }
}

/** Starts killed replicas again. */
function revive(world: World): Disposable {
  let timer: Disposable | undefined;
  const look = (): void => {
    for (const replica of replicas) if (world.sim.process(replica).dead) world.start(replica);
    timer = world.clock.timer(restartAfter, look);
  };
  look();
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

/** Works on a few objects, one after the other, and waits for what it deleted to be gone. */
async function user(
  world: World,
  { plane, steps, random }: { plane: string; steps: number; random: Random },
): Promise<void> {
  const { transport } = world.source(plane);
  const client = createClient({
    transport,
    baseUrl: Simulation.serverOf(plane),
    clock: world.clock,
    random,
    userAgent: 'user',
  });
  for (let step = 0; step < steps; step++) {
    await world.clock.sleep(random.int(8_000));
    await act(world, { plane, client, random, step });
  }
}

interface Turn {
  readonly plane: string;
  readonly client: Client;
  readonly random: Random;
  readonly step: number;
}

async function act(world: World, { plane, client, random, step }: Turn): Promise<void> {
  const name = `o${random.int(2)}`;
  const data = { step: `${plane}/${step}` };
  const held = world.source(plane).get(ConfigMap, { namespace: 'default', name });
  const metadata = held?.metadata;
  switch (random.int(held ? 5 : 1)) {
    case 0:
    case 1:
      world
        .source(plane)
        .put(ConfigMap, configMap(name, data, { ...metadata, labels: { [mirrorLabel]: 'true' } }), 'user');
      return;
    case 2:
      world.source(plane).put(ConfigMap, configMap(name, data, { ...metadata, labels: {} }), 'user');
      return;
    case 3: {
      const copy = world.target.objects(ConfigMap)[0];
      if (copy) world.target.remove(ConfigMap, copy.metadata, 'user');
      return;
    }
    default:
      await client.delete(
        { kind: ConfigMap, name: { namespace: 'default', name } },
        { uid: metadata?.uid ?? '', signal: never },
      );
      while (world.source(plane).get(ConfigMap, { namespace: 'default', name })?.metadata.uid === metadata?.uid)
        await world.clock.sleep(100);
  }
}

const never = new AbortController().signal;

function endOf(world: World): string {
  const sourcesLeft = sources.map((plane) => [
    plane,
    world
      .source(plane)
      .objects(ConfigMap)
      .map((object) => [keyOf(object), object.data, object.metadata.labels, object.metadata.finalizers ?? []])
      .sort(),
  ]);
  return JSON.stringify({ sources: sourcesLeft, copies: Object.entries(world.copies()).sort() });
}

/** Who is killed in a life of this seed, and when. */
export function killsOf(seed: number): readonly Kill[] {
  const random = seeded(`${seed}/kills`);
  const victims = replicas.filter(() => random.int(2) === 0);
  return (victims.length > 0 ? victims : ['a']).map((replica) => ({ replica, point: 1 + random.int(400) }));
}

/** `node life.fixture.ts FIRST COUNT`: prints the hash of each killed life's trace, for a comparison between processes. */
if (import.meta.main) {
  const [first = 1, count = 1] = process.argv.slice(2).map(Number);
  for (let seed = first; seed < first + count; seed++) {
    const { trace } = await live(seed, { kills: killsOf(seed) });
    console.log(`${seed} ${trace.hash}`);
  }
}
