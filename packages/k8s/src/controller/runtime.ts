/** Runs a controller: from events to requests, from requests to reconciles, and on to what follows from how each one ended. */
import { deadlineAbort, DeadlineError, type DurationMs, linkAbort, type LinkedAbort, parseKey } from '@lifeline/core';
import type { Env, Log } from '../app/env.ts';
import { DelayingQueue } from '../queue/delaying-queue.ts';
import { exposeQueue, observeQueue } from '../queue/queue-metrics.ts';
import { type BackoffOptions, exponential, firstFailureMs, RateLimiter } from '../queue/rate-limiter.ts';
import type { WorkItem } from '../queue/work-queue.ts';
import { controllerMetrics, type ControllerMetrics } from './controller-metrics.ts';
import type { Controller, ReconcileContext } from './define-controller.ts';
import { createEventRecorder, type EventRecorder } from './event-recorder.ts';
import type { Fence, FenceOf } from './fence.ts';
import { runFloor } from './floor.ts';
import { onlyName } from './only-name.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { Parking } from './parking.ts';
import { recordIn, scopedCluster } from './scoped-cluster.ts';
import { Subscriptions } from './subscriptions.ts';
import { WriteGuard } from './write-guard.ts';

export interface RunOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log' | 'metrics'>;
  /** Of each request, by its cluster. */
  readonly fence: FenceOf;
  /** Writes the Events; controllers of one app share one. Default: one of its own, with the controller's name for the replica's. */
  readonly recorder?: EventRecorder | undefined;
  /** Stops the controller: nothing new is begun, and what runs gets `graceMs` to end by itself. */
  readonly signal: AbortSignal;
  /** After this long the signals of running reconciles abort too; those without leadership, at once: they could write nothing. Default 10 s. */
  readonly graceMs?: DurationMs | undefined;
}

const defaultGraceMs: DurationMs = 10_000;

/**
 * The least time between two tries of one request when the first failed or wrote, whatever is added meanwhile: at most ten a second. A
 * write brings an event of its own: that, and what others do to the object in answer, are seen in one look afterwards. It is for that
 * alone: a cache may be behind our own write for longer, and what is urgent does not wait for it after a write.
 */
const spacingMs: DurationMs = 100;

/**
 * The pause after a conflict: 100 to 150 ms for the first ten in a row, then longer by 15 ms for each. Short enough for a writer that
 * will stop, and a conflict that never ends is not asked for ten times a second for ever (an hour of it: about six seconds).
 */
const conflictPace: BackoffOptions = { delayMs: (conflicts) => Math.max(150, 15 * (conflicts + 1)), jitter: 1 / 3 };

/** Whoever forbids something for longer means it. */
const soonMs: DurationMs = 10_000;

/** A change cuts a pause after conflicts short to this, since it may be what ends them. */
const longestConflictHoldMs: DurationMs = 1500;

/** A result that asks for less gets this: a reconcile that always wants to run again must not stop the clock. */
const leastAfterMs: DurationMs = 1;

/**
 * Resolves when the signal has aborted and every reconcile has ended.
 *
 * Guarantees: a request is never worked on twice at a time; one whose object changed is looked at after that change, unless its cluster
 * goes; every cached object is looked at again at the pace of the floor. Nothing is left behind: no timer, no subscription, no request.
 * Caveat: a reconcile that ignores its signal keeps its request, and `runController`, for as long as it likes.
 */
export async function runController(controller: Controller, options: RunOptions): Promise<void> {
  if (!options.signal.aborted) await new ControllerRun(controller, options).run();
}

interface Running {
  readonly life: LinkedAbort;
  readonly fence: Fence;
  /** The controller is to end, and it can write nothing any more. */
  stopped: boolean;
}

class ControllerRun {
  readonly #controller: Controller;
  readonly #options: RunOptions;
  readonly #log: Log;
  readonly #guard: WriteGuard;
  readonly #failures: RateLimiter;
  /** Of those for which trying may not help. */
  readonly #refusals: RateLimiter;
  /** Conflicts in a row. Counted apart: somebody else's diligence is not our failure. */
  readonly #conflicts: RateLimiter;
  readonly #queue: DelayingQueue;
  readonly #parking: Parking<WorkItem>;
  readonly #metrics: ControllerMetrics;
  readonly #subscriptions: Subscriptions;
  readonly #recorder: EventRecorder;
  /** Aborts what runs. */
  readonly #life = linkAbort();
  readonly #running = new Set<Running>();

