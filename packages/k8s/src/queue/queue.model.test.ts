/** The queue against a plain model of it: arrays, searched from end to end. */
import { VirtualClock } from '@lifeline/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayingQueue } from './delaying-queue.ts';
import { asEarly, earlierLane, type Lane, type QueueItem } from './queue-item.ts';
import type { WorkItem } from './work-queue.ts';

const share = 3;
const same = (a: QueueItem) => (b: QueueItem) => a.cluster === b.cluster && a.key === b.key;
const nameOf = ({ cluster, key }: QueueItem): string => `${cluster}/${key}`;

interface Waiting extends QueueItem {
  lane: Lane;
}
interface Later extends Waiting {
  due: number;
  notBefore: number;
  rests: boolean;
  wanted: boolean;
  order: number;
}

/** What the queue should hand out, written for reading, not for speed. */
class Model {
  now = 0;
  handedOut: string[] = [];
  working: Waiting[] = [];
  #waiters = 0;
  #ready: Waiting[] = [];
  #again: Waiting[] = [];
  #later: Later[] = [];
  /** Per lane: clusters in the order in which their turn comes. */
  #turns: Record<Lane, string[]> = { urgent: [], fresh: [], resync: [] };
  #passedOver: Record<Lane, number> = { urgent: 0, fresh: 0, resync: 0 };
  #order = 0;

  get depth(): number {
    return this.#ready.length;
  }
  get delayed(): number {
    return this.#later.length;
  }

  get(): void {
    this.#waiters++;
    this.#serve();
  }

  add(item: QueueItem, lane: Lane): void {
    const later = this.#later.find(same(item));
    if (later && later.notBefore > this.now && !(later.rests && lane === 'urgent')) {
      later.due = later.notBefore;
      later.lane = later.wanted ? earlierLane(later.lane, lane) : lane;
      later.wanted = true;
      return;
    }
    if (later && asEarly(lane, later.lane)) this.#later = this.#later.filter((entry) => entry !== later);
    this.#put(item, lane);
    this.#serve();
  }

