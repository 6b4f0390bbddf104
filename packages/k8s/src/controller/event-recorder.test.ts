import { ConfigMap, type KubeObject, KubeEvent } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client/http-client.ts';
import { Refusal } from '../testing/refusal.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { testEnv } from '../testing/test-env.ts';
import { createEventRecorder, type EventRecorder } from './event-recorder.ts';

const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'a', uid: 'u-1' },
};

function setUp(): {
  clock: VirtualClock;
  api: ScriptedApi;
  record: (note: string, reason?: string) => void;
  text: () => Promise<string>;
  recorder: EventRecorder;
} {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const api = createScriptedApi({ clock, random: seeded('api'), kinds: [ConfigMap, KubeEvent] });
  const env = testEnv({ clock, signal });
  const recorder = createEventRecorder({ ...env, instance: 'test-0' });
  const client = createClient({
    transport: api.transport,
    baseUrl: 'https://a',
    clock,
    random: env.random,
    userAgent: 'test',
  });
  return {
    clock,
    api,
    recorder,
    record: (note, reason = 'Truncated') =>
      recorder.record(
        { controller: 'test', cluster: 'hub a', client, signal },
        { regarding: object, type: 'Warning', reason, action: 'Mirror', note },
      ),
    text: () => env.metrics.text(),
  };
}

describe('createEventRecorder', () => {
  it('writes an Event about the object, its times with six digits', async () => {
    const { clock, api, record } = setUp();
    record('status was cut');
    await clock.advance(0);
    expect(api.objects(KubeEvent)).toMatchObject([
      {
        metadata: { namespace: 'default' },
        reason: 'Truncated',
        type: 'Warning',
        action: 'Mirror',
        note: 'status was cut',
        reportingController: 'lifeline.dev/test',
        reportingInstance: 'test-0',
        eventTime: '2026-01-01T00:00:00.000000Z',
        regarding: { kind: 'ConfigMap', name: 'a', uid: 'u-1' },
      },
    ]);
  });

  it('counts what is said again on the first Event, at most once a minute', async () => {
    const { clock, api, record } = setUp();
    for (let i = 0; i < 100; i++) {
      record('again');
      await clock.advance(2_000);
    }
    expect(api.objects(KubeEvent)).toHaveLength(1);
    expect(api.writes).toHaveLength(4);
    expect(api.objects(KubeEvent)[0]?.series?.count).toBeGreaterThan(80);
    record('other', 'Other');
    await clock.advance(400_000);
    record('again');
    await clock.advance(0);
    expect(api.objects(KubeEvent)).toHaveLength(3);
  });

  it('counts refused Events and never throws', async () => {
    const { clock, api, record, text } = setUp();
    api.refuse = () => new Refusal({ code: 403, reason: 'Forbidden', message: 'no' });
    record('x');
    await clock.advance(0);
    expect(await text()).toContain('lifeline_events_refused_total{reason="error"} 1');
  });

  it('refuses more than it can write at a time instead of queueing them', async () => {
    const { clock, api, record, text } = setUp();
    for (let i = 0; i < 50; i++) record('x', `Reason${i}`);
    await clock.advance(0);
    expect(api.objects(KubeEvent)).toHaveLength(16);
    expect(await text()).toContain('lifeline_events_refused_total{reason="busy"} 34');
  });

  it('cuts a long note between characters', async () => {
    const { clock, api, record } = setUp();
    record('漢'.repeat(500));
    await clock.advance(0);
    const note = String(api.objects(KubeEvent)[0]?.note);
    expect(new TextEncoder().encode(note).length).toBeLessThanOrEqual(1024);
    expect(note).toMatch(/^漢{340}…$/u);
  });
});
