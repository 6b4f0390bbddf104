import { VirtualClock } from '@lifeline/core/testing';
import type { CallReport, ReportMessage, ReportRow } from '@lifeline/edge';
import { beforeEach, describe, expect, it } from 'vitest';
import { programmedPage } from './debug-page.ts';
import type { SeenGateway } from '../edit/editor.ts';
import { groupName } from './group-name.ts';
import { ReportHub } from './report-hub.ts';

const row = (name: string, change: Partial<ReportRow> = {}): ReportRow => ({
  namespace: 'ns',
  name,
  stamp: 's',
  intent: '0123456789abcdef',
  outcome: 'programmed',
  reason: '',
  ...change,
});

let clock: VirtualClock;
let hub: ReportHub;
beforeEach(() => {
  clock = new VirtualClock();
  hub = new ReportHub({ clock, replica: 'r1' });
});

const seen = (name: string): SeenGateway => ({ key: `ns/${name}`, namespace: 'ns', name, stamp: 's' });

/** A whole call, answered with these rows. */
function answered(rows: readonly ReportRow[], caller = '10.0.0.1', indexRevision = 7): void {
  const call = hub.begin(caller);
  call.about(rows.map(({ name }) => seen(name)));
  call.answered({ rows, indexRevision });
}

/** What a reader that starts now is told until it stops. */
function reader(): { told: ReportMessage[]; stop: () => void; ended: Promise<unknown> } {
  const life = new AbortController();
  const told: ReportMessage[] = [];
  const ended = (async () => {
    for await (const message of hub.watch(life.signal)) told.push(message);
  })().catch((error: unknown) => error);
  return { told, stop: () => life.abort(new Error('stopped')), ended };
}

const brief = (message: ReportMessage): string => {
  switch (message.at) {
    case 'call':
      return `${message.caller} ${message.phase} ${message.rows.map(({ name, outcome }) => `${name}=${outcome}`).join()}`;
    case 'caller':
      return `${message.caller} ${message.connected ? 'on' : 'off'}`;
    case 'synced':
      return 'synced';
  }
};

