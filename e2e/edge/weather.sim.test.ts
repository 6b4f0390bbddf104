/**
 * The closed loop in bad weather: connectors and proxies that change, calls that are lost, late or go elsewhere, servers that die and stand
 * still, caches that hear nothing for a while, stamps that somebody writes over, Envoy Gateways that start anew. No answer is ever one that
 * Envoy would refuse, or changes what is not ours; and when the weather is over every Envoy runs what is wanted, and everybody rests.
 */
import {
  annotations,
  classifyLiveness,
  Connector,
  type DurationMs,
  Gateway,
  HTTPProxy,
  type Random,
} from '@lifeline/core';
import { seeded, seeds, seedsLimitMs } from '@lifeline/core/testing';
import { answerFaults, type HookCode, type HookError, type HookInterceptor, InjectedHookError } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { minutes, seconds } from '../durations.ts';
import { EdgeWorld, namespace, through } from './edge-world.ts';

const names = ['one', 'two', 'three'] as const;
const connectors = ['a', 'b'] as const;
/** Never through a connector. */
const plain = 'plain';
const weatherMs: DurationMs = minutes(3);
const longestMs: DurationMs = seconds(30);
/** Attempts back off up to five minutes. */
const settleMs: DurationMs = minutes(12);

/** A caller that nobody knew after a start; a wait of no time; two who wrote against each other over a stamp that had to go. */
const telling = [17, 51, 83];

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

it(
  'every seed ends in what is wanted, and at rest',
  async () => {
    for (const seed of new Set([...seeds(6, 150), ...telling])) {
      const random = seeded(`${seed}/weather`);
      const callers = pick(random, [['10.0.0.1'], ['10.0.0.1', '10.0.0.2']]);
      await using world = await EdgeWorld.start({ seed: String(seed), merged: random.int(2) === 0, callers });
      const faults: string[] = [];
      for (const caller of callers) watch(world, caller, faults);
      for (const connector of connectors) await world.connector(connector, { nodeId: connector.repeat(64) });
      for (const name of names) await world.publish(name, { rules: through(pick(random, connectors)) });
      await world.publish(plain, { rules: through(undefined) });

      const weather = new Weather(world, random);
      for (let passed = 0; passed < weatherMs;) {
        const ms = random.int(4_000);
        await world.after(ms);
        passed += ms;
        await weather.act();
      }
      weather.end();
      await world.after(settleMs);
      const why = `seed=${seed}\n${world.world.logs.lines().slice(-20).join('\n')}`;
      expect(faults, why).toEqual([]);
      expect(astray(world), why).toEqual([]);
      expect(world.unconverged, why).toBe(0);
      const { mark, calls } = world;
      await world.after(minutes(20));
      expect([world.stamps(mark), world.calls - calls], why).toEqual([[], 0]);
    }
  },
  seedsLimitMs(120_000),
);

/** Every answer is held against what was asked. */
function watch(world: EdgeWorld, caller: string, faults: string[]): void {
  // Clusters of connectors; and virtual hosts, of which a stamp may be taken.
  const isHost = (name: string): boolean => name.split('/').length === 4;
  const mayChange = (name: string): boolean =>
    name.startsWith('httproute/') ? !name.includes(`/${plain}/`) : isHost(name);
  world.gateway(caller).observers.add(({ asked, outcome }) => {
    if (outcome.at === 'answered') faults.push(...answerFaults(asked, outcome.answer, mayChange));
    else if (!outcome.injected && outcome.code !== 'EOF') faults.push(`a call failed: ${outcome.code}`);
  });
}

/** Envoys that do not run what the objects of the edge say. */
function astray(world: EdgeWorld): readonly string[] {
  return world.callers.flatMap((caller) =>
    [...names, plain].flatMap((name) => {
      const wanted = wantedOf(world, name);
      const shown = world.shows(name, { caller });
      return shown === wanted ? [] : [`${caller} ${name}: ${shown}, not ${wanted}`];
    }),
  );
}

function wantedOf(world: EdgeWorld, name: string): string {
  const [rule] = world.get(HTTPProxy, { namespace, name })?.spec.rules ?? [];
  const connector = rule?.backends?.[0]?.connector?.name;
  if (connector === undefined) return 'direct';
  const liveness = classifyLiveness(world.get(Connector, { namespace, name: connector }));
  return liveness.state === 'online' ? `tunnel ${liveness.nodeId.slice(0, 1)}` : '503';
}

class Weather {
  readonly #world: EdgeWorld;
  readonly #random: Random;
  /** What ends, now or by itself before. */
  readonly #spells = new DisposableStack();

  constructor(world: EdgeWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Something that users, the platform or the machines do. */
  async act(): Promise<void> {
    const world = this.#world;
    const random = this.#random;
    const { processes } = world.world;
    const replica = pick(random, world.replicas);
    const connector = pick(random, connectors);
    const name = pick(random, names);
    switch (random.int(12)) {
      case 0:
      case 1:
      case 2:
        return world.connector(connector, {
          ready: pick(random, ['True', 'False']),
          nodeId: pick(random, ['a', 'b', 'c']).repeat(64),
        });
      case 3:
        return world.delete(Connector, connector);
      case 4:
        return world.publish(name, { rules: through(pick(random, [...connectors, undefined, 'nobody'])) });
      case 5:
        return this.#lose();
      case 6:
        return processes.kill(replica);
      case 7:
        return processes.revive();
      case 8: {
        if (!processes.isRunning(replica)) return;
        const process = processes.process(replica);
        process.pause();
        return this.#forAWhile(() => process.resume());
      }
      case 9: {
        const held = world.holdBack(replica, pick(random, [undefined, Connector, HTTPProxy, Gateway]));
        return this.#forAWhile(() => held[Symbol.dispose]());
      }
      case 10:
        return world.gateway(pick(random, world.callers)).restart();
      default: {
        const value = pick(random, [null, 'mine', '0123456789abcdef']);
        await world.patch(Gateway, { namespace, name }, { metadata: { annotations: { [annotations.intent]: value } } });
      }
    }
  }

  /** The weather is over. */
  end(): void {
    this.#spells.dispose();
    this.#world.world.processes.revive();
  }

  /** The next calls of an Envoy Gateway do not go as they should. */
  #lose(): void {
    const random = this.#random;
    const { clock } = this.#world.world;
    const { interceptors } = this.#world.gateway(pick(random, this.#world.callers));
    const code = pick(random, ['INTERNAL', 'UNAVAILABLE', 'late', 'elsewhere'] as const);
    const interceptor: HookInterceptor = (next, all) => async (request, options) => {
      switch (code) {
        case 'late':
          await clock.sleep(random.int(2_000), options.signal);
          return next(request, options);
        case 'elsewhere':
          return (all.at(-1) ?? next)(request, options);
        case 'INTERNAL':
        case 'UNAVAILABLE': {
          // The server hears of it: a call comes over a connection, and ends with its stream.
          const stream = new AbortController();
          next(request, { signal: stream.signal }).catch(() => undefined);
          stream.abort();
          throw lost(code);
        }
      }
    };
    interceptors.add(interceptor);
    this.#forAWhile(() => interceptors.delete(interceptor));
  }

  #forAWhile(end: () => unknown): void {
    let ended = false;
    const once = (): void => {
      if (!ended) end();
      ended = true;
    };
    this.#spells.defer(once);
    this.#world.world.timer(this.#random.int(longestMs), once);
  }
}

const lost = (code: HookCode): HookError => new InjectedHookError(code, 'by the weather');
