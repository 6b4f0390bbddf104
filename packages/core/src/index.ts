export { abortable, DeadlineError, deadlineAbort, linkAbort, type LinkedAbort } from './abort.ts';
export { describeError, PlatformError, TerminalError } from './errors.ts';
export { type Int64, JsonNumber, type JsonObject, type JsonValue } from './json/value.ts';
export { defineKind, type Kind, type KindObject, type KindSpec, type PrinterColumn } from './kinds/kind.ts';
export {
  int64,
  isDeleting,
  keyOf,
  type KubeObject,
  objectKey,
  type ObjectKey,
  type ObjectMeta,
  objectMetaSchema,
  type ObjectName,
  type OwnerReference,
  ownerReferenceSchema,
  parseKey,
} from './meta/object.ts';
export { type Random, seeded, systemRandom } from './random.ts';
export {
  type Clock,
  type DurationMs,
  type EpochMs,
  epochMs,
  later,
  type MonotonicMs,
  monotonicMs,
  sleepWith,
  systemClock,
} from './time.ts';
export {
  bodyOf,
  intercept,
  readAll,
  type Transport,
  type TransportInterceptor,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