  addAfter(item: QueueItem, ms: number, lane: Lane): void {
    const waits = [...this.#ready, ...this.#again].find(same(item));
    if (waits && asEarly(waits.lane, lane)) return;
    const { now } = this;
    this.#delay({ ...item, lane, due: now + ms, notBefore: now, rests: false, wanted: true, order: 0 });
  }

  retry(item: QueueItem, { afterMs, holdMs, lane }: { afterMs: number; holdMs: number; lane: Lane }): void {
    const added = [...this.#ready, ...this.#again].find(same(item));
    this.#unready(item);
    const notBefore = this.now + holdMs;
    const due = added ? notBefore : Math.max(notBefore, this.now + afterMs);
    const earlier = added ? earlierLane(added.lane, lane) : lane;
    this.#delay({ ...item, due, notBefore, rests: false, wanted: true, lane: earlier, order: 0 });
  }

  rest(item: QueueItem, ms: number): void {
    const added = [...this.#ready, ...this.#again].find(same(item));
    if (added?.lane === 'urgent') return;
    this.#unready(item);
    const due = this.now + ms;
    const wanted = added !== undefined;
    this.#delay({ ...item, due, notBefore: due, rests: true, wanted, lane: added?.lane ?? 'resync', order: 0 });
  }

  done(item: QueueItem): void {
    this.working = this.working.filter((entry) => !same(item)(entry));
    const again = this.#again.find(same(item));
    this.#again = this.#again.filter((entry) => entry !== again);
    if (again) this.#put(item, again.lane);
    this.#serve();
  }

  drop(cluster: string): void {
    this.#later = this.#later.filter((entry) => entry.cluster !== cluster);
    for (const entry of [...this.#ready, ...this.#again]) if (entry.cluster === cluster) this.#unready(entry);
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.#later.toSorted((a, b) => a.due - b.due || a.order - b.order)[0];
      if (!next || next.due > end) break;
      this.now = Math.max(this.now, next.due);
      this.#later = this.#later.filter((entry) => entry !== next);
      if (next.wanted) this.#put(next, next.lane);
      this.#serve();
    }
    this.now = end;
  }

  #delay(wanted: Later): void {
    const entry = this.#later.find(same(wanted));
    if (!entry) {
      this.#later.push({ ...wanted, order: this.#order++ });
      return;
    }
    if (wanted.notBefore > entry.notBefore) entry.rests = wanted.rests;
    entry.notBefore = Math.max(entry.notBefore, wanted.notBefore);
    if (!wanted.wanted) {
      entry.due = Math.max(entry.due, entry.notBefore);
      return;
    }
    entry.lane = entry.wanted ? earlierLane(entry.lane, wanted.lane) : wanted.lane;
    entry.due = Math.max(entry.notBefore, entry.wanted ? Math.min(entry.due, wanted.due) : wanted.due);
    entry.wanted = true;
  }

  #put(item: QueueItem, lane: Lane): void {
    const { cluster, key } = item;
    const waits = [...this.#ready, ...this.#again].find(same(item));
    if (this.working.some(same(item))) {
      if (waits) waits.lane = earlierLane(waits.lane, lane);
      else this.#again.push({ cluster, key, lane });
      return;
    }
    if (waits && asEarly(waits.lane, lane)) return;
    this.#unready(item);
    this.#ready.push({ cluster, key, lane });
    if (!this.#turns[lane].includes(cluster)) this.#turns[lane].push(cluster);
  }

  #unready(item: QueueItem): void {
    const entry = this.#ready.find(same(item));
    this.#again = this.#again.filter((again) => !same(item)(again));
    this.#ready = this.#ready.filter((ready) => ready !== entry);
    if (entry)
      this.#turns[entry.lane] = this.#turns[entry.lane].filter((name) => this.#of(entry.lane, name).length > 0);
  }

  #of(lane: Lane, cluster: string): Waiting[] {
    return this.#ready.filter((entry) => entry.lane === lane && entry.cluster === cluster);
  }

  #nextLane(): Lane {
    const all = ['urgent', 'fresh', 'resync'] as const;
    const [first = 'urgent', ...later] = all.filter((lane) => this.#turns[lane].length > 0);
    const next = later.reverse().find((lane) => this.#passedOver[lane] >= share - 1) ?? first;
    for (const lane of all) {
      if (lane === next || this.#turns[lane].length === 0) this.#passedOver[lane] = 0;
      else this.#passedOver[lane]++;
    }
    return next;
  }

  #serve(): void {
    while (this.#waiters > 0 && this.#ready.length > 0) {
      const lane = this.#nextLane();
      const cluster = this.#turns[lane][0] as string;
      const [next] = this.#of(lane, cluster);
      if (!next) throw new Error('the model is wrong');
      this.#turns[lane].shift();
      this.#ready = this.#ready.filter((entry) => entry !== next);
      if (this.#of(lane, cluster).length > 0) this.#turns[lane].push(cluster);
      this.working.push(next);
      this.handedOut.push(`${nameOf(next)} ${lane} @${this.now}`);
      this.#waiters--;
    }
  }
}

const itemArb = fc.record({ cluster: fc.constantFrom('p1', 'p2', 'p3'), key: fc.constantFrom('a', 'b', 'c', 'd') });
const laneArb = fc.constantFrom<Lane>('urgent', 'fresh', 'resync');
const msArb = fc.nat(30);
const opArb = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('add' as const), item: itemArb, lane: laneArb }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('addAfter' as const), item: itemArb, lane: laneArb, ms: msArb }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('get' as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('done' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('fail' as const),
      which: fc.nat(),
      lane: laneArb,
      afterMs: msArb,
      holdMs: msArb,
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('rest' as const), which: fc.nat(), ms: msArb }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('advance' as const), ms: msArb }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('drop' as const), cluster: fc.constantFrom('p1', 'p2', 'p3') }) },
);
type Op = typeof opArb extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly clock: VirtualClock;
  readonly queue: DelayingQueue;
  readonly model: Model;
  /** What workers have, in the real one. */
  readonly held: WorkItem[];
  readonly handedOut: string[];
}

