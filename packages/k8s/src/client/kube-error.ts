/** What can go wrong with an API server, in one closed list, with its fate. */
import { type DurationMs, PlatformError } from '@lifeline/core';

export type KubeErrorCode =
  /** The object moved on under us (409). Read again, decide again. */
  | 'conflict'
  /** 409 with reason AlreadyExists. */
  | 'already-exists'
  /** 410 or an in-stream Expired: the revision or continue token is too old. List again. */
  | 'gone'
  /** 404 with a `Status` that names the object: it is absent. */
  | 'not-found'
  /** 404 without such a `Status`: the kind is not served (or a proxy answered). Proves nothing about objects. */
  | 'kind-missing'
  /** 400, 422 and other requests that the server will never take as they are: of the 500s, an apply that its schema refuses. */
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  /** 403 because the namespace is going away. */
  | 'namespace-terminating'
  /** 429. */
  | 'throttled'
  /** 413. */
  | 'too-large'
  /** 5xx, connection failures, early ends: it may or may not have happened. */
  | 'unavailable'
  /** Our own deadline for the call passed: it may or may not have happened. */
  | 'timeout'
  /** A 2xx answer that is not the Kubernetes object or stream that was asked for. */
  | 'malformed'
  /** Refused on our side: not declared in the controller's `writes`. A bug of ours. */
  | 'not-declared'
  /** Refused on our side: the leadership that allows the write is not certain any more. */
  | 'fenced';

export interface KubeErrorOptions extends ErrorOptions {
  /** HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** `reason` of the `Status`. */
  readonly reason?: string | undefined;
  /** Not before this long from now. */
  readonly retryAfterMs?: DurationMs | undefined;
  /** `details.causes` of the `Status`, as `field: message`. */
  readonly causes?: readonly string[] | undefined;
  /** A fresh `metadata.continue` that came with a 410. */
  readonly continueToken?: string | undefined;
}

export class KubeError extends PlatformError<KubeErrorCode> {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly retryAfterMs: DurationMs | undefined;
  readonly causes: readonly string[];
  readonly continueToken: string | undefined;

  constructor(code: KubeErrorCode, message: string, options: KubeErrorOptions = {}) {
    super(code, message, options);
    this.status = options.status;
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
    this.causes = options.causes ?? [];
    this.continueToken = options.continueToken;
  }
}

export const isKubeError = (error: unknown, ...codes: readonly KubeErrorCode[]): error is KubeError =>
  error instanceof KubeError && (codes.length === 0 || codes.includes(error.code));

/**
 * What a reconcile that failed with a code does next. `now`: decide again after a short fixed delay (somebody else wrote first);
 * `backoff`: later and later; `slow`: at the pace of a floor, since only a change elsewhere can help; `backoff-to-slow`: later and later, up to
 * the pace of a floor, since it may be nothing: an API server that has just started knows no roles yet, and forbids everybody everything.
 */
export const retryOf: Readonly<Record<KubeErrorCode, 'now' | 'backoff' | 'backoff-to-slow' | 'slow'>> = {
  conflict: 'now',
  'already-exists': 'now',
  gone: 'now',
  'not-found': 'now',
  'kind-missing': 'slow',
  invalid: 'slow',
  unauthorized: 'backoff',
  forbidden: 'backoff-to-slow',
  'namespace-terminating': 'backoff',
  throttled: 'backoff',
  'too-large': 'slow',
  unavailable: 'backoff',
  timeout: 'backoff',
  malformed: 'backoff',
  'not-declared': 'slow',
  fenced: 'backoff',
};
