/** What the suite is run against, and what a case may ask of it. */
import type { Clock, Random, Transport } from '@lifeline/core';

/** Who asks. `nobody` sends a token that the server does not know. */
export type Caller = 'admin' | 'plain' | 'nobody';

export interface Credentials {
  /** Bearer token of someone who may do everything. None: requests carry no credentials. */
  readonly admin?: string | undefined;
  /** Bearer token of a known user without any rights beyond those of everybody. Needs authorization to be on. */
  readonly plain?: string | undefined;
}

export interface Capabilities {
  /** Owner garbage collection and namespace termination run. */
  readonly controllers: boolean;
  /** Makes the server forget all history up to now. */
  readonly compact?: (() => Promise<void>) | undefined;
  /** Ends the server and starts it again on the same store. */
  readonly restart?: (() => Promise<void>) | undefined;
}

/** A control plane. It may hold anything else, and others may write to it meanwhile. */
export interface Target {
  readonly transport: Transport;
  /** The same without undoing content encodings, for cases about them. */
  readonly encoded?: Transport | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Deadlines run on it. Default: the real one. */
  readonly clock?: Clock | undefined;
  /** Names of a run come from it. Default: unpredictable. */
  readonly random?: Random | undefined;
  readonly can: Capabilities;
}

/**
 * `tokens`: who is unknown is refused. `rbac`: there is a user without rights. `encoding`: bodies as they came over the wire can be seen.
 */
export type Need = 'controllers' | 'compact' | 'restart' | 'tokens' | 'rbac' | 'encoding';

const has: Readonly<Record<Need, (target: Target) => boolean>> = {
  controllers: ({ can }) => can.controllers,
  compact: ({ can }) => can.compact !== undefined,
  restart: ({ can }) => can.restart !== undefined,
  tokens: ({ credentials }) => credentials.admin !== undefined,
  rbac: ({ credentials }) => credentials.plain !== undefined,
  encoding: ({ encoded }) => encoded !== undefined,
};

/** What a target lacks of what a case needs, in the order of the case. */
export const missingNeeds = (target: Target, needs: readonly Need[]): readonly Need[] =>
  needs.filter((need) => !has[need](target));
