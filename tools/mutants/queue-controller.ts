import type { Mutant } from './types.ts';

const k8s = (subject: string, test: string): Pick<Mutant, 'file' | 'test'> => ({
  file: `packages/k8s/src/${subject}.ts`,
  test: `packages/k8s/src/${test}.test.ts`,
});

const queue = k8s('queue/work-queue', 'queue/work-queue');
const delaying = k8s('queue/delaying-queue', 'queue/queue.model');
const runtime = k8s('controller/runtime', 'controller/runtime');
const scoped = k8s('controller/scoped-cluster', 'controller/scoped-cluster');
const guard = k8s('controller/write-guard', 'controller/write-guard');
const paths = k8s('controller/written-paths', 'controller/write-guard');

/** Work queue, controller runtime, guarded writes. */
export const mutants: Mutant[] = [
  {
    ...queue,
    id: 'c24-queue-hands-a-key-to-two-workers',
    find: `        entry.state = 'again';
        entry.lane = lane;
        this.#observer?.added();
        break;`,
    replace: `        this.#entries.delete(entry);
        this.#admit(item, lane);
        break;`,
    name: 'C24',
    why: 'an item is with one worker at most',
  },
  {
    ...queue,
    id: 'c24-queue-loses-what-comes-during-work',
    find: `        entry.state = 'again';
        entry.lane = lane;`,
    replace: `        entry.lane = lane;`,
    name: 'C24',
    why: 'an item that is added while a worker has it comes once more',
  },
  {
    ...k8s('queue/fair-lane', 'queue/work-queue'),
    id: 'c30-queue-serves-one-cluster-to-its-end',
    find: `    const row = this.#ring.shift();
    const item = row?.items.shift();
    if (!row || !item) return undefined;
    if (row.items.size > 0) this.#ring.push(row);
    else this.#rows.delete(row.cluster);`,
    replace: `    const row = this.#rows.values().next().value;
    const item = row?.items.shift();
    if (!row || !item) return undefined;
    if (row.items.size === 0) this.#ring.remove(row);
    if (row.items.size === 0) this.#rows.delete(row.cluster);`,
    name: 'C30: a single item of a quiet cluster',
    why: 'clusters take turns',
  },
  {
    ...k8s('queue/queue-item', 'queue/work-queue'),
    id: 'c30-queue-resync-before-fresh',
    find: `lanesInOrder: readonly Lane[] = ['urgent', 'fresh', 'resync']`,
    replace: `lanesInOrder: readonly Lane[] = ['urgent', 'resync', 'fresh']`,
    name: 'C30: fresh items go before',
    why: 'what changed goes before what is only looked at again',
  },
  {
    ...queue,
    id: 'queue-resync-starves',
    find: `next === undefined || this.#passedOver[lane] >= this.#laterShare - 1;`,
    replace: `next === undefined;`,
    name: 'at least one hand-out',
    why: 'the second look has its share however busy the first one is',
  },
  {
    ...k8s('queue/delaying-queue', 'queue/delaying-queue'),
    id: 'queue-urgent-waits-for-a-rest',
    find: `!(delayed.rests && lane === 'urgent')`,
    replace: `lane !== undefined`,
    name: 'comes at once when it is added urgently',
    why: 'a flip that comes within 100 ms of another write of the copy is mirrored at once',
  },
  {
    ...k8s('queue/delaying-queue', 'queue/delaying-queue'),
    id: 'queue-rest-withdraws-what-is-urgent',
    find: `if (!this.#open || this.#queue.laneOf(item) === 'urgent') return;`,
    replace: `if (!this.#open) return;`,
    name: 'does not begin to rest',
    why: 'a flip that comes while its copy is being written is mirrored right after that',
  },
  {
    ...k8s('queue/delaying-queue', 'queue/delaying-queue'),
    id: 'queue-urgent-passes-a-hold',
    find: `this.#delay(item, { due, notBefore, rests: false, lane: added ? earlierLane(added, lane) : lane });`,
    replace: `this.#delay(item, { due, notBefore, rests: true, lane: added ? earlierLane(added, lane) : lane });`,
    name: 'urgent or not',
    why: 'what a server asks for in Retry-After is kept, whatever is waited for',
  },
  {
    ...k8s('controller/watch', 'controller/watch'),
    id: 'watch-knows-nothing-urgent',
    find: `isSound && urgent?.(event) ? 'urgent'`,
    replace: `isSound && urgent?.(event) && origin !== origin ? 'urgent'`,
    name: 'what is urgent goes before all',
    why: 'a flip goes before everything else',
  },
  {
    ...delaying,
    id: 'queue-later-add-postpones',
    find: 'const sooner = delayed.wanted ? earliest(delayed.due, due) : due;',
    replace: 'const sooner = due;',
    why: 'the earliest time asked for wins',
  },
  {
    ...delaying,
    id: 'queue-resync-replaces-a-fresh-delay',
    find: `if (delayed && asEarly(lane, delayed.lane)) this.#remove(delayed);`,
    replace: `if (delayed) this.#remove(delayed);`,
    why: 'a look whose time has come does not wait behind a resync',
  },
  {
    ...k8s('queue/timed-heap', 'queue/timed-heap'),
    id: 'queue-timer-left-behind',
    find: `    this.#timer?.handle[Symbol.dispose]();`,
    replace: ``,
    name: 'with one timer',
    why: 'there is one timer, for the head of the heap',
  },
  {
    ...runtime,
    id: 'c45-conflict-grows-backoff',
    find: `const afterMs = this.#conflicts.next(work);`,
    replace: `const afterMs = this.#failures.next(work);`,
    name: 'C45',
    why: 'a conflict is not a failure: the next failure is the first',
  },
  {
    ...runtime,
    id: 'c45-events-outrun-the-pause-after-a-conflict',
    find: `holdMs: Math.min(afterMs, longestConflictHoldMs)`,
    replace: `holdMs: 0`,
    name: 'C45',
    why: 'at most ten tries a second of one request that conflicts',
  },
  {
    ...runtime,
    id: 'conflict-is-tried-ten-times-a-second-for-ever',
    find: `Math.max(150, 15 * (conflicts + 1))`,
    replace: `Math.max(150, 0 * conflicts)`,
    name: 'L7',
    why: 'a conflict that never ends does not load its server for ever',
  },
  {
    ...runtime,
    id: 'c38-retry-after-is-not-kept',
    find: `holdMs: Math.max(spacingMs, notBeforeMs)`,
    replace: `holdMs: spacingMs`,
    name: 'C38',
    why: 'the server decides when it is asked again',
  },
  {
    ...k8s('client/kube-error', 'controller/runtime'),
    id: 'forbidden-waits-for-the-floor',
    find: `forbidden: 'backoff-to-slow'`,
    replace: `forbidden: 'slow'`,
    name: 'one that is forbidden is tried again',
    why: 'an API server that has just started forbids everybody everything: that may not cost ten minutes',
  },
  {
    ...runtime,
    id: 'forbidden-for-ever-is-no-failure-of-seconds',
    find: `untilFloor ? this.#refusals : this.#failures`,
    replace: `this.#failures`,
    name: 'one that is forbidden is tried again',
    why: 'what is forbidden for good is asked for at the pace of the floor, not every two minutes',
  },
  {
    ...runtime,
    id: 'forbidden-goes-before-what-may-work',
    find: `untilFloor && afterMs > soonMs ? 'resync' : lane`,
    replace: `lane`,
    name: 'forbidden for long is before nothing',
    why: 'many objects that an API server forbids for good may not hold up those that it takes',
  },
  {
    ...runtime,
    id: 'b04-parked-is-taken-as-done',
    find: `if (!this.#parking.park(work, outcome.error)) this.#metrics.turnedAway();`,
    replace: ``,
    name: 'B04',
    why: 'a request whose cluster is not ready waits for it; absent is not unknown',
  },
  {
    ...k8s('controller/parking', 'controller/parking'),
    id: 'parking-leaves-its-subscription',
    find: `    place.waiting?.[Symbol.dispose]();`,
    replace: ``,
    why: 'nothing waits for a request that is not parked',
  },
  {
    ...runtime,
    id: 'c28-requests-outlive-their-cluster',
    find: `    this.#queue.drop(cluster);
    this.#parking.drop(cluster);`,
    replace: ``,
    name: 'C28',
    why: 'what waits of a cluster goes with it',
  },
  {
    ...runtime,
    id: 'floor-forgets',
    find: `for (const request of this.#subscriptions.requests(hasTurn)) this.#queue.add(request, 'resync');`,
    replace: ``,
    name: 'the floor',
    why: 'a lost event costs one floor, not for ever',
  },
  {
    ...runtime,
    id: 'deadline-lets-a-second-reconcile-in',
    find: `      this.#settle(work, await this.#reconcile(work, log), log);`,
    replace: `      const { clock } = this.#options.env;
      const late = clock.sleep(this.#controller.deadlineMs).then((): Outcome => ({ at: 'done', after: undefined }));
      this.#settle(work, await Promise.race([late, this.#reconcile(work, log)]), log);`,
    name: 'ignores its deadline',
    why: 'a request stays with its reconcile until that has really ended',
  },
  {
    ...k8s('controller/watch', 'controller/watch'),
    id: 'floor-dies-of-a-mapper',
    find: `if (object) yield* unlessItThrows(object, mapper, cluster.name);`,
    replace: `if (object) yield* mapper(object, cluster.name);`,
    name: 'takes no other one’s turn',
    why: 'the floor runs in a timer: what a mapper throws there would end the process',
  },
  {
    ...runtime,
    id: 'c28-request-lost-with-a-namesake',
    find: `if (this.#subscriptions.lives(work.cluster).length > 0) this.#queue.add(work, lane);`,
    replace: `void lane;`,
    name: 'of the same name',
    why: 'a request that was stopped when one plane’s cluster went may be another plane’s',
  },
  {
    ...k8s('controller/watch', 'controller/watch'),
    id: 'c58-watch-forgets-what-an-object-left',
    find: `      return yield* without(mapper(event.old, cluster), joined);`,
    replace: `      return;`,
    name: 'maps the old and the new object',
    why: 'what an object pointed to before is looked at too',
  },
  {
    ...scoped,
    id: 'b20-write-is-not-held-back-by-the-fence',
    find: `      if (fence.certainFor() <= 0 || clock.monotonic() >= ends) throw fenced();
      left = true;`,
    replace: `      left = true;`,
    name: 'B20, C48',
    why: 'leadership is asked for when the write leaves, not when it was decided',
  },
  {
    ...scoped,
    id: 'b20-write-begins-without-leadership',
    find: `    if (certainMs <= 0) throw fenced();`,
    replace: ``,
    name: 'B20: sends nothing without leadership',
    why: 'without leadership no write begins',
  },
  {
    ...scoped,
    id: 'b20-write-outlives-the-fence',
    find: `const limitMs = Math.min(maxWriteMs, certainMs);`,
    replace: `const limitMs = maxWriteMs;`,
    name: 'its deadline is 5000 ms',
    why: 'a write ends before the certainty that allowed it',
  },
  {
    ...scoped,
    id: 'c28-write-leaves-for-a-suspended-plane',
    find: `      this.#engaged();
      if (fence`,
    replace: `      if (fence`,
    name: 'C28: a plane that was suspended',
    why: 'a plane that is not ready is not written to',
  },
  {
    ...guard,
    id: 'undeclared-write-leaves',
    find: `    if (lanes.length === 0) throw this.#refusal(what);`,
    replace: `    if (lanes.length === 0) return this.#lanes[0]?.right as WriteRight;`,
    name: "refuses 'another verb'",
    why: 'what a controller did not declare it does not write',
  },
  {
    ...guard,
    id: 'write-allowed-by-another-row',
    find: `lanes.every(({ fields }) => isBelow(path, fields))`,
    replace: `lanes.some(({ fields }) => isBelow(path, fields))`,
    name: 'a part of a field',
    why: 'what one row allows whole is still to be named for the others',
  },
  {
    ...guard,
    id: 'write-of-everything-hides-a-status',
    find: `      path.length > 0 &&
`,
    replace: ``,
    name: 'a status with everything else',
    why: 'a row that allows everything does not allow a status past its subresource',
  },
  {
    ...guard,
    id: 'write-of-a-name-hides-a-status',
    find: `      !isMisplaced({ path, empty: false }, write) &&
`,
    replace: ``,
    name: 'a status and a name',
    why: 'the name of what is written is no metadata that is written through the status subresource',
  },
  {
    ...guard,
    id: 'write-leaves-its-lane',
    find: `written.filter((entry) => !isCovered(entry, fields))`,
    replace: `written.filter((entry) => fields.length === 0 && !isCovered(entry, fields))`,
    name: 'refuses',
    why: 'a controller writes its own fields',
  },
  {
    ...guard,
    id: 'b01-delete-without-uid',
    find: `    if (verb === 'delete' && !write.uid) throw this.#refusal(\`\${what} without a uid\`);`,
    replace: ``,
    name: 'a delete without a uid',
    why: 'every delete names the very object',
  },
  {
    ...paths,
    id: 'b14-list-in-a-merge-patch-counts-as-its-items',
    find: `? leavesOf(write.patch.body, [], { isAllowed })`,
    replace: `? leavesOf(write.patch.body, [], { isAllowed, listMapKeys: write.kind.listMapKeys })`,
    name: 'the whole list of conditions',
    why: 'a merge patch replaces a list, other owners’ entries included',
  },
  {
    ...k8s('controller/rbac', 'controller/rbac'),
    id: 'rbac-status-needs-the-whole-object',
    find: `const main = paths.some(([root]) => !isStatus(root));`,
    replace: `const main = true;`,
    name: 'patch of status alone',
    why: 'least privilege: who writes status may not write spec',
  },
  {
    ...k8s('client/status-error', 'controller/runtime.scripted'),
    id: 'c25-patch-that-does-not-fit-waits-for-the-floor',
    find: `return said && saysPatchDoesNotFit(said) ? 'conflict' : 'invalid';`,
    replace: `return 'invalid';`,
    name: 'C25',
    why: 'a failed test of a JSON patch means: read again, decide again',
  },
  {
    ...runtime,
    id: 'c48-grace-without-leadership',
    find: 'if (each.fence.certainFor() > 0) continue;',
    replace: 'continue;',
    name: 'without leadership nothing gets a grace time',
    why: 'who lost the lease stops at once',
  },
];
