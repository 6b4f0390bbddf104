import type { JsonObject } from '@lifeline/core';
import { decodeMessage } from './read.ts';
import { encodeMessage } from './write.ts';

/** Types that the hook carries. */
export const hookTypes = {
  request: 'envoygateway.extension.PostTranslateModifyRequest',
  response: 'envoygateway.extension.PostTranslateModifyResponse',
  cluster: 'envoy.config.cluster.v3.Cluster',
  secret: 'envoy.extensions.transport_sockets.tls.v3.Secret',
  listener: 'envoy.config.listener.v3.Listener',
  routes: 'envoy.config.route.v3.RouteConfiguration',
} as const;

/** A `PostTranslateModifyRequest` as JSON. @throws EnvoyApiError as {@link decodeMessage} */
export const decodeRequest = (bytes: Uint8Array): JsonObject => decodeMessage(hookTypes.request, bytes);

/** The bytes of a `PostTranslateModifyRequest`. @throws EnvoyApiError as {@link encodeMessage} */
export const encodeRequest = (json: JsonObject): Uint8Array<ArrayBuffer> => encodeMessage(hookTypes.request, json);

/** A `PostTranslateModifyResponse` as JSON. @throws EnvoyApiError as {@link decodeMessage} */
export const decodeResponse = (bytes: Uint8Array): JsonObject => decodeMessage(hookTypes.response, bytes);

/** The bytes of a `PostTranslateModifyResponse`. @throws EnvoyApiError as {@link encodeMessage} */
export const encodeResponse = (json: JsonObject): Uint8Array<ArrayBuffer> => encodeMessage(hookTypes.response, json);
