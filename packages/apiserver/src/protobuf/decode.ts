import type { JsonObject } from '@lifeline/core';
import { badRequest } from '../api-error.ts';

/** A body of `application/vnd.kubernetes.protobuf` as JSON. @throws ApiError 400 */
export function decodeProtobuf(_body: Uint8Array): JsonObject {
  throw badRequest('not written yet');
}
