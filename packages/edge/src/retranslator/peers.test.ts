import { intentVersion } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createLog, createMetrics } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import type { ReportMessage, ReportRow, ReportSource } from '../report/report.ts';
import { Peers } from './peers.ts';
import { Programmed } from './programmed.ts';

const row: ReportRow = { namespace: 'ns', name: 'g', stamp: '', intent: 'X', outcome: 'programmed', reason: '' };
const answered = (replica: string): ReportMessage => ({
  at: 'call',
  replica,
  call: 1,
  caller: '10.0.0.1',
  phase: 'answered',
  group: 'g',
  indexRevision: 1,
  ageMs: 0,
  digestVersion: intentVersion,
  rows: [row],
});
const synced = (replica: string): ReportMessage => ({ at: 'synced', replica, digestVersion: intentVersion });

/** A server whose streams are in the test's hands. */
class Server implements ReportSource {
  readonly name: string;
  opened = 0;
  #next = Promise.withResolvers<ReportMessage | Error>();

  constructor(name: string) {
    this.name = name;
  }

  async say(message: ReportMessage | Error): Promise<void> {
    this.#next.resolve(message);
    this.#next = Promise.withResolvers();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }

  async *watch(signal: AbortSignal): AsyncIterable<ReportMessage> {
    this.opened++;
    const gone = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
    gone.catch(() => undefined);
    for (;;) {
      const message = await Promise.race([this.#next.promise, gone]);
      if (message instanceof Error) throw message;
      yield message;
    }
  }
}

function watching() {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const metrics = createMetrics();
  const programmed = new Programmed({ clock, digestVersion: intentVersion, changed: () => undefined });
  const log = createLog({ clock, write: (line) => void lines.push(line) });
  const peers = new Peers({ clock, random: seeded('peers'), log, metrics, programmed });
  const judge = (): string => programmed.judge('ns/g', 'X').at;
  return { clock, lines, metrics, programmed, peers, judge };
}

describe('the extension servers that are followed', () => {
  it('leave no timer behind when one of them speaks after the end', () => {
    const { clock, programmed } = watching();
    programmed[Symbol.dispose]();
    programmed.take(answered('r1'));
    expect(clock.pending).toBe(0);
  });

  it('nothing counts before everything was told', async () => {
    const { peers, programmed, judge } = watching();
    const server = new Server('a');
    peers.set([server]);
    await server.say(answered('r1'));
    expect([programmed.isSynced, judge()]).toEqual([false, 'unnamed']);
    await server.say(synced('r1'));
    expect([programmed.isSynced, judge()]).toEqual([true, 'converged']);
  });

  it('a stream that breaks is opened again, less often each time until it tells everything', async () => {
    const { clock, peers, programmed, lines, judge } = watching();
    const server = new Server('a');
    peers.set([server]);
    await server.say(synced('r1'));
    await server.say(new Error('reset'));
    expect(programmed.isSynced).toBe(false);
    expect(lines.join()).toContain('no reports: tries again');
    await clock.advance(700);
    expect(server.opened).toBe(2);
    for (let time = 0; time < 8; time++) {
      await server.say(new Error('refused'));
      await clock.advance(36_000);
    }
    expect(server.opened).toBe(10);
    await server.say(answered('r1'));
    await server.say(synced('r1'));
    expect(judge()).toBe('converged');
  });

  it('one that is no longer there is not followed; what it answered stands', async () => {
    const { clock, peers, programmed, judge } = watching();
    const server = new Server('a');
    peers.set([server]);
    await server.say(answered('r1'));
    await server.say(synced('r1'));
    peers.set([]);
    await clock.advance(60_000);
    expect([server.opened, programmed.isSynced, judge()]).toEqual([1, false, 'converged']);
  });

  it('one that is reached on two ways is heard once', async () => {
    const { clock, peers, metrics } = watching();
    const [own, same] = [new Server('own'), new Server('10.0.0.9:5006')];
    peers.set([own, same]);
    await own.say(synced('r1'));
    await same.say(synced('r1'));
    const streams = (await metrics.text()).split('\n').filter((line) => line.startsWith('lifeline_report_streams{'));
    expect(streams).toEqual(
      ['connecting', 'syncing', 'synced'].map(
        (state) => `lifeline_report_streams{state="${state}"} ${state === 'synced' ? 1 : 0}`,
      ),
    );
    await clock.advance(29_000);
    expect(same.opened).toBe(1);
    await clock.advance(10_000);
    expect(same.opened).toBe(2);
  });
});
