/** What an oracle is. */
import type { DurationMs } from '@lifeline/core';
import type { Delivery } from '../world/deliveries.ts';
import type { Sent, Write } from '../world/record.ts';
import type { HookCall } from '../edge/hook.ts';
import type { OracleId } from './catalogue.ts';
import type { Subject } from './subject.ts';
import type { Truth } from './truth.ts';

/** Something that should not be. */
export interface Finding {
  readonly oracle: OracleId;
  readonly app: string;
  readonly message: string;
  readonly at: number;
  /** The write that it was found at. */
  readonly write?: Write | undefined;
}

/** A write of a subject's. */
export interface OwnWrite extends Write {
  readonly by: Sent;
}

/** A span in which nothing changed and nothing went wrong. */
export interface IdleSpan {
  readonly ms: DurationMs;
  /** All writes in it, whoever made them. */
  readonly writes: readonly Write[];
  /** Requests that the subject's replicas sent in it. */
  readonly sent: readonly Sent[];
}

/** What an oracle listens to in one world, for one subject. Must not write, and must not throw. */
export interface Ears {
  readonly ownWrite?: ((write: OwnWrite) => void) | undefined;
  readonly anyWrite?: ((write: Write) => void) | undefined;
  readonly delivery?: ((delivery: Delivery) => void) | undefined;
  readonly sent?: ((sent: Sent) => void) | undefined;
  readonly settled?: ((sent: Sent) => void) | undefined;
  readonly hookCall?: ((call: HookCall) => void) | undefined;
  /** What is not yet, or wrongly, as it should be in the end. Asked again and again until nothing is left, or the bound has passed. */
  readonly pending?: (() => readonly string[]) | undefined;
  readonly idle?: ((span: IdleSpan) => void) | undefined;
}

export interface OracleContext {
  readonly subject: Subject;
  readonly truth: Truth;
  readonly report: (message: string, write?: Write) => void;
}

export interface Oracle {
  readonly id: OracleId;
  /** Whether the subject has what this oracle is about. */
  readonly has: (subject: Subject) => boolean;
  readonly attach: (context: OracleContext) => Ears;
}
