import { PlatformError } from '@lifeline/core';

/**
 * Why a call has no answer. Envoy Gateway keeps what it has and does not ask again by itself.
 * - `invalid-argument`: the request cannot be read
 * - `resource-exhausted`: the answer is over the message limit
 * - `deadline-exceeded`: it ran for too long
 * - `internal`: a fault of ours
 */
export type HookErrorCode = 'invalid-argument' | 'resource-exhausted' | 'deadline-exceeded' | 'internal';

export class HookError extends PlatformError<HookErrorCode> {}
