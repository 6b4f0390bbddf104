import type { JsonObject } from '@lifeline/core';
import { badRequest } from '../api-error.ts';

/**
 * A body of `application/vnd.kubernetes.protobuf` as JSON, `apiVersion` and `kind` included.
 * @param expected the kind that the request is about, for the error
 * @throws ApiError 400
 */
export function decodeProtobuf(_body: Uint8Array, _expected: string): JsonObject {
  throw badRequest('not written yet');
}
