/** Envoy's API as data: reads hook messages into readable JSON and back. For tests and tools, never on the hot path. */
export { envoyRegistry } from './descriptors.ts';
export { equalAnyBytes, equalMessages } from './equal.ts';
export { EnvoyApiError, type EnvoyApiErrorCode } from './error.ts';
export { formKeys, typeUrl } from './forms.ts';
export { decodeRequest, decodeResponse, encodeRequest, encodeResponse, hookTypes } from './hook.ts';
export { type MapPlace, type MapPlaces, mapPlaces } from './map-places.ts';
export { decodeMessage } from './read.ts';
export { brokenRules } from './rules.ts';
export { encodeMessage } from './write.ts';
