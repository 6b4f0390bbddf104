import { type Clock, type DurationMs, epochMs, Lease, type MonotonicMs, type Transport } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createHealth } from '../app/health.ts';
import { createLog } from '../app/log.ts';
import { createMetrics } from '../app/prometheus.ts';
import { createClient } from '../client/http-client.ts';
import type { Fence } from '../controller/fence.ts';
import { evenFaults, withFaults } from '../testing/faults.ts';
import { Refusal } from '../testing/refusal.ts';
import { createScriptedApi, type ScriptedApi } from '../testing/scripted-api.ts';
import { TransportError } from '../transport/transport-error.ts';
import { LeadershipLostError, runElected } from './leader-election.ts';

const name = { namespace: 'system', name: 'app' };

interface Candidate {
  readonly done: Promise<unknown>;
  readonly health: ReturnType<typeof createHealth>;
  readonly lines: string[];
  /** Set while it leads. */
  fence: Fence | undefined;
  terms: number;
  stop(): void;
}

/** As apps pass it: their whole setting, which has more in it. */
const setting = { ...name, durationMs: 15_000 };

/** A replica that leads until it is told to stop, as its election sees the world. */
function candidate(
  clock: Clock,
  transport: Transport,
  { identity, durationMs }: { identity: string; durationMs?: DurationMs },
): Candidate {
  const running = new AbortController();
  const health = createHealth();
  const lines: string[] = [];
  const log = createLog({ clock, write: (line) => lines.push(line) });
  const random = seeded(identity);
  const self: { -readonly [K in keyof Candidate]: Candidate[K] } = {
    health,
    lines,
    fence: undefined,
    terms: 0,
    stop: () => running.abort(new Error('stop')),
    done: Promise.resolve(),
  };
  self.done = runElected(
    {
      client: createClient({ transport, baseUrl: 'https://hub', clock, random, userAgent: identity }),
      clock,
      random,
      log,
      metrics: createMetrics(),
      health,
      lease: setting,
      identity,
      durationMs,
    },
    async (fence, signal) => {
      self.fence = fence;
      self.terms++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      self.fence = undefined;
    },
    running.signal,
  ).catch((error: unknown) => error);
  return self;
}

/** Where the last leader has given the Lease back. */
function api(clock: Clock): ScriptedApi {
  const hub = createScriptedApi({ clock, random: seeded('api'), kinds: [Lease] });
  hub.put(Lease, { metadata: name, spec: { holderIdentity: '' } });
  return hub;
}

const holder = (hub: ScriptedApi): string => String(hub.get(Lease, name)?.spec?.holderIdentity);