describe('the reports', () => {
  it('tell each call as it happens, with the rows that changed', async () => {
    const { told } = reader();
    await clock.settle();
    answered([row('a'), row('b')]);
    await clock.advance(50);
    answered([row('a', { outcome: 'skew' }), row('b')]);
    answered([row('a', { outcome: 'skew' }), row('b')]);
    await clock.settle();
    expect(told.map(brief)).toEqual([
      'synced',
      '10.0.0.1 started ',
      '10.0.0.1 started a=aborted,b=aborted',
      '10.0.0.1 answered a=programmed,b=programmed',
      '10.0.0.1 started ',
      '10.0.0.1 started ',
      '10.0.0.1 answered a=skew',
      '10.0.0.1 started ',
      '10.0.0.1 started ',
      '10.0.0.1 answered ',
    ]);
    expect(told.at(-1)).toEqual({
      at: 'call',
      replica: 'r1',
      call: 3,
      caller: '10.0.0.1',
      phase: 'answered',
      group: groupName(['ns/a', 'ns/b']),
      indexRevision: 7,
      ageMs: 0,
      digestVersion: 1,
      rows: [],
    });
    expect(told[0]).toEqual({ at: 'synced', replica: 'r1', digestVersion: 1 });
  });

  it('begin with the last rows of all callers, their ages, and what runs', async () => {
    using _open = hub.connected('10.0.0.2');
    answered([row('a')]);
    await clock.advance(300);
    answered([row('a')], '10.0.0.2');
    hub.begin('10.0.0.2').about([seen('b')]);
    await clock.advance(200);
    const { told } = reader();
    await clock.settle();
    expect(told.map((message) => `${brief(message)}${message.at === 'call' ? ` ${message.ageMs}` : ''}`)).toEqual([
      '10.0.0.2 on',
      '10.0.0.2 answered a=programmed 200',
      '10.0.0.2 started b=aborted 200',
      '10.0.0.2 started  200',
      '10.0.0.1 answered a=programmed 500',
      'synced',
    ]);
  });

  it('a row that is answered again as it was is as young as its last call', async () => {
    answered([row('a')]);
    await clock.advance(500);
    answered([row('a')]);
    const { told } = reader();
    await clock.settle();
    expect(told[0]).toMatchObject({ phase: 'answered', ageMs: 0, rows: [row('a')] });
  });

  it('lose nothing between the replay and what happens meanwhile', async () => {
    answered([row('a')]);
    const source = hub.watch(new AbortController().signal);
    const told = [(await source.next()).value as ReportMessage];
    answered([row('a', { intent: 'none' })]);
    for (let i = 0; i < 4; i++) told.push((await source.next()).value as ReportMessage);
    expect(told.map(brief)).toEqual([
      '10.0.0.1 answered a=programmed',
      'synced',
      '10.0.0.1 started ',
      '10.0.0.1 started ',
      '10.0.0.1 answered a=programmed',
    ]);
    expect((told[4] as CallReport).rows[0]?.intent).toBe('none');
    await source.return();
    expect(hub.watchers).toBe(0);
  });

  it('count ages to when a message is read', async () => {
    const source = hub.watch(new AbortController().signal);
    await source.next();
    answered([row('a')]);
    await clock.advance(400);
    expect((await source.next()).value).toMatchObject({ phase: 'started', ageMs: 400 });
  });

  it('tell that a caller is connected, once for all its connections', async () => {
    const { told } = reader();
    await clock.settle();
    const [one, two] = [hub.connected('unix'), hub.connected('unix')];
    one[Symbol.dispose]();
    two[Symbol.dispose]();
    await clock.settle();
    expect(told.map(brief)).toEqual(['synced', 'unix on', 'unix off']);
  });

  it('tell a failed and an aborted call, and tell them again to who comes later', async () => {
    answered([row('a')]);
    await clock.advance(100);
    const failed = hub.begin('10.0.0.1');
    failed.about([seen('a')]);
    failed.failed();
    hub.begin('10.0.0.1').aborted();
    const { told } = reader();
    await clock.settle();
    expect(told.map(brief)).toEqual([
      '10.0.0.1 answered a=programmed',
      '10.0.0.1 failed ',
      '10.0.0.1 aborted ',
      'synced',
    ]);
    answered([row('a')]);
    const later = reader();
    await clock.settle();
    expect(later.told.map(brief)).toEqual(['10.0.0.1 answered a=programmed', '10.0.0.1 aborted ', 'synced']);
  });

  it('forget what an overlapping set has superseded', async () => {
    answered([row('a'), row('b')]);
    answered([row('c')]);
    answered([row('b'), row('d')]);
    const { told } = reader();
    await clock.settle();
    expect(told.map(brief)).toEqual([
      '10.0.0.1 answered c=programmed',
      '10.0.0.1 answered b=programmed,d=programmed',
      'synced',
    ]);
  });

  it('forget a caller that has been silent for 15 minutes, unless it is connected or nobody else knows its Gateways', async () => {
    const open = hub.connected('10.0.0.2');
    answered([row('a')], '10.0.0.2');
    answered([row('a')], '10.0.0.1');
    answered([row('b')], '10.0.0.3');
    await clock.advance(15 * 60_000);
    const first = reader();
    await clock.settle();
    expect(first.told.map(brief)).toEqual([
      '10.0.0.2 on',
      '10.0.0.2 answered a=programmed',
      '10.0.0.3 answered b=programmed',
      'synced',
    ]);
    open[Symbol.dispose]();
    answered([row('b')], '10.0.0.4');
    const second = reader();
    await clock.settle();
    expect(second.told.map(brief)).toEqual([
      '10.0.0.2 answered a=programmed',
      '10.0.0.4 answered b=programmed',
      'synced',
    ]);
  });

  it('say of a call that runs whom it is about, when its caller was not told of them', async () => {
    hub.begin('10.0.0.1').about([seen('a')]);
    const { told } = reader();
    await clock.settle();
    expect(told.map(brief)).toEqual(['10.0.0.1 started a=aborted', '10.0.0.1 started ', 'synced']);
  });

  it('of very many failures say that everything failed', async () => {
    for (let i = 0; i <= 1_000; i++) {
      const call = hub.begin('10.0.0.1');
      call.about([seen(`g${i}`)]);
      call.failed();
    }
    const { told } = reader();
    await clock.settle();
    const failed = told.filter((message) => message.at === 'call' && message.phase === 'failed');
    expect(failed).toMatchObject([{ group: '' }]);
  });

  it('let go a reader that reads too slowly; it may begin anew', async () => {
    const source = hub.watch(new AbortController().signal);
    await source.next();
    for (let i = 0; i < 3_334; i++) answered([row('a')]);
    const left: ReportMessage[] = [];
    for await (const message of source) left.push(message);
    expect(left).toEqual([]);
    const { told } = reader();
    await clock.settle();
    expect(told.map(brief)).toEqual(['10.0.0.1 answered a=programmed', 'synced']);
  });

  it('end when they are closed, after what there was to tell', async () => {
    const { told, ended } = reader();
    await clock.settle();
    answered([row('a')]);
    hub.close();
    expect(await ended).toBeUndefined();
    expect(told).toHaveLength(4);
    const { ended: late, told: nothing } = reader();
    await late;
    expect(nothing).toEqual([]);
  });

  it('end with the reason of the reader who stops', async () => {
    const { stop, ended } = reader();
    await clock.settle();
    stop();
    expect(await ended).toMatchObject({ message: 'stopped' });
    expect(hub.watchers).toBe(0);
  });
});

