/** Systematic schedules: a fault at every place where it can matter, found by a run without any. */
import { type DurationMs, stringifyJson } from '@lifeline/core';
import type { FaultId } from '../faults/catalogue.ts';
import { isElection } from '../faults/on-write.ts';
import { isDeletion } from '../oracles/s1-no-wrong-delete.ts';
import type { DrawnAct } from '../schedule/scenario.ts';
import { type ActStep, type FaultStep, type Schedule, type Step, withSteps } from '../schedule/step.ts';
import type { Sent, Write } from '../world/record.ts';
import type { World } from '../world/world.ts';

/** A delete of ours, and an event that its process had learned of before: one may have led to the other. */
export interface CausalPair {
  readonly replica: string;
  /** The how many-th effective write of the replica the delete is. */
  readonly nth: number;
  readonly deletedAt: DurationMs;
  /** What was learned: where, of which object, and when it happened there. */
  readonly cause: {
    readonly plane: string;
    readonly kind: string;
    readonly namespace: string | undefined;
    readonly name: string;
    readonly happenedAt: DurationMs;
  };
}

/** Effective writes of the replicas, in order; elections left out. */
function ownWrites(world: World): ReadonlyMap<string, readonly Sent[]> {
  const byReplica = new Map<string, Sent[]>();
  for (const { by } of world.audit.writes) {
    if (!by || by.incarnation === 0 || isElection(by)) continue;
    const sent = byReplica.get(by.actor) ?? [];
    if (sent.at(-1) !== by) sent.push(by);
    byReplica.set(by.actor, sent);
  }
  return byReplica;
}

/** F01 and F02 after every effective write of the run. */
export function atEveryWrite(clean: World, schedule: Schedule): Schedule[] {
  const variants: readonly (readonly [FaultId, FaultStep['args']])[] = [
    ['F01', { downMs: 0 }],
    ['F01', { downMs: 3_000 }],
    ['F02', { how: 'reset' }],
    ['F02', { how: 'timeout' }],
  ];
  return [...ownWrites(clean)].flatMap(([replica, writes]) =>
    writes.flatMap((_, index) =>
      variants.map(([fault, args]) =>
        plus(schedule, (id) => ({
          id,
          step: 'fault',
          fault,
          at: { replica, nth: index + 1 },
          forMs: 0,
          args: { replica, ...args },
        })),
      ),
    ),
  );
}

/** An event that came this long before a delete may have led to it. */
const reachMs: DurationMs = 60_000;

/** Pairs that belong together by name or uid; each once. */
export function causalPairs(clean: World): CausalPair[] {
  const pairs: CausalPair[] = [];
  for (const [replica, writes] of ownWrites(clean))
    for (const [index, sent] of writes.entries()) {
      const deletion = sent.writes.find((write) => sent.request.method === 'DELETE' && isDeletion(write));
      if (!deletion) continue;
      for (const cause of causesOf(deletion, clean))
        pairs.push({
          replica,
          nth: index + 1,
          deletedAt: deletion.at,
          cause: {
            plane: cause.plane,
            kind: cause.revision.resource,
            namespace: cause.revision.object.metadata.namespace,
            name: cause.revision.object.metadata.name,
            happenedAt: cause.at,
          },
        });
    }
  return pairs;
}

/** Writes of others, on planes other than the deleted object's, that it names or that name it. */
function causesOf(deletion: Write, { audit }: World): Write[] {
  const deleted = deletion.revision.previous ?? deletion.revision.object;
  const text = stringifyJson(deleted);
  return audit.writes.filter(({ at, plane, by, revision: { object } }) => {
    if (at > deletion.at || at < deletion.at - reachMs || (by && by.incarnation > 0)) return false;
    const { uid, name } = object.metadata;
    return plane !== deletion.plane && ((uid !== undefined && text.includes(uid)) || text.includes(`"${name}"`));
  });
}

/** Makes the act that gives the object of a cause another uid; undefined: nobody does that to such an object. */
export type Reincarnation = (cause: CausalPair['cause'], schedule: Schedule) => Omit<DrawnAct, 'at'> | undefined;

/** F07, F09 and F18 around every causal pair. */
export function atEveryPair(clean: World, schedule: Schedule, reincarnate: Reincarnation): Schedule[] {
  return causalPairs(clean).flatMap((pair) => [
    ...timeTravels(pair, schedule),
    ...gaps(pair, schedule),
    ...reincarnations(pair, schedule, reincarnate),
  ]);
}

/** The view stands still just before the event, or between event and delete; the replica comes back to it around the delete. */
function timeTravels({ replica, cause, deletedAt }: CausalPair, schedule: Schedule): Schedule[] {
  const freezes = [cause.happenedAt - 1, (cause.happenedAt + deletedAt) / 2].map((at) => Math.max(0, at));
  const restarts = [0, 500, 5_000];
  return freezes.flatMap((at) =>
    restarts.map((after) =>
      plus(schedule, (id) => ({
        id,
        step: 'fault',
        fault: 'F07',
        at,
        forMs: 40_000,
        args: { replica, plane: cause.plane, restartAfterMs: deletedAt - at + after },
      })),
    ),
  );
}

function gaps({ replica, cause }: CausalPair, schedule: Schedule): Schedule[] {
  return [2_000, 15_000].map((waitMs) =>
    plus(schedule, (id) => ({
      id,
      step: 'fault',
      fault: 'F09',
      at: Math.max(0, cause.happenedAt - waitMs),
      forMs: 2 * waitMs,
      args: { replica, plane: cause.plane, waitMs, chance: 1 },
    })),
  );
}

/** Right before the event, right after it, and right after the delete. */
function reincarnations(
  { replica, nth, cause }: CausalPair,
  schedule: Schedule,
  reincarnate: Reincarnation,
): Schedule[] {
  const act = reincarnate(cause, schedule);
  if (!act) return [];
  const times: readonly ActStep['at'][] = [
    Math.max(0, cause.happenedAt - 1),
    cause.happenedAt + 1,
    { replica, nth: Math.max(1, nth - 1) },
    { replica, nth },
  ];
  return times.map((at) => plus(schedule, (id) => ({ ...act, id, step: 'act', at, fault: 'F18' })));
}

const plus = (schedule: Schedule, step: (id: number) => Step): Schedule =>
  withSteps(schedule, [...schedule.steps, step(schedule.steps.length)]);