describe('runElected', () => {
  it('elects one of three, and the next one at once when it stops in order', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replicas = ['a', 'b', 'c'].map((identity) => candidate(clock, hub.transport, { identity }));
    await clock.advance(5_000);
    const leaders = replicas.filter(({ fence }) => fence);
    expect(leaders).toHaveLength(1);
    expect(holder(hub)).toBe('abc'[replicas.indexOf(leaders[0] as Candidate)]);
    leaders[0]?.stop();
    expect(await clock.run(leaders[0]?.done as Promise<unknown>)).toBeUndefined();
    await clock.advance(3_000);
    expect(replicas.filter(({ fence }) => fence)).toHaveLength(1);
    for (const replica of replicas) replica.stop();
    await clock.run(Promise.all(replicas.map(({ done }) => done)));
    expect(clock.pending).toBe(0);
    expect(holder(hub)).toBe('');
  });

  it('writes nothing into the Lease but what is its own, though its setting holds more', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(10_000);
    const { metadata, spec } = hub.get(Lease, name) ?? {};
    expect(Object.keys(metadata ?? {}).sort()).toEqual([
      'creationTimestamp',
      'managedFields',
      'name',
      'namespace',
      'resourceVersion',
      'uid',
    ]);
    expect(Object.keys(spec ?? {}).sort()).toEqual([
      'acquireTime',
      'holderIdentity',
      'leaseDurationSeconds',
      'leaseTransitions',
      'renewTime',
    ]);
    replica.stop();
  });

  it('C46: writes times with exactly six digits', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(10_000);
    const { acquireTime, renewTime } = hub.get(Lease, name)?.spec ?? {};
    expect(acquireTime).toMatch(/^2026-01-01T00:00:\d\d\.\d{6}Z$/);
    expect(renewTime).toMatch(/^2026-01-01T00:00:\d\d\.\d{6}Z$/);
    replica.stop();
  });

  it('C48: a follower waits for the duration that the record names, from when it saw the record stand still', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    // The clock of the dead holder was a day ahead; its record says 60 s.
    hub.put(Lease, {
      metadata: name,
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 60, renewTime: '2026-01-02T00:00:00.000000Z' },
    });
    const replica = candidate(clock, hub.transport, { identity: 'a', durationMs: 15_000 });
    await clock.advance(59_000);
    expect(replica.terms).toBe(0);
    await clock.advance(4_000);
    expect(replica.terms).toBe(1);
    expect(hub.get(Lease, name)?.spec?.leaseTransitions).toBe(1);
    replica.stop();
  });

  it('C48: certainty shrinks through a stall, and ends before another may take over', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    let frozen = false;
    const slow: Transport = (request, options) =>
      frozen ? new Promise(() => undefined) : hub.transport(request, options);
    const replica = candidate(clock, slow, { identity: 'a' });
    await clock.advance(1_000);
    const other = candidate(clock, hub.transport, { identity: 'b' });
    await clock.advance(4_000);
    const { fence } = replica;
    expect(fence?.certainFor()).toBeGreaterThan(7_000);
    frozen = true;
    let gap = 0;
    for (let i = 0; i < 300 && other.terms === 0; i++) {
      await clock.advance(100);
      if (fence?.certainFor() === 0) gap += 100;
      expect(fence?.certainFor() === 0 || other.terms === 0).toBe(true);
    }
    expect(other.terms).toBe(1);
    expect(gap).toBeGreaterThanOrEqual(3_000);
    expect(await clock.run(replica.done)).toBeInstanceOf(LeadershipLostError);
    other.stop();
  });

  it('C48: renewals that fail for 20 s end the leadership', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(5_000);
    hub.refuse = (call) =>
      call.verb === 'patch' ? new Refusal({ code: 500, reason: 'InternalError', message: 'no' }) : undefined;
    const error = await clock.run(replica.done, 11_000);
    expect(error).toBeInstanceOf(LeadershipLostError);
    expect(replica.fence).toBeUndefined();
  });

  it('a leader renews what it saw last with one request, and looks when somebody else has written', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replica = candidate(clock, hub.transport, { identity: 'a', durationMs: 60_000 });
    await clock.advance(5_000);
    const asked = (): string[] => hub.requests.splice(0).map(({ method }) => method);
    asked();
    await clock.advance(30_000);
    // Every 8 s, and up to a fifth more.
    expect(asked().slice(0, 3)).toEqual(['PATCH', 'PATCH', 'PATCH']);
    hub.put(Lease, { ...hub.get(Lease, name), metadata: { ...name, labels: { touched: 'yes' } } }, 'somebody');
    await clock.advance(10_000);
    expect(asked().slice(0, 3)).toEqual(['PATCH', 'GET', 'PATCH']);
    hub.remove(Lease, name);
    await clock.advance(10_000);
    expect(asked().slice(0, 3)).toEqual(['PATCH', 'GET', 'POST']);
    expect([replica.terms, replica.fence !== undefined]).toEqual([1, true]);
    replica.stop();
  });

  it('keeps leading whatever the duration: renewals come several times before the certainty ends', async () => {
    for (const durationMs of [1_000, 2_000, 3_500, 15_000]) {
      const clock = new VirtualClock();
      const hub = api(clock);
      const replica = candidate(clock, hub.transport, { identity: 'a', durationMs });
      await clock.advance(120_000);
      expect([durationMs, replica.terms, replica.fence !== undefined]).toEqual([durationMs, 1, true]);
      replica.stop();
      await clock.run(replica.done);
    }
  });

  it('a record that was deleted is no vacancy: who saw it held waits as if it stood still', async () => {
    for (let moment = 0; moment < 20; moment++) {
      const clock = new VirtualClock();
      const hub = api(clock);
      const replicas = ['a', 'b', 'c'].map((identity) => candidate(clock, hub.transport, { identity }));
      await clock.advance(10_000 + moment * 120);
      hub.remove(Lease, name);
      for (let i = 0; i < 100; i++) {
        await clock.advance(100);
        const certain = replicas.filter(({ fence }) => fence && fence.certainFor() > 0);
        expect(certain.length, `deleted at ${moment}, now ${clock.monotonic()}`).toBe(1);
      }
      expect(hub.get(Lease, name)).toBeDefined();
      for (const replica of replicas) replica.stop();
      await clock.run(Promise.all(replicas.map(({ done }) => done)));
    }
  });

  it('a newcomer that finds no record waits too: whoever held it may be certain still', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    let cut = false;
    const wire: Transport = (request, options) =>
      cut ? Promise.reject(new TransportError('connection-lost', 'cut')) : hub.transport(request, options);
    const old = candidate(clock, wire, { identity: 'old' });
    await clock.advance(20_000);
    expect(old.terms).toBe(1);
    const { fence } = old;
    cut = true;
    hub.remove(Lease, name);
    const newcomer = candidate(clock, hub.transport, { identity: 'new' });
    for (let i = 0; i < 200; i++) {
      await clock.advance(100);
      expect(newcomer.terms === 0 || fence?.certainFor() === 0, `at ${clock.monotonic()}`).toBe(true);
    }
    expect(newcomer.terms).toBe(1);
    newcomer.stop();
  });

  it('a record that was deleted after its holder died is taken when its time has passed', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    hub.put(Lease, { metadata: name, spec: { holderIdentity: 'dead', leaseDurationSeconds: 15 } });
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(5_000);
    hub.remove(Lease, name);
    await clock.advance(14_000);
    expect(replica.terms).toBe(0);
    await clock.advance(5_000);
    expect(replica.terms).toBe(1);
    replica.stop();
  });

  it('who could not look for a while does not take a record that is gone for one that stood still', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const clock = new VirtualClock();
      const hub = api(clock);
      let looks = 0;
      // Cut off for half a minute; the record is deleted right before the first look that succeeds again.
      const weak: Transport = (request, options) => {
        const at = clock.monotonic();
        if (at > 5_000 && at < 40_000 + seed * 300) return Promise.reject(new TransportError('connection-lost', 'cut'));
        if (at > 5_000 && looks++ === 0) hub.remove(Lease, name);
        return hub.transport(request, options);
      };
      const leader = candidate(clock, hub.transport, { identity: 'a' });
      await clock.advance(1_000);
      const follower = candidate(clock, weak, { identity: 'b' });
      for (let i = 0; i < 900; i++) {
        await clock.advance(100);
        const both = [leader, follower].every(({ fence }) => fence && fence.certainFor() > 0);
        expect(both, `seed ${seed}, now ${clock.monotonic()}`).toBe(false);
      }
      expect(looks).toBeGreaterThan(0);
      for (const replica of [leader, follower]) replica.stop();
      await clock.run(Promise.all([leader.done, follower.done]));
    }
  });

  it('stops leading at once when another one holds the record', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(5_000);
    hub.put(Lease, { metadata: name, spec: { holderIdentity: 'thief', leaseDurationSeconds: 15 } });
    const error = await clock.run(replica.done, 4_000);
    expect(String(error)).toContain('thief holds it');
  });

  it('C46: a lease that the server never takes is loud: not ready, logged as an error', async () => {
    const clock = new VirtualClock();
    const hub = api(clock);
    hub.refuse = (call) =>
      call.verb === 'create' ? new Refusal({ code: 400, reason: 'BadRequest', message: 'parsing time' }) : undefined;
    hub.remove(Lease, name);
    const replica = candidate(clock, hub.transport, { identity: 'a' });
    await clock.advance(18_000);
    expect(replica.health.readyz()).toMatchObject({ ok: false });
    expect(replica.lines.some((line) => line.includes('"level":"error"') && line.includes('parsing time'))).toBe(true);
    const before = hub.requests.length;
    await clock.advance(600_000);
    expect(hub.requests.length - before).toBeLessThan(60);
    hub.refuse = () => undefined;
    await clock.advance(40_000);
    expect(replica.health.readyz().ok).toBe(true);
    expect(replica.terms).toBe(1);
    replica.stop();
  });

  it('never has two certain leaders, whatever is lost, late or doubled', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const clock = new VirtualClock();
      const hub = api(clock);
      const replicas = ['a', 'b', 'c'].map((identity) =>
        candidate(
          skewed(clock, seeded(`${seed}${identity}`).int(3_600_000)),
          withFaults(seeded(`${seed}/${identity}`), evenFaults(0.3), { clock })(hub.transport),
          { identity: `${identity}${seed}` },
        ),
      );
      for (let i = 0; i < 240; i++) {
        await clock.advance(500);
        const certain = replicas.filter(({ fence }) => fence && fence.certainFor() > 0);
        expect(certain.length, `seed ${seed} at ${clock.monotonic()}`).toBeLessThanOrEqual(1);
      }
      for (const replica of replicas) replica.stop();
      await clock.run(Promise.all(replicas.map(({ done }) => done)), 120_000);
    }
  });
});

/** The same monotonic time, another wall clock. */
function skewed(clock: VirtualClock, offsetMs: DurationMs): Clock {
  return {
    now: () => epochMs(clock.now() + offsetMs),
    monotonic: (): MonotonicMs => clock.monotonic(),
    timer: (ms, fire) => clock.timer(ms, fire),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}