  constructor(controller: Controller, options: RunOptions) {
    const { clock, random, log, metrics } = options.env;
    this.#controller = controller;
    this.#options = options;
    this.#log = log.child({ controller: controller.name });
    this.#guard = new WriteGuard(controller);
    this.#failures = new RateLimiter(random);
    this.#refusals = new RateLimiter(random, { delayMs: exponential(firstFailureMs, controller.floorMs) });
    this.#conflicts = new RateLimiter(random, conflictPace);
    this.#queue = new DelayingQueue({ clock, observer: observeQueue(metrics, controller.name) });
    this.#recorder = options.recorder ?? createEventRecorder({ ...options.env, instance: controller.name });
    this.#parking = new Parking<WorkItem>({ clock, replay: (work, since) => this.#replay(work, since) });
    this.#metrics = controllerMetrics(metrics, controller.name, () => this.#parking.size);
    this.#subscriptions = new Subscriptions({
      watches: controller.watches,
      enqueue: (request, lane) => this.#queue.add(request, lane),
      gone: (cluster) => this.#drop(cluster),
    });
  }

  async run(): Promise<void> {
    const { env, signal, graceMs = defaultGraceMs } = this.#options;
    const { clock, random, metrics } = env;
    const { name, workers, floorMs } = this.#controller;
    using intake = new DisposableStack();
    intake.defer(() => this.#queue.shutdown());
    intake.use(this.#subscriptions);
    intake.use(this.#parking);
    intake.use(this.#metrics);
    intake.use(exposeQueue(metrics, name, this.#queue));
    intake.use(runFloor({ clock, random, floorMs, visit: (hasTurn) => this.#visit(hasTurn) }));

    using ending = new DisposableStack();
    ending.defer(() => this.#life.abort(new Error('the controller has ended')));
    const stop = (): void => {
      intake.dispose();
      for (const each of this.#running) {
        if (each.fence.certainFor() > 0) continue;
        each.stopped = true;
        each.life.abort(signal.reason);
      }
      ending.use(clock.timer(graceMs, () => this.#life.abort(signal.reason)));
    };
    signal.addEventListener('abort', stop, { once: true });
    ending.defer(() => signal.removeEventListener('abort', stop));
    await Promise.all(Array.from({ length: workers }, () => this.#work()));
  }

  async #work(): Promise<void> {
    for (let work = await this.#queue.get(); work; work = await this.#queue.get()) {
      this.#parking.leave(work);
      const log = this.#log.child({ cluster: work.cluster, ...parseKey(work.key) });
      this.#settle(work, await this.#reconcile(work, log), log);
      this.#queue.done(work);
    }
  }

  async #reconcile(work: WorkItem, log: Log): Promise<Outcome> {
    const { clock } = this.#options.env;
    const { deadlineMs, reconcile } = this.#controller;
    const fence = this.#options.fence(work.cluster);
    const ends = [this.#life.signal, ...this.#subscriptions.lives(work.cluster)];
    using _entered = fence.enter?.();
    using life = deadlineAbort(clock, deadlineMs, ...ends);
    const running: Running = { life, fence, stopped: false };
    const started = clock.monotonic();
    this.#metrics.began();
    let outcome: Outcome;
    let wrote = false;
    const again = (): void => this.#queue.add(work);
    const context = this.#context(fence, life.signal, { log, again, onWrite: () => (wrote = true) });
    this.#running.add(running);
    try {
      const result = await reconcile({ cluster: work.cluster, key: work.key }, context);
      outcome = { at: 'done', after: result?.after, wrote };
    } catch (error) {
      // Past the deadline, whatever it throws is the deadline's doing.
      outcome = outcomeOf(life.signal.reason instanceof DeadlineError ? life.signal.reason : error);
    } finally {
      this.#running.delete(running);
    }
    if (running.stopped || ends.some(({ aborted }) => aborted)) outcome = { at: 'stopped' };
    this.#metrics.ended(outcome, clock.monotonic() - started);
    return outcome;
  }

  #context(
    fence: Fence,
    signal: AbortSignal,
    options: Pick<ReconcileContext, 'log' | 'again'> & { readonly onWrite: () => void },
  ): ReconcileContext {
    const { clock } = this.#options.env;
    const { log, again, onWrite } = options;
    const scope = {
      controller: this.#controller,
      guard: this.#guard,
      recorder: this.#recorder,
      life: this.#life.signal,
      clock,
      fence,
      onWrite,
    };
    return {
      clock,
      signal,
      log,
      again,
      cluster: (provider, name) => scopedCluster(provider, name ?? onlyName(provider), scope),
      record: recordIn,
    };
  }

  /** The one place that decides what follows from how a reconcile ended. */
  #settle(work: WorkItem, outcome: Outcome, log: Log): void {
    const { lane } = work;
    switch (outcome.at) {
      case 'done':
        this.#forgive(work);
        if (outcome.wrote) this.#queue.rest(work, spacingMs);
        if (outcome.after !== undefined) this.#queue.addAfter(work, Math.max(leastAfterMs, outcome.after));
        return;
      case 'conflict': {
        log.debug({ error: outcome.error }, 'somebody else wrote first: looks again');
        const afterMs = this.#conflicts.next(work);
        return this.#queue.retry(work, { afterMs, holdMs: Math.min(afterMs, longestConflictHoldMs), lane });
      }
      case 'failed': {
        const { error, expected, untilFloor, notBeforeMs } = outcome;
        const limiter = untilFloor ? this.#refusals : this.#failures;
        const afterMs = limiter.next(work);
        const fields = {
          error,
          failures: limiter.failures(work),
          afterMs: Math.round(Math.max(afterMs, notBeforeMs)),
        };
        if (expected) log.warn(fields, 'reconcile failed: tries again');
        else
          log.error(
            { ...fields, stack: error instanceof Error ? error.stack : undefined },
            'reconcile threw: tries again',
          );
        // What will hardly ever work is before nothing that may.
        const behind = untilFloor && afterMs > soonMs ? 'resync' : lane;
        return this.#queue.retry(work, { afterMs, holdMs: Math.max(spacingMs, notBeforeMs), lane: behind });
      }
      case 'slow':
        log.warn({ error: outcome.error }, 'reconcile failed: tries again at the floor');
        this.#forgive(work);
        return this.#queue.retry(work, { afterMs: this.#floorMs(), holdMs: spacingMs, lane: 'resync' });
      case 'parked':
        log.debug({ error: outcome.error }, 'cluster is not ready: waits for it');
        if (!this.#parking.park(work, outcome.error)) this.#metrics.turnedAway();
        return;
      case 'terminal':
        log.error({ error: outcome.error }, 'reconcile cannot succeed: waits for a change');
        return this.#forgive(work);
      case 'stopped':
        this.#forgive(work);
        // Its cluster is gone, and may be there again already; or another plane has one of that name.
        if (this.#subscriptions.lives(work.cluster).length > 0) this.#queue.add(work, lane);
        return;
    }
  }

  #forgive(work: WorkItem): void {
    this.#failures.forget(work);
    this.#refusals.forget(work);
    this.#conflicts.forget(work);
  }

  /** A parked request goes on; not at once if it was parked just now, so that a readiness that flickers cannot make it spin. */
  #replay(work: WorkItem, since: number): void {
    const waitedMs = this.#options.env.clock.monotonic() - since;
    this.#queue.addAfter(work, spacingMs - waitedMs, work.lane);
  }

  #visit(hasTurn: (cluster: string, key: string) => boolean): void {
    for (const request of this.#subscriptions.requests(hasTurn)) this.#queue.add(request, 'resync');
    this.#parking.expire(2 * this.#controller.floorMs);
  }

  /** A cluster is gone: nothing of it waits any more. */
  #drop(cluster: string): void {
    this.#queue.drop(cluster);
    this.#parking.drop(cluster);
    this.#failures.drop(cluster);
    this.#refusals.drop(cluster);
    this.#conflicts.drop(cluster);
  }

  #floorMs(): DurationMs {
    return this.#controller.floorMs * (0.9 + 0.2 * this.#options.env.random.next());
  }
}
