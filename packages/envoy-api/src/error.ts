import { PlatformError } from '@lifeline/core';

/**
 * - `unknown-type`: no message of that name among the descriptors
 * - `unreadable`: the bytes are no message of that type
 * - `invalid`: the JSON is none; the message says where
 */
export type EnvoyApiErrorCode = 'unknown-type' | 'unreadable' | 'invalid';

export class EnvoyApiError extends PlatformError<EnvoyApiErrorCode> {}
