import { beforeEach, describe, expect, it } from 'vitest';
import type { ReportMessage } from '@lifeline/edge';
import { HookScene, requestOf, type ScriptedRequest } from './editor.fixture.ts';
import type { Traced } from '../trace/trace-exporter.ts';
import type { HookCall } from './hook-call.ts';

interface Called {
  readonly call: HookCall;
  /** The length of the answer, or the error. */
  readonly replies: (number | string)[];
  cuts: number;
}

function begin(on: HookScene, request: ScriptedRequest | Buffer = {}, caller = '10.0.0.1'): Called {
  const called: { call?: HookCall; replies: (number | string)[]; cuts: number } = { replies: [], cuts: 0 };
  const call = on.hook.begin(caller, () => called.cuts++);
  call.run(Buffer.isBuffer(request) ? request : requestOf(request), (result) =>
    called.replies.push('bytes' in result ? result.bytes.length : result.error.message),
  );
  return Object.assign(called, { call });
}

/** What is told from now on. */
function watched(on: HookScene): ReportMessage[] {
  const told: ReportMessage[] = [];
  void (async () => {
    for await (const message of on.reports.watch(new AbortController().signal)) told.push(message);
  })();
  return told;
}

describe('a call of the hook', () => {
  let on: HookScene;
  beforeEach(() => void (on = new HookScene()));

  it('is answered with the edit, and reported when all of it went out', async () => {
    const told = watched(on);
    const { call, replies } = begin(on, { gateways: { 'ns/a': '' } });
    await on.clock.settle();
    expect(replies).toHaveLength(1);
    expect(told.map((message) => (message.at === 'call' ? message.phase : message.at))).toEqual([
      'synced',
      'started',
      'started',
    ]);
    call.ended('answered');
    await on.clock.settle();
    expect(told.at(-1)).toMatchObject({
      phase: 'answered',
      caller: '10.0.0.1',
      indexRevision: on.index.revision,
      rows: [{ namespace: 'ns', name: 'a', intent: on.index.intent('ns/a'), outcome: 'programmed' }],
    });
    expect(on.clock.pending).toBe(0);
  });

  it('leaves one line in the log, with everything that it was about', async () => {
    const { call } = begin(on, { gateways: { 'ns/a': '', 'ns/b': '' }, contained: 3 });
    await on.clock.advance(7);
    call.ended('answered');
    expect(on.logged()).toEqual([
      {
        level: 'info',
        time: '2026-01-01T00:00:00.007Z',
        msg: 'PostTranslateModify',
        caller: '10.0.0.1',
        outcome: 'answered',
        clusters: 2,
        listeners: 1,
        route_configs: 1,
        clusters_replaced: 2,
        clusters_offline: 0,
        connector_offline_routes: 0,
        vhosts_connector_applied: 2,
        contained: 3,
        rolled_back: 0,
        waited_ms: 0,
        bytes_in: requestOf({ gateways: { 'ns/a': '', 'ns/b': '' }, contained: 3 }).length,
        bytes_out: requestOf({ gateways: { 'ns/a': '', 'ns/b': '' }, contained: 3 }).length,
        duration_ms: 7,
        index_revision: on.index.revision,
      },
    ]);
  });

  it("is a span in its caller's trace, with what the log says", async () => {
    const traced: Traced[] = [];
    using with_ = new HookScene({ tracer: { record: (span) => traced.push(span) } });
    const { call } = begin(with_, { gateways: { 'ns/a': '' } });
    call.traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await with_.clock.advance(7);
    call.ended('answered');
    const failed = begin(with_, { fault: 'oops' });
    await with_.clock.settle();
    failed.call.ended('failed');
    expect(traced).toMatchObject([
      {
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        name: 'envoygateway.extension.EnvoyGatewayExtension/PostTranslateModify',
        durationMs: 7,
        error: undefined,
        attributes: {
          'rpc.system': 'grpc',
          'lifeline.caller': '10.0.0.1',
          'lifeline.clusters': 1,
          'lifeline.routes_ms': 2,
        },
      },
      { error: 'internal: oops', attributes: { 'lifeline.outcome': 'failed' } },
    ]);
  });

  it('is counted: times by phase and outcome, bytes, faults by reason', async () => {
    const first = begin(on, { gateways: { 'ns/a': '' }, contained: 3 });
    await on.clock.settle();
    first.call.ended('answered');
    const { call } = begin(on, { gateways: { 'ns/a': '' }, contained: 2 });
    await on.clock.settle();
    call.ended('aborted');
    const text = await on.env.metrics.text();
    for (const line of [
      'lifeline_hook_contained_total{reason="Skew"} 5',
      'lifeline_hook_bytes_count{direction="in"} 2',
      'lifeline_hook_bytes_count{direction="out"} 2',
      'lifeline_hook_duration_seconds_count{phase="total",outcome="answered"} 1',
      'lifeline_hook_duration_seconds_count{phase="total",outcome="aborted"} 1',
      'lifeline_hook_duration_seconds_count{phase="queue",outcome="answered"} 1',
      'lifeline_hook_duration_seconds_sum{phase="validate",outcome="aborted"} 0.003',
    ])
      expect(text).toContain(line);
  });

  it.each([
    { what: 'that cannot be read', request: Buffer.from('{'), want: 'invalid-argument: invalid-request: no JSON' },
    { what: 'whose edit throws', request: requestOf({ fault: 'oops' }), want: 'internal: oops' },
    {
      what: 'whose answer is over the limit',
      request: requestOf({ answerBytes: 1024 * 1024 + 1 }),
      want: 'resource-exhausted: the answer has 1048577 bytes, and 1048576 is the limit',
    },
    {
      what: 'whose edit takes 5 s',
      request: requestOf({ editMs: 5_000 }),
      want: 'deadline-exceeded: not done within 5000 ms',
    },
  ])('$what fails alone, is reported and logged', async ({ request, want }) => {
    const told = watched(on);
    const { call, replies } = begin(on, request);
    await on.clock.settle();
    expect(replies).toHaveLength(1);
    expect(String(replies[0])).toContain(want);
    call.ended('failed');
    await on.clock.settle();
    expect(told.at(-1)).toMatchObject({ phase: 'failed', rows: [] });
    expect(on.logged()).toMatchObject([{ level: 'warn', outcome: 'failed', err: expect.stringContaining(want) }]);
    const next = begin(on, { gateways: { 'ns/a': '' } });
    await on.clock.settle();
    expect(next.replies).toEqual([expect.any(Number)]);
  });

  it('an answer just within the limit is one', async () => {
    const { replies } = begin(on, { answerBytes: 1024 * 1024 });
    await on.clock.settle();
    expect(replies).toEqual([1024 * 1024]);
  });

  it('an edit that takes a little less than 5 s is an answer', async () => {
    const { replies } = begin(on, { editMs: 4_999 });
    await on.clock.settle();
    expect(replies).toEqual([expect.any(Number)]);
  });

  it('that is answered and does not get through is cut off after 5 s', async () => {
    const called = begin(on);
    await on.clock.advance(4_999);
    expect(called.cuts).toBe(0);
    await on.clock.advance(1);
    expect(called.cuts).toBe(1);
    expect(called.replies).toHaveLength(1);
  });

  it('is not cut off when it got through', async () => {
    const called = begin(on);
    await on.clock.settle();
    called.call.ended('answered');
    await on.clock.advance(10_000);
    expect(called.cuts).toBe(0);
  });

  it('whose caller went is reported as aborted, whatever was answered', async () => {
    const told = watched(on);
    const { call } = begin(on, { gateways: { 'ns/a': '' } });
    await on.clock.settle();
    call.ended('aborted');
    await on.clock.settle();
    expect(told.at(-1)).toMatchObject({ phase: 'aborted', rows: [] });
  });

  it('that never got so far as to be run, being too large, is reported as failed', async () => {
    const told = watched(on);
    on.hook.begin('10.0.0.1', () => undefined).ended('failed');
    await on.clock.settle();
    expect(told.at(-1)).toMatchObject({ phase: 'failed', group: '' });
  });

  it('above the limit of concurrency waits for its turn; nobody is refused', async () => {
    const called = Array.from({ length: 4 }, (_, i) => begin(on, {}, `10.0.0.${i}`));
    await on.clock.settle();
    expect(called.map(({ replies }) => replies.length)).toEqual([1, 1, 0, 0]);
    await on.clock.advance(2_000);
    called[1]?.call.ended('answered');
    await on.clock.settle();
    expect(called.map(({ replies }) => replies.length)).toEqual([1, 1, 1, 0]);
    // Its time begins with its turn.
    await on.clock.advance(3_000);
    expect(called.map(({ cuts }) => cuts)).toEqual([1, 0, 0, 0]);
    called[0]?.call.ended('aborted');
    await on.clock.settle();
    expect(called[3]?.replies).toHaveLength(1);
  });

  it('whose caller goes while it waits for its turn is never run', async () => {
    const called = Array.from({ length: 3 }, () => begin(on));
    await on.clock.settle();
    called[2]?.call.ended('aborted');
    called[0]?.call.ended('answered');
    await on.clock.settle();
    expect(called[2]?.replies).toEqual([]);
    expect(on.editor.answers).toBe(2);
  });

  it('the hook is idle when no call runs', async () => {
    let idle = 0;
    await on.hook.idle();
    const [a, b] = [begin(on), begin(on)];
    void on.hook.idle().then(() => idle++);
    a.call.ended('answered');
    await on.clock.settle();
    expect([on.hook.running, idle]).toEqual([1, 0]);
    b.call.ended('aborted');
    b.call.ended('answered');
    await on.clock.settle();
    expect([on.hook.running, idle]).toEqual([0, 1]);
    expect(on.logged()).toHaveLength(2);
  });
});
