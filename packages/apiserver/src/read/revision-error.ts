/** What a server says of revisions that it cannot read at. */
import { ApiError } from '../api-error.ts';

/** It has not seen that revision yet. */
export const tooLargeRevision = (asked: number, current: number): ApiError =>
  new ApiError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

/** @param continuation a token that goes on with what there is now, for clients that prefer a mixed list to none */
export const expired = (message: string, continuation?: string): ApiError =>
  new ApiError({
    code: 410,
    reason: 'Expired',
    message,
    metadata: continuation === undefined ? {} : { continue: continuation },
  });
