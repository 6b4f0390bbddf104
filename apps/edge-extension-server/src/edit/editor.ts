/** What the hook asks of the edit: bytes in, bytes out, at once. */
import { type DurationMs, PlatformError } from '@lifeline/core';
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
  readonly key: string;
  /** As the request has it; undefined for none. */
  readonly stamp: string | undefined;
}

/** How much was there and what was changed, for the log. */
export interface EditCounts {
  readonly clusters: number;
  readonly listeners: number;
  readonly routeConfigs: number;
  readonly clustersReplaced: number;
  readonly clustersOffline: number;
  readonly connectorOfflineRoutes: number;
  readonly vhostsConnectorApplied: number;
  readonly contained: number;
  readonly rolledBack: number;
}

export interface Answer {
  /** Of a PostTranslateModifyResponse. The editor may use the memory again in its next call. */
  readonly bytes: Uint8Array;
  /** One for each Gateway of the request. */
  readonly rows: readonly ReportRow[];
  readonly counts: EditCounts;
  /** Faults that were kept to one object, by reason. */
  readonly containedBy: ReadonlyMap<string, number>;
  /** Of the index that was read. */
  readonly indexRevision: number;
  readonly phases: Readonly<Record<'clusters' | 'routes' | 'validate' | 'quiet', DurationMs>>;
}

/** A request that was read. */
export interface Edit {
  readonly gateways: readonly SeenGateway[];
  /** Edits with the index as it is now. Once. */
  answer(): Answer;
}

export interface Editor {
  /** @throws InvalidRequest */
  open(request: Uint8Array): Edit;
}
