/** Takes the steps of a schedule, each at its time, and puts right what it let go wrong. */
import { type DurationMs, seeded } from '@lifeline/core';
import { injectedFault } from '../faults/all-faults.ts';
import type { FaultId } from '../faults/catalogue.ts';
import { isElection } from '../faults/on-write.ts';
import type { Act } from '../schedule/scenario.ts';
import { type ActStep, type AfterWrite, type FaultStep, formatStep, type Step } from '../schedule/step.ts';
import type { World } from '../world/world.ts';

export interface InjectorOptions {
  readonly world: World;
  readonly acts: Readonly<Record<string, Act>>;
  /** Of the steps' own streams. */
  readonly seed: string;
}

interface Waiting {
  readonly after: AfterWrite;
  readonly begin: () => void;
}

export class Injector {
  /** How often each fault did something. */
  readonly fired = new Map<FaultId, number>();
  readonly #options: InjectorOptions;
  readonly #timers = new Set<Disposable>();
  readonly #active = new Map<FaultStep, Disposable>();
  readonly #acting = new Set<Promise<void>>();
  #waiting: Waiting[] = [];
  readonly #written = new Map<string, number>();

  constructor(options: InjectorOptions, steps: readonly Step[]) {
    this.#options = options;
    for (const step of steps) this.#arm(step);
    options.world.wires.observe({
      settled: (sent) => {
        if (sent.incarnation > 0 && sent.writes.length > 0 && !isElection(sent)) this.#wrote(sent.actor);
      },
    });
  }

  /** Acts that have not ended. */
  get acting(): Promise<unknown> {
    return Promise.allSettled(this.#acting);
  }

  count(fault: FaultId): void {
    this.fired.set(fault, (this.fired.get(fault) ?? 0) + 1);
  }

  /** Nothing begins any more, and what goes wrong is put right, in the order in which it began. */
  heal(): void {
    this.#waiting = [];
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
    for (const step of [...this.#active.keys()]) this.#end(step);
  }

  #arm(step: Step): void {
    const begin = (): void => (step.step === 'act' ? this.#act(step) : this.#begin(step));
    const { at } = step;
    if (typeof at === 'number') this.#after(at, begin);
    else if (step.step === 'fault' && injectedFault(step.fault).countsWrites) begin();
    else this.#waiting.push({ after: at, begin });
  }

  #wrote(replica: string): void {
    const count = (this.#written.get(replica) ?? 0) + 1;
    this.#written.set(replica, count);
    const now = this.#waiting.filter(({ after }) => after.replica === replica && after.nth === count);
    if (now.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => !now.includes(each));
    for (const { begin } of now) begin();
  }

  #act(step: ActStep): void {
    const { world, acts, seed } = this.#options;
    const act = acts[step.act];
    if (!act) throw new TypeError(`no act ${step.act}`);
    world.trace.note(world.clock.monotonic(), formatStep(step));
    if (step.fault) this.count(step.fault);
    const acting = act(world, step.args, seeded(`${seed}/step/${step.id}`)).finally(() => this.#acting.delete(acting));
    // Who still waits when the world ends waits for a plane that cannot be reached.
    world.spawn(acting);
    this.#acting.add(acting);
  }

  #begin(step: FaultStep): void {
    const { world, seed } = this.#options;
    const random = seeded(`${seed}/step/${step.id}`);
    world.trace.note(world.clock.monotonic(), formatStep(step));
    const site = { world, step, random, fired: () => this.count(step.fault) };
    const active = injectedFault(step.fault).begin(site);
    if (!active) return;
    this.#active.set(step, active);
    if (!injectedFault(step.fault).countsWrites) this.#after(step.forMs, () => this.#end(step));
  }

  #end(step: FaultStep): void {
    const { trace, clock } = this.#options.world;
    const active = this.#active.get(step);
    if (!this.#active.delete(step)) return;
    trace.note(clock.monotonic(), `#${step.id} ends`);
    active?.[Symbol.dispose]();
  }

  #after(ms: DurationMs, act: () => void): void {
    const timer = this.#options.world.clock.timer(ms, () => {
      this.#timers.delete(timer);
      act();
    });
    this.#timers.add(timer);
  }
}
