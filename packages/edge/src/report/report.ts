/**
 * What an extension server says of its calls. A stream begins with everything it answered last, then says that this was all, then tells of
 * each call as it happens.
 */
import type { DurationMs, Outcome } from '@lifeline/core';

/** What became of one Gateway in one answered call. */
export interface ReportRow {
  readonly namespace: string;
  readonly name: string;
  /** The stamp that the call carried; `''` for none. */
  readonly stamp: string;
  /** The intent that was programmed; `none` when the answer holds no connector of it. */
  readonly intent: string;
  readonly outcome: Outcome;
  /** `''` when all went well. */
  readonly reason: string;
}

/** Where a call stands. `answered` only after the stream to the caller closed without a reset; `aborted`: it was reset, or the caller went. */
export type CallPhase = 'started' | 'answered' | 'failed' | 'aborted';

/** One call, as it stands now. */
export interface CallReport {
  readonly at: 'call';
  /** Of the server process: new at every start. */
  readonly replica: string;
  /** Counts the calls of this process. */
  readonly call: number;
  /** The Envoy Gateway process: its peer IP address, or `unix`. */
  readonly caller: string;
  readonly phase: CallPhase;
  /**
   * Names the set of Gateways that the call was about: equal sets have equal names. `''` when the request could not be read.
   * What is said is about all Gateways of its group, also those for which it has no row because their row is as it was.
   */
  readonly group: string;
  readonly indexRevision: number;
  /** Since this phase began, when the message was sent. */
  readonly ageMs: DurationMs;
  /** Of the intents: see core's `intentVersion`. */
  readonly digestVersion: number;
  /**
   * Of `answered`: what differs from the last rows of this replica, caller and group. Of `started`: when this caller was not yet told of this
   * group, a row for each of its Gateways with outcome `aborted`, which they are until it is answered. A call whose group is known only
   * later is said to have started twice.
   */
  readonly rows: readonly ReportRow[];
}

/** A connection of a caller, when it opens and when the last one of this caller closes. */
export interface CallerReport {
  readonly at: 'caller';
  readonly replica: string;
  readonly caller: string;
  readonly connected: boolean;
}

/** Everything of before was told. */
export interface SyncedReport {
  readonly at: 'synced';
  readonly replica: string;
  readonly digestVersion: number;
}

export type ReportMessage = CallReport | CallerReport | SyncedReport;

/** Where reports come from: this process, or another one's stream. */
export interface ReportSource {
  /** For logs. */
  readonly name: string;
  /**
   * Replay, `synced`, then what happens. Ends, or throws, when the stream breaks; the next call begins with a replay again.
   * @throws the signal's reason
   */
  watch(signal: AbortSignal): AsyncIterable<ReportMessage>;
}