describe('the name of a set of Gateways', () => {
  it('is the same whatever their order, and another one when one is added, leaves or is replaced', () => {
    const groups = [['a', 'b'], ['b', 'a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'd'], ['a'], []].map((names) => {
      const call = hub.begin('10.0.0.1');
      call.about(names.map(seen));
      call.aborted();
      return hub.callers.get('10.0.0.1')?.failures.keys().toArray().at(-1);
    });
    expect(groups.slice(0, 3)).toEqual(Array(3).fill(groupName(['ns/a', 'ns/b'])));
    expect(new Set(groups).size).toBe(5);
    expect(groupName(['ns/a', 'ns/b'])).not.toBe(groupName(['ns/ans/b']));
  });
});

describe('the page of what is programmed', () => {
  const page = (): ReturnType<typeof programmedPage> => programmedPage(hub, { revision: 9 });

  it('shows callers and rows, with their ages, in order', async () => {
    using _open = hub.connected('10.0.0.2');
    answered([row('b'), row('a')], '10.0.0.2');
    await clock.advance(1_000);
    answered([row('c')], '10.0.0.1');
    await clock.advance(500);
    expect(page()).toEqual({
      replica: 'r1',
      indexRevision: 9,
      callers: [
        { caller: '10.0.0.1', live: true, ageMs: 500 },
        { caller: '10.0.0.2', live: true, ageMs: 1_500 },
      ],
      rows: [
        { caller: '10.0.0.1', ...row('c'), ageMs: 500 },
        { caller: '10.0.0.2', ...row('a'), ageMs: 1_500 },
        { caller: '10.0.0.2', ...row('b'), ageMs: 1_500 },
      ],
    });
    await clock.advance(15 * 60_000);
    expect(page().callers.map(({ live }) => live)).toEqual([false, true]);
  });

  it('shows that a later call about a Gateway had no answer', async () => {
    answered([row('a')]);
    answered([row('b')]);
    await clock.advance(100);
    const failed = hub.begin('10.0.0.1');
    failed.about([seen('a')]);
    failed.failed();
    const outcomes = (): string[] => page().rows.map(({ name, outcome, ageMs }) => `${name} ${outcome} ${ageMs}`);
    expect(outcomes()).toEqual(['a failed 0', 'b programmed 100']);
    await clock.advance(100);
    hub.begin('10.0.0.1').aborted();
    expect(outcomes()).toEqual(['a failed 100', 'b aborted 0']);
    answered([row('a')]);
    expect(outcomes()).toEqual(['a programmed 0', 'b aborted 0']);
  });
});
