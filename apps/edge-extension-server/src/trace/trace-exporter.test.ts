import { bodyOf, parseJsonBytes, seeded, type Transport, type TransportRequest } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { testEnv, type TestEnv } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTraceparent } from './trace-context.ts';
import { type Traced, TraceExporter } from './trace-exporter.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

it.each([
  { text: `00-${trace}-${parent}-01`, want: { traceId: trace, parentSpanId: parent } },
  { text: `cc-${trace}-${parent}-01-what-comes-later`, want: { traceId: trace, parentSpanId: parent } },
  { text: `ff-${trace}-${parent}-01`, want: undefined },
  { text: `00-${'0'.repeat(32)}-${parent}-01`, want: undefined },
  { text: `00-${trace}-${'0'.repeat(16)}-01`, want: undefined },
  { text: `00-${trace.toUpperCase()}-${parent}-01`, want: undefined },
  { text: `00-${trace}-${parent}-01x`, want: undefined },
  { text: undefined, want: undefined },
])('traceparent $text', ({ text, want }) => expect(parseTraceparent(text)).toEqual(want));

describe('the exporter of spans', () => {
  let clock: VirtualClock;
  let life: AbortController;
  let env: TestEnv;
  let requests: TransportRequest[];
  let status: number;
  let exporter: TraceExporter;
  let running: Promise<void>;
  beforeEach(() => {
    clock = new VirtualClock();
    life = new AbortController();
    env = testEnv({ clock, signal: life.signal });
    requests = [];
    status = 200;
    const transport: Transport = async (request) => {
      requests.push(request);
      return { status, headers: {}, body: bodyOf() };
    };
    exporter = new TraceExporter({
      ...env,
      clock,
      random: seeded('spans'),
      transport,
      endpoint: 'http://collector:4318',
      resource: { 'service.name': 'edge-extension-server' },
    });
    running = exporter.run(life.signal);
  });
  afterEach(async () => {
    life.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  const traced = (change: Partial<Traced> = {}): Traced => ({
    name: 'PostTranslateModify',
    startedAt: clock.now(),
    durationMs: 12.5,
    attributes: { caller: '10.0.0.1', clusters: 3, share: 0.5, merged: true },
    ...change,
  });
  const spans = (at: number): Record<string, unknown>[] => {
    const body = parseJsonBytes(requests[at]?.body as Uint8Array) as never as {
      resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    return body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
  };

  it('sends what was recorded every five seconds, in one request', async () => {
    exporter.record(traced({ traceparent: `00-${trace}-${parent}-01` }));
    exporter.record(traced({ error: 'oops' }));
    await clock.advance(5_000);
    expect(requests).toMatchObject([{ method: 'POST', url: 'http://collector:4318/v1/traces' }]);
    expect(spans(0)).toEqual([
      {
        traceId: trace,
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: parent,
        name: 'PostTranslateModify',
        kind: 2,
        startTimeUnixNano: '1767225600000000000',
        endTimeUnixNano: '1767225600012500000',
        attributes: [
          { key: 'caller', value: { stringValue: '10.0.0.1' } },
          { key: 'clusters', value: { intValue: '3' } },
          { key: 'share', value: { doubleValue: 0.5 } },
          { key: 'merged', value: { boolValue: true } },
        ],
        status: { code: 1 },
      },
      expect.objectContaining({
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        status: { code: 2, message: 'oops' },
      }),
    ]);
    expect(spans(0)[1]).not.toHaveProperty('parentSpanId');
    await clock.advance(20_000);
    expect(requests).toHaveLength(1);
  });

  it('sends what is left at the end', async () => {
    exporter.record(traced());
    life.abort();
    await running;
    expect(requests).toHaveLength(1);
  });

  it('leaves out what a collector does not take, says so once, and goes on', async () => {
    const warnings = (): number => env.lines.filter((line) => line.includes('spans were left out')).length;
    status = 503;
    for (let i = 0; i < 3; i++) {
      exporter.record(traced());
      await clock.advance(5_000);
    }
    expect(warnings()).toBe(1);
    status = 200;
    exporter.record(traced());
    await clock.advance(5_000);
    expect(spans(3)).toHaveLength(1);
  });

  it('keeps a thousand spans and no more', async () => {
    for (let i = 0; i < 1_500; i++) exporter.record(traced());
    await clock.advance(5_000);
    expect(spans(0)).toHaveLength(1_000);
  });
});
