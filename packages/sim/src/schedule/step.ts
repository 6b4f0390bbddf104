/** A schedule: all that happens to a world, as plain values. It can be printed, shortened and run again. */
import type { DurationMs, JsonObject } from '@lifeline/core';
import type { FaultId } from '../faults/catalogue.ts';

/** After the `nth` effective write of a replica, counted from 1 over all its processes. */
export interface AfterWrite {
  readonly replica: string;
  readonly nth: number;
}

/** Something that a user does. */
export interface ActStep {
  /** Stands for the step when a schedule is shortened: it never changes. */
  readonly id: number;
  readonly step: 'act';
  readonly at: DurationMs | AfterWrite;
  /** A name in the scenario's acts. */
  readonly act: string;
  readonly args: JsonObject;
  /** The fault that it is, when users are what goes wrong. */
  readonly fault?: FaultId | undefined;
}

/** Something that goes wrong, from a moment on and for a while. */
export interface FaultStep {
  readonly id: number;
  readonly step: 'fault';
  readonly at: DurationMs | AfterWrite;
  readonly fault: FaultId;
  readonly forMs: DurationMs;
  /** What the fault drew for itself: which replica, which plane, how hard. */
  readonly args: JsonObject;
}

export type Step = ActStep | FaultStep;

export interface Schedule {
  /** Decides what is drawn while the schedule runs; steps draw from streams of their own, by their ids. */
  readonly seed: string;
  /** What the world is like, as the scenario drew it: sizes, knobs. */
  readonly shape: JsonObject;
  readonly steps: readonly Step[];
  /** When the storm ends. */
  readonly stormMs: DurationMs;
  /** What follows it. */
  readonly then: Aftermath;
}

/**
 * - `heal`: what is wrong is put right, and nothing goes wrong any more: all must be as it should be, and stay so.
 * - `dead-links`: but for the way to some planes: all that does not need them must be as it should be.
 * - `end`: nothing. What must always hold was all that was asked.
 */
export type Aftermath =
  { readonly at: 'heal' } | { readonly at: 'dead-links'; readonly planes: readonly string[] } | { readonly at: 'end' };

/** The same schedule with some steps only. */
export const withSteps = (schedule: Schedule, steps: readonly Step[]): Schedule => ({ ...schedule, steps });

/** The fault-free twin: the same world and the same users. */
export const twinOf = (schedule: Schedule): Schedule => ({
  ...schedule,
  then: { at: 'heal' },
  steps: schedule.steps.filter(({ step }) => step === 'act'),
});

/** `12.5s F02 lost-reply {"replica":"a"}`. */
export function formatStep(step: Step): string {
  const when = typeof step.at === 'number' ? `${step.at / 1000}s` : `write ${step.at.nth} of ${step.at.replica}`;
  const args = JSON.stringify(step.args);
  return step.step === 'act'
    ? `#${step.id} ${when} ${step.act} ${args}`
    : `#${step.id} ${when} ${step.fault} for ${step.forMs / 1000}s ${args}`;
}
