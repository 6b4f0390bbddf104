/** Spans as OpenTelemetry's collectors take them over HTTP. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp */
import { type DurationMs, type EpochMs, type JsonObject, type JsonValue, stringifyJson } from '@lifeline/core';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly startedAt: EpochMs;
  readonly durationMs: DurationMs;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed, if it did. */
  readonly error?: string | undefined;
}

/** Numbers of the protocol's enums. */
const kinds = { server: 2 } as const;
const statusCodes = { ok: 1, error: 2 } as const;

/** The body of one export request. */
export function exportRequest(spans: readonly Span[], resource: Readonly<Record<string, string>>): Uint8Array {
  const scopeSpans = [{ scope: { name: 'lifeline' }, spans: spans.map(spanJson) }];
  const json = { resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] };
  return new TextEncoder().encode(stringifyJson(json));
}

function spanJson({ name, traceId, spanId, parentSpanId, startedAt, durationMs, ...span }: Span): JsonObject {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kinds.server,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + durationMs),
    attributes: attributesJson(span.attributes),
    status: span.error === undefined ? { code: statusCodes.ok } : { code: statusCodes.error, message: span.error },
  };
}

/** 64-bit integers are text in protobuf's JSON. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const attributesJson = (attributes: Readonly<Record<string, string | number | boolean>>): JsonValue[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }));

function valueJson(value: string | number | boolean): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