/** One step on both. */
async function apply(op: Op, { clock, queue, model, held, handedOut }: World): Promise<void> {
  switch (op.op) {
    case 'add':
      queue.add(op.item, op.lane);
      model.add(op.item, op.lane);
      break;
    case 'addAfter':
      queue.addAfter(op.item, op.ms, op.lane);
      model.addAfter(op.item, op.ms, op.lane);
      break;
    case 'get':
      void queue.get().then((work) => {
        if (!work) return;
        expect(held.some(same(work)), `${nameOf(work)} is with two workers`).toBe(false);
        held.push(work);
        handedOut.push(`${nameOf(work)} ${work.lane} @${clock.monotonic()}`);
      });
      model.get();
      break;
    case 'done':
    case 'rest':
    case 'fail': {
      const [work] = held.splice(op.which % Math.max(1, held.length), 1);
      if (!work) break;
      if (op.op === 'fail') {
        queue.retry(work, op);
        model.retry({ cluster: work.cluster, key: work.key }, op);
      }
      if (op.op === 'rest') {
        queue.rest(work, op.ms);
        model.rest({ cluster: work.cluster, key: work.key }, op.ms);
      }
      queue.done(work);
      model.done({ cluster: work.cluster, key: work.key });
      break;
    }
    case 'advance':
      await clock.advance(op.ms);
      model.advance(op.ms);
      break;
    case 'drop':
      queue.drop(op.cluster);
      model.drop(op.cluster);
      break;
  }
  await clock.settle();
}

describe('DelayingQueue against its model', () => {
  it('hands out the same items at the same times, never one to two workers, with one timer at most', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(opArb, { maxLength: 60, size: 'max' }), async (ops) => {
        const clock = new VirtualClock();
        const queue = new DelayingQueue({ clock, laterShare: share });
        const model = new Model();
        const world: World = { clock, queue, model, held: [], handedOut: [] };
        for (const op of ops) {
          await apply(op, world);
          expect(world.handedOut).toEqual(model.handedOut);
          expect([queue.depth, queue.delayed]).toEqual([model.depth, model.delayed]);
          expect(clock.pending).toBe(queue.delayed > 0 ? 1 : 0);
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('loses nothing: after every add comes a hand-out that began later', async () => {
    const stepArb = fc.oneof(
      fc.record({ op: fc.constant('add' as const), item: itemArb, lane: laneArb }),
      fc.record({ op: fc.constant('addAfter' as const), item: itemArb, lane: laneArb, ms: msArb }),
      fc.record({ op: fc.constant('wait' as const), ms: msArb }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArb, { maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, workers) => {
          const clock = new VirtualClock();
          const queue = new DelayingQueue({ clock });
          const owed = new Set<string>();
          const busy = new Set<string>();
          const worker = async (workMs: number): Promise<void> => {
            for (let work = await queue.get(); work; work = await queue.get()) {
              const name = nameOf(work);
              expect(busy.has(name)).toBe(false);
              busy.add(name);
              owed.delete(name);
              await clock.sleep(workMs);
              busy.delete(name);
              queue.done(work);
            }
          };
          const running = Promise.all(Array.from({ length: workers }, (_, i) => worker(7 * (i + 1))));
          for (const step of steps) {
            if (step.op === 'wait') {
              await clock.advance(step.ms);
              continue;
            }
            owed.add(nameOf(step.item));
            if (step.op === 'add') queue.add(step.item, step.lane);
            else queue.addAfter(step.item, step.ms, step.lane);
          }
          await clock.advance(1000);
          expect([...owed]).toEqual([]);
          queue.shutdown();
          await running;
          expect(clock.pending).toBe(0);
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  it('within a lane, nobody waits for more than one item of each other cluster per item of its own ahead of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(itemArb, { selector: nameOf, maxLength: 12, size: 'max' }),
        laneArb,
        async (items, lane) => {
          const queue = new DelayingQueue({ clock: new VirtualClock() });
          for (const item of items) queue.add(item, lane);
          const order: string[] = [];
          while (queue.depth > 0) order.push(nameOf((await queue.get()) as WorkItem));
          const clusters = new Set(items.map(({ cluster }) => cluster)).size;
          for (const cluster of new Set(items.map((item) => item.cluster))) {
            const own = items.filter((item) => item.cluster === cluster).map(nameOf);
            expect(order.filter((name) => own.includes(name))).toEqual(own);
            for (const [ahead, name] of own.entries()) expect(order.indexOf(name)).toBeLessThan((ahead + 1) * clusters);
          }
        },
      ),
      { seed: 5, numRuns: 200 },
    );
  });
});
