/** Processes die, stand still, come back as another version, or believe in another time. */
import { type DurationMs, Lease } from '@lifeline/core';
import { noAnswer } from '../world/wires.ts';
import { between, type Fault, type FaultSite, numberArg, pick, textArg, undo } from './fault.ts';
import { afterWrite, isElection, release } from './on-write.ts';
import { lostConnection } from './wire-answers.ts';

const replicaOf = ({ step }: FaultSite): string =>
  (typeof step.at === 'number' ? textArg(step, 'replica') : step.at.replica) ?? '';

/** F01: killed after its n-th effective write, before it knows of it. Crashes come where writes are, not at any time. */
export const crashAfterWrite: Fault = {
  id: 'F01',
  countsWrites: true,
  draw: (random, { replicas, writes }) => {
    const replica = pick(random, replicas);
    const args = { replica, downMs: between(random, 0, 10_000) };
    return random.int(11) === 0 ? { args } : { args, at: { replica, nth: between(random, 1, Math.max(1, writes)) } };
  },
  begin: (site) =>
    afterWrite(site, async (response, signal) => {
      const { world, step } = site;
      const replica = replicaOf(site);
      world.processes.kill(replica);
      await release(response);
      world.timer(numberArg(step, 'downMs', 0), () => {
        if (!world.processes.isRunning(replica)) world.processes.start(replica);
      });
      return noAnswer(signal);
    }),
};

/** F02: the write took effect; its sender sees a broken connection, or nothing until its own deadline. */
export const lostReply: Fault = {
  id: 'F02',
  countsWrites: true,
  draw: (random, { replicas, writes }) => {
    const replica = pick(random, replicas);
    const args = { replica, how: pick(random, ['reset', 'timeout']) };
    return { args, at: { replica, nth: between(random, 1, Math.max(1, writes)) } };
  },
  begin: (site) =>
    afterWrite(site, async (response, signal) => {
      await release(response);
      if (textArg(site.step, 'how') === 'timeout') return noAnswer(signal);
      throw lostConnection('before the answer arrived');
    }),
};

/** F04: the event loop stands still; what was decided before goes on afterwards. */
export const pause: Fault = {
  id: 'F04',
  weight: ({ replicas }) => (replicas.length > 1 ? 4 : 1),
  draw: (random, { replicas, writes }) => {
    const replica = pick(random, replicas);
    // About as long as leases last, or anything.
    const forMs = random.int(2) === 0 ? between(random, 15, 35) * 1_000 : between(random, 1, 60) * 1_000;
    const args = { replica };
    return random.int(11) === 0
      ? { args, forMs }
      : { args, forMs, at: { replica, nth: between(random, 1, Math.max(1, writes)) } };
  },
  begin: (site) => {
    const { processes } = site.world;
    const replica = replicaOf(site);
    if (!processes.isRunning(replica)) return undefined;
    const process = processes.process(replica);
    process.pause();
    site.fired();
    return undo(() => process.resume());
  },
};

/**
 * F05: two that may both think it is theirs. The Lease is deleted, or the leader alone cannot reach it, or one replica of several is
 * another version.
 */
export const twoWriters: Fault = {
  id: 'F05',
  weight: ({ replicas }) => (replicas.length > 1 ? 3 : 1),
  draw: (random, { replicas, versions }) => {
    if (replicas.length < 2) return undefined;
    const how = pick(random, versions > 1 ? ['deleted', 'cut-off', 'versions'] : ['deleted', 'cut-off']);
    const replica = pick(random, replicas);
    return {
      args: { replica, how, version: random.int(Math.max(1, versions)) },
      forMs: between(random, 5, 60) * 1_000,
    };
  },
  begin: (site) => {
    const { world, step } = site;
    const replica = replicaOf(site);
    switch (textArg(step, 'how') ?? '') {
      case 'versions':
        world.processes.start(replica, numberArg(step, 'version', 0));
        site.fired();
        return undefined;
      case 'cut-off':
        return world.wires.put(
          (sent) =>
            isElection(sent) ? () => () => (site.fired(), Promise.reject(lostConnection('on the way'))) : undefined,
          { actor: replica },
        );
      default:
        world.spawn(deleteLeases(site));
        return undefined;
    }
  },
};

async function deleteLeases({ world, fired }: FaultSite): Promise<void> {
  for (const { name, api } of world.planes.values())
    for (const { metadata } of api.objects(Lease)) {
      await world.hands('stranger').delete(name, Lease, metadata);
      fired();
    }
}

/** F06: stopped, in order or not, and started as another version. */
export const upgradeRestart: Fault = {
  id: 'F06',
  draw: (random, { replicas, versions }) =>
    versions < 2
      ? undefined
      : {
          args: { replica: pick(random, replicas), version: random.int(versions), downMs: between(random, 0, 30_000) },
        },
  begin: (site) => {
    const { processes } = site.world;
    const replica = replicaOf(site);
    site.fired();
    processes.kill(replica);
    site.world.timer(numberArg(site.step, 'downMs', 0), () => {
      if (!processes.isRunning(replica)) processes.start(replica, numberArg(site.step, 'version', 0));
    });
    return undefined;
  },
};

const dayMs: DurationMs = 86_400_000;

/** F23: the wall clock of a plane or of a machine is off, drifts, and is set right in one step, which may go backwards. */
export const clockSkew: Fault = {
  id: 'F23',
  draw: (random, { replicas, planes }) => {
    const whose = random.int(2) === 0 ? { replica: pick(random, replicas) } : { plane: pick(random, planes).name };
    const magnitude = pick(random, [2_000, 60_000, 3_600_000, 2 * dayMs]);
    const offsetMs = Math.round((random.next() * 2 - 1) * magnitude);
    return { args: { ...whose, offsetMs, driftMsPerHour: pick(random, [0, 0, -3_600, 3_600, 60_000]) } };
  },
  begin: ({ world, step, fired }) => {
    const replica = textArg(step, 'replica');
    const plane = textArg(step, 'plane');
    const clock = replica === undefined ? world.plane(plane ?? '').clock : world.processes.clock(replica);
    clock.skew({
      offsetMs: numberArg(step, 'offsetMs', 0),
      driftMsPerHour: numberArg(step, 'driftMsPerHour', 0),
    });
    fired();
    return undo(() => clock.skew());
  },
};
