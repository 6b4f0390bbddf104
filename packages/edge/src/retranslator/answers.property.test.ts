/**
 * For every history of answers, losses and replicas that go and come again:
 * - who looks again at what it is told, and at nothing else, holds what stands
 * - the newest answer stands for each Gateway of its set
 * - what was answered before is answered again for nothing
 */
import { monotonicMs, type ObjectKey } from '@lifeline/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportRow } from '../report/report.ts';
import { type Answered, Answers, rowKey, type Standing } from './answers.ts';

const sets = { a: ['a'], ab: ['a', 'b'], bc: ['b', 'c'], d: ['d'] } as const;
type Group = keyof typeof sets;
const groups = Object.keys(sets) as Group[];
const keys = ['a', 'b', 'c', 'd'].map((name) => `ns/${name}`);

const replicas = ['r1', 'r2', 'r3'] as const;
/** How long a replica's stream takes to tell. */
const lateness = { r1: 0, r2: 0, r3: 3 };
type Replica = (typeof replicas)[number];
type Step =
  | { readonly at: 'answer'; readonly replica: Replica; readonly group: Group; readonly intent: string }
  | { readonly at: 'lose'; readonly group: Group | ''; readonly late: number }
  /** Its stream breaks. */
  | { readonly at: 'gone'; readonly replica: Replica }
  /** And begins again, with another digest or the same. */
  | { readonly at: 'back'; readonly replica: Replica; readonly version: number };

const replica = fc.constantFrom(...replicas);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      at: fc.constant('answer'),
      replica,
      group: fc.constantFrom(...groups),
      intent: fc.constantFrom('X', 'X', 'X', 'Y'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.constant('lose'),
      group: fc.constantFrom('', ...groups),
      late: fc.constantFrom(0, 0, 3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('gone'), replica }) },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('back'), replica, version: fc.constantFrom(1, 1, 2) }) },
);

/** All of it but when it was answered. */
const seen = (standing: Standing | undefined): unknown => standing && { ...standing, at: 0 };

/** Replicas as they are: of a set that was answered before they tell only what is different. */
class World {
  readonly answers = new Answers();
  readonly held = new Map<ObjectKey, unknown>();
  /** By replica and set. One whose stream is broken is not there. */
  readonly #told = new Map<Replica, Map<Group, string>>(replicas.map((name) => [name, new Map()]));
  readonly #versions = new Map<Replica, number>();
  #now = 10;

  run(step: Step): void {
    this.#now++;
    switch (step.at) {
      case 'answer':
        return this.#answer(step);
      case 'lose':
        return this.#look(this.answers.lost(step.group, monotonicMs(this.#now - step.late)));
      case 'gone':
        this.#told.delete(step.replica);
        this.answers.replicaGone(step.replica);
        return this.#look(keys);
      case 'back':
        this.#told.set(step.replica, new Map());
        this.#versions.set(step.replica, step.version);
        this.answers.forget(step.replica);
        return this.#look(keys);
    }
  }

  #look(changed: Iterable<ObjectKey>): void {
    for (const key of changed) this.held.set(key, seen(this.answers.standing(key)));
  }

  #answer({ replica, group, intent }: Step & { at: 'answer' }): void {
    const told = this.#told.get(replica);
    if (!told) return;
    // Its sets that have a Gateway in common with this one are over.
    const names: readonly string[] = sets[group];
    for (const other of groups)
      if (other !== group && sets[other].some((name) => names.includes(name))) told.delete(other);
    const all = names.map((name): ReportRow => ({
      namespace: 'ns',
      name,
      stamp: '',
      intent,
      outcome: 'programmed',
      reason: '',
    }));
    const rows = told.get(group) === intent ? [] : all;
    told.set(group, intent);
    const digestVersion = this.#versions.get(replica) ?? 1;
    const answered: Answered = { replica, group, at: monotonicMs(this.#now - lateness[replica]), digestVersion, rows };
    this.#look(this.answers.answered(answered));
    if (lateness[replica] > 0) return;
    const standing = all.map((row) => this.answers.standing(rowKey(row)));
    expect(standing).toMatchObject(all.map((row) => ({ row, group, digestVersion, lost: false })));
    expect(this.answers.answered({ ...answered, rows: [] }).size).toBe(0);
  }
}

it('what is told is all that is different', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const world = new World();
      for (const each of steps) {
        world.run(each);
        for (const key of keys) expect(world.held.get(key)).toEqual(seen(world.answers.standing(key)));
      }
    }),
    { seed: 20261129, numRuns: 500 },
  );
});
