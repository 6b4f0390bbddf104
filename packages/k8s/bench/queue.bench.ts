/**
 * The work queue at fleet size, beside the least that any queue could do (a Map and an array, no fairness, lanes or delays).
 *
 * Run: `node --conditions=@lifeline/source --expose-gc packages/k8s/bench/queue.bench.ts`
 */
import { seeded, systemClock } from '@lifeline/core';
import { DelayingQueue } from '../src/queue/delaying-queue.ts';
import type { QueueItem } from '../src/queue/queue-item.ts';
import { RateLimiter } from '../src/queue/rate-limiter.ts';

const clusters = 300;
const keysEach = 10_000;

/** Every item of the fleet, cluster by cluster, as a cold start lists them. */
function* fleet(): Generator<QueueItem, void> {
  for (let c = 0; c < clusters; c++) for (const key of keys) yield { cluster: names[c] as string, key };
}
const names = Array.from({ length: clusters }, (_, c) => `org-${c % 20}/project-${c}`);
const keys = Array.from({ length: keysEach }, (_, k) => `namespace-${k % 50}/object-${k}`);

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

async function measure(name: string, operations: number, work: () => Promise<void> | void): Promise<void> {
  const before = systemClock.monotonic();
  await work();
  const ms = systemClock.monotonic() - before;
  row(name, ms.toFixed(0), Math.round(operations / (ms / 1000)).toLocaleString('en'));
}

const heapBytes = (): number => (globalThis.gc?.(), process.memoryUsage().heapUsed);

const total = clusters * keysEach;
console.log(`${clusters} clusters × ${keysEach.toLocaleString('en')} keys = ${total.toLocaleString('en')} items\n`);
row('what', 'ms', 'items a second');
row('---', '--:', '--:');

await measure('a Map by cluster and key, and an array: add and take all', total, () => {
  const waiting = new Map<string, Set<string>>();
  const order: QueueItem[] = [];
  for (const item of fleet()) {
    let known = waiting.get(item.cluster);
    if (!known) waiting.set(item.cluster, (known = new Set()));
    if (known.has(item.key)) continue;
    known.add(item.key);
    order.push(item);
  }
  for (const { cluster, key } of order) waiting.get(cluster)?.delete(key);
});

const queue = new DelayingQueue({ clock: systemClock });
const empty = heapBytes();
await measure('queue: add all', total, () => {
  for (const item of fleet()) queue.add(item, 'resync');
});
const bytesEach = (heapBytes() - empty) / total;
await measure('queue: add all again (already waiting)', total, () => {
  for (const item of fleet()) queue.add(item, 'resync');
});
await measure('queue: get and done all', total, async () => {
  for (let left = queue.depth; left > 0; left--) {
    const work = await queue.get();
    if (work) queue.done(work);
  }
});
await measure('queue: addAfter all (spread over 10 min)', total, () => {
  const random = seeded('spread');
  for (const item of fleet()) queue.addAfter(item, 60_000 + random.int(600_000));
});
await measure('queue: add all that are delayed', total, () => {
  for (const item of fleet()) queue.add(item);
});
await measure('queue: drop every cluster', total, () => {
  for (const name of names) queue.drop(name);
});
for (const item of fleet()) queue.add(item, 'resync');
await measure('a fresh item through a full queue, 100,000 times', 100_000, async () => {
  for (let i = 0; i < 100_000; i++) {
    queue.add({ cluster: 'quiet', key: 'new' });
    const work = await queue.get();
    if (work) queue.done(work);
  }
});
queue.shutdown();

const limiter = new RateLimiter(seeded('limiter'));
await measure('rate limiter: a failure for each', total, () => {
  for (const item of fleet()) limiter.next(item);
});

if (globalThis.gc) console.log(`\nA waiting item takes ${bytesEach.toFixed(0)} bytes of heap, its key not counted.`);
