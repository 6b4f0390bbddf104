/** The trace that a caller's call belongs to. @see https://www.w3.org/TR/trace-context/#traceparent-header */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Of the caller's span, 16 hex digits. */
  readonly parentSpanId: string;
}

/** Undefined without one, and for one that cannot be read. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(
    text ?? '',
  );
  return match ? { traceId: match[1] as string, parentSpanId: match[2] as string } : undefined;
}
