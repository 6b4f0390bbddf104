/** What an API server refuses, in its own words. */
import type { JsonObject, Kind } from '@lifeline/core';

export interface RefusalSpec {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: JsonObject;
  readonly metadata?: JsonObject;
  readonly headers?: Record<string, string>;
}

/** Thrown on the server's side; the client gets it as a `Status`. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: JsonObject;
  readonly headers: Record<string, string>;

  constructor({ headers = {}, ...status }: RefusalSpec) {
    super(status.message);
    this.code = status.code;
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
    this.headers = headers;
  }
}

export interface Target {
  readonly kind: Kind;
  readonly name?: string | undefined;
}

/** `details` that name an object; `kind` holds the plural, as on a real server. */
export const detailsOf = ({ kind, name }: Target, rest?: JsonObject): JsonObject => ({
  name,
  group: kind.group || undefined,
  kind: kind.plural,
  ...rest,
});

/** A refusal that names an object: `%` in the message stands for it. */
export function refused(target: Target, [code, reason]: readonly [number, string], message: string): Refusal {
  const { plural, group } = target.kind;
  const subject = `${group ? `${plural}.${group}` : plural} "${target.name}"`;
  return new Refusal({ code, reason, message: message.replace('%', subject), details: detailsOf(target) });
}

export const notFound = (target: Target): Refusal => refused(target, [404, 'NotFound'], '% not found');

export const alreadyExists = (target: Target): Refusal => refused(target, [409, 'AlreadyExists'], '% already exists');

export const conflict = (target: Target, why: string): Refusal =>
  refused(target, [409, 'Conflict'], `Operation cannot be fulfilled on %: ${why}`);

/** @param token continues a list at a newer revision */
export const expired = (token?: string): Refusal =>
  new Refusal({
    code: 410,
    reason: 'Expired',
    message: 'The resourceVersion or continue token of the request is too old',
    metadata: { continue: token },
  });

export const tooLarge = (asked: string, current: number): Refusal =>
  new Refusal({
    code: 504,
    reason: 'Timeout',
    message: `Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

/** A real server does not say which operation, nor which object. */
export const patchDoesNotFit = (): Refusal =>
  new Refusal({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });

export const noStreamingLists = (): Refusal =>
  new Refusal({
    code: 422,
    reason: 'Invalid',
    message:
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  });
