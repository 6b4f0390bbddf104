/** What the hook asks of the edit: bytes in, bytes out, at once. Whatever is wrong with one object is contained, never thrown. */
import { type DurationMs, type ObjectKey, PlatformError } from '@lifeline/core';
import type { ReportRow } from '@lifeline/edge';

/** The request cannot be read: nothing of it is answered. */
export class InvalidRequest extends PlatformError<'invalid-request'> {
  constructor(message: string, options?: ErrorOptions) {
    super('invalid-request', message, options);
  }
}

/** A Gateway that the request is about. */
export interface SeenGateway {
  /** `namespace/name`. */
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly name: string;
  /** As the request has it; undefined for none. A Gateway without routes has no virtual host, and is not seen. */
  readonly stamp: string | undefined;
}

/** How much was there and what was changed, for the log. */
export interface EditCounts {
  readonly clusters: number;
  readonly listeners: number;
  readonly routeConfigs: number;
  /** Clusters that lead into a tunnel. */
  readonly clustersReplaced: number;
  /** Connector clusters that no route leads to any more. */
  readonly clustersOffline: number;
  /** Routes that answer 503 in place of a connector. */
  readonly connectorOfflineRoutes: number;
  /** Virtual hosts with a route to a connector, online or not. */
  readonly vhostsConnectorApplied: number;
  /** The sum of {@link Answer.containedBy}. */
  readonly contained: number;
  /** Virtual hosts whose edit was taken back. */
  readonly rolledBack: number;
}

export interface Answer {
  /** Of a PostTranslateModifyResponse. To be read only, and until {@link release}: the editor takes from it what comes again. */
  readonly bytes: Uint8Array;
  /** Whoever has the bytes needs them no more: a later answer may be written over them. Memory of what is never released is not used again. */
  readonly release: () => void;
  /** One for each Gateway seen, in the order of the request. */
  readonly rows: readonly ReportRow[];
  readonly counts: EditCounts;
  /** What was left alone or programmed offline for a reason of the edge itself, by reason. */
  readonly containedBy: ReadonlyMap<string, number>;
  /** Of the index that was read. */
  readonly indexRevision: number;
  readonly phases: Readonly<Record<'clusters' | 'routes' | 'validate' | 'quiet', DurationMs>>;
}

/** A request that was read. */
export interface Edit {
  /** Each once, in the order of the request. */
  readonly gateways: readonly SeenGateway[];
  /** Edits with the index as it is now. */
  answer(): Answer;
}

export interface Editor {
  /**
   * Reads a `PostTranslateModifyRequest`. The bytes must not change any more: what comes again is known by them.
   * @param forgotten called once they are not read any more. A request that was not answered is not told of
   * @throws InvalidRequest
   */
  open(request: Uint8Array, forgotten?: () => void): Edit;
}
