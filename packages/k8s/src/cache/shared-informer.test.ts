import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../app/prometheus.ts';
import type { Log } from '../app/env.ts';
import { KubeError, type KubeErrorCode } from '../client/kube-error.ts';
import type { Delta } from './reflector.ts';
import { reflectorMetrics } from './reflector-metrics.ts';
import { SharedInformer, type SharedInformerOptions } from './shared-informer.ts';
import { SilentStreamError } from './watchdog.ts';
import { bookmark, type Script, ScriptedSource, snapshot, Widget, widget } from './widget.fixture.ts';

function world(source: ScriptedSource, options: Partial<SharedInformerOptions<Widget>> = {}) {
  const clock = new VirtualClock();
  const metrics = createMetrics();
  const lines: string[] = [];
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log: Log = {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: () => log,
  };
  const informer = new SharedInformer(Widget, {
    source,
    clock,
    random: seeded(1),
    log,
    metrics: reflectorMetrics(metrics, { plane: 'project', cluster: 'p1', kind: 'Widget' }),
    silenceMs: 150_000,
    freeze: true,
    ...options,
  });
  const events: string[] = [];
  informer.subscribe((event, origin) =>
    events.push(`${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion} ${origin}`),
  );
  const controller = new AbortController();
  const start = (): Promise<void> => informer.run(controller.signal);
  const took = (): string[] => events.splice(0);
  const stop = async (): Promise<void> => {
    controller.abort(new Error('stop'));
    await clock.settle();
    expect([source.open, clock.pending]).toEqual([0, 0]);
  };
  return { clock, metrics, lines, informer, controller, start, took, stop, source };
}

const error = (code: KubeErrorCode, status?: number, retryAfterMs?: number): KubeError =>
  new KubeError(code, '', { status, retryAfterMs });
const added = (name: string, rv: number): Script => ({ type: 'added', object: widget(name, rv) });
const deleted = (name: string, rv: number): Script => ({ type: 'deleted', object: widget(name, rv) });

describe('a shared informer', () => {
  it('is syncing, synced, stale when unheard, and synced again', async () => {
    const { clock, informer, start, stop, source } = world(
      new ScriptedSource([snapshot(5, widget('a', 3))], [['hang'], [bookmark(6), 'hang']]),
    );
    expect(informer.status).toEqual({ at: 'syncing' });
    expect(informer.silentFor()).toBe(0);
    const synced = informer.synced(new AbortController().signal);
    void start();
    await synced;
    expect(informer.status).toEqual({ at: 'synced' });
    await clock.advance(150_000);
    expect(informer.status).toEqual({ at: 'synced' });
    await clock.advance(1);
    expect(informer.status).toEqual({ at: 'stale', since: 0 });
    expect(informer.silentFor()).toBe(150_001);
    await informer.synced(new AbortController().signal);
    source.lists = [snapshot(6, widget('a', 3))];
    informer.replaceSource();
    await clock.settle();
    expect(informer.status).toEqual({ at: 'synced' });
    expect(informer.silentFor()).toBe(0);
    await stop();
  });

  it('replays what it holds to a late subscriber, then tells it what follows', async () => {
    const broken = widget('b', 2, { size: 'x' });
    const { clock, informer, start, stop } = world(
      new ScriptedSource([snapshot(5, widget('a', 1), broken)], [[added('c', 6), 'hang']]),
    );
    void start();
    await clock.settle();
    const late: string[] = [];
    const subscription = informer.subscribe((event, origin) =>
      late.push(`${event.type} ${event.object.metadata.name} ${origin}`),
    );
    expect(late).toEqual(['added a list', 'added c list', 'malformed b list']);
    subscription[Symbol.dispose]();
    informer.replaceSource(new ScriptedSource([snapshot(9)]));
    await clock.settle();
    expect(late).toHaveLength(3);
    await stop();
  });

  it('goes on when a handler throws, and counts it', async () => {
    const { clock, informer, start, took, stop, metrics, lines } = world(
      new ScriptedSource([snapshot(5, widget('a', 1))], [[added('b', 6), 'hang']]),
    );
    informer.subscribe(() => {
      throw new Error('handler bug');
    });
    void start();
    await clock.settle();
    expect(took()).toEqual(['added a@1 list', 'added b@6 watch']);
    expect(lines.filter((line) => line.includes('handler bug'))).toHaveLength(2);
    expect(await metrics.text()).toContain(
      'lifeline_reflector_handler_errors_total{plane="project",cluster="p1",kind="Widget"} 2',
    );
    await stop();
  });

  it('lets no handler overtake another: what it causes is told after what is being told', async () => {
    const held: (() => void)[] = [];
    const { clock, informer, start, took, stop } = world(
      new ScriptedSource([snapshot(5, widget('a', 1), widget('b', 2))], [[added('c', 6), 'hang']]),
      {
        intercept: (delta, deliver) => (delta.type === 'replaced' ? deliver(delta) : held.push(() => deliver(delta))),
      },
    );
    const late: string[] = [];
    void start();
    await clock.settle();
    expect(took()).toEqual(['added a@1 list', 'added b@2 list']);
    informer.subscribe((event) => {
      for (const release of held.splice(0)) release();
      if (event.object.metadata.name === 'a') informer.subscribe(({ object }) => late.push(object.metadata.name));
    });
    expect(took()).toEqual(['added c@6 watch']);
    expect(late).toEqual(['a', 'b', 'c']);
    expect(informer.store.has('default/c')).toBe(true);
    await stop();
  });

  it('waits for its first list as long as the waiter does', async () => {
    const { clock, informer, start, stop } = world(new ScriptedSource([error('unavailable', 503)]));
    void start();
    const waiter = new AbortController();
    const waiting = informer.synced(waiter.signal);
    await clock.advance(60_000);
    waiter.abort(new Error('no longer'));
    await expect(waiting).rejects.toThrow('no longer');
    await expect(informer.synced(waiter.signal)).rejects.toThrow('no longer');
    await stop();
  });

  it('shows itself in metrics while it runs, and leaves no series behind', async () => {
    const { clock, start, stop, metrics } = world(
      new ScriptedSource(
        [snapshot(5, widget('a', 1), widget('b', 2, { size: 'x' }))],
        [[added('c', 6), 'end'], ['hang']],
      ),
    );
    void start();
    await clock.advance(5_000);
    const of = 'plane="project",cluster="p1",kind="Widget"';
    const text = await metrics.text();
    for (const line of [
      `lifeline_reflector_lists_total{${of}} 1`,
      `lifeline_reflector_events_total{${of},type="applied"} 1`,
      `lifeline_reflector_ends_total{${of},reason="closed"} 1`,
      `lifeline_reflector_objects{${of}} 3`,
      `lifeline_reflector_malformed{${of}} 1`,
      `lifeline_reflector_silence_seconds{${of}} 5`,
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
    await stop();
    expect(await metrics.text()).not.toContain('cluster="p1"');
  });
});

describe('what servers do', () => {
  it('C04: a list with nothing new in it is told to nobody, whatever the order of its keys', async () => {
    const items = (): Widget[] => [widget('a', 1), widget('b', 2)];
    const reordered = items().map(({ metadata, spec, ...rest }) => ({ spec, metadata, ...rest }));
    const source = new ScriptedSource(
      [snapshot(5, ...items()), snapshot(9, ...reordered.reverse())],
      [error('gone', 410), ['hang']],
    );
    const { clock, start, took, stop, informer } = world(source);
    void start();
    await clock.settle();
    const before = informer.store.get('default/a');
    await clock.advance(1_000);
    expect(source.calls).toEqual(['list', 'watch 5', 'list', 'watch 9']);
    expect(took()).toEqual(['added a@1 list', 'added b@2 list']);
    expect(informer.store.get('default/a')).toBe(before);
    await stop();
  });

  it('C16: what happened while the watch was down is told once, repeats are not', async () => {
    const repeats = [deleted('b', 7), deleted('b', 7), added('a', 6)];
    const again: Script = { type: 'added', object: widget('a', 13, { uid: 'second' }) };
    const later = [deleted('a', 12), deleted('a', 12), added('a', 11), again, deleted('a', 12)];
    const source = new ScriptedSource(
      [snapshot(5, widget('a', 1), widget('b', 2)), snapshot(9, widget('a', 6), widget('c', 8))],
      [error('gone', 410), [...repeats, ...later, 'hang']],
    );
    const { clock, start, took, stop } = world(source);
    void start();
    await clock.advance(1_000);
    expect(took()).toEqual([
      'added a@1 list',
      'added b@2 list',
      'updated a@6 list',
      'added c@8 list',
      'deleted b@2 list',
      'deleted a@6 watch',
      'added a@13 watch',
    ]);
    await stop();
  });

  it('C27: a kind that is taken away and comes back: nothing is deleted, the rest is exact', async () => {
    const source = new ScriptedSource(
      [snapshot(5, widget('a', 1), widget('b', 2)), error('kind-missing', 404)],
      [['end'], error('kind-missing', 404), ['hang']],
    );
    const { clock, start, took, stop, informer, lines } = world(source);
    void start();
    await clock.advance(10_000);
    expect(informer.status).toEqual({ at: 'unavailable', reason: 'kind-missing' });
    expect(took()).toEqual(['added a@1 list', 'added b@2 list']);
    expect(informer.store.size).toBe(2);
    source.calls.length = 0;
    await clock.advance(3_600_000);
    // 30 s doubling to 5 min, each between half and all of it.
    expect(source.calls.length).toBeGreaterThan(11);
    expect(source.calls.length).toBeLessThan(28);
    expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    expect(took()).toEqual([]);
    source.lists = [snapshot(50, widget('b', 2), widget('a', 45, { uid: 'second' }))];
    await clock.run(informer.synced(new AbortController().signal), 300_000);
    expect(took()).toEqual(['deleted a@1 list', 'added a@45 list']);
    await stop();
  });

  it.each(['kind-missing', 'forbidden'] as const)(
    'C27: a kind that is %s at start is picked up when that changes',
    async (reason) => {
      const source = new ScriptedSource([error(reason, 403)]);
      const { clock, start, took, stop, informer } = world(source);
      void start();
      await clock.advance(600_000);
      expect(informer.status).toEqual({ at: 'unavailable', reason });
      source.lists = [snapshot(5, widget('a', 1))];
      await clock.run(informer.synced(new AbortController().signal), 300_000);
      expect(took()).toEqual(['added a@1 list']);
      await stop();
    },
  );

  it('what is forbidden for a moment, as by a server that has just started and knows no roles yet, costs a moment', async () => {
    const source = new ScriptedSource(
      [snapshot(5, widget('a', 1)), error('forbidden', 403), error('forbidden', 403), snapshot(9, widget('b', 8))],
      [['end'], error('unavailable'), error('forbidden', 403), ['hang']],
    );
    const { clock, start, took, stop, informer } = world(source);
    void start();
    await clock.advance(10_000);
    expect(informer.status).toEqual({ at: 'synced' });
    expect(took()).toEqual(['added a@1 list', 'added b@8 list', 'deleted a@1 list']);
    await stop();
  });

  it.each([
    { name: 'when it is opened', watch: error('forbidden', 403) },
    { name: 'once it is open', watch: [error('forbidden', 403)] },
  ])('a kind that may be listed and not watched, as is said $name, is listed every half minute', async ({ watch }) => {
    const source = new ScriptedSource([snapshot(5)], [watch]);
    const { clock, start, stop } = world(source);
    void start();
    await clock.advance(120_000);
    source.calls.length = 0;
    await clock.advance(600_000);
    const lists = source.calls.filter((call) => call === 'list').length;
    expect(lists).toBeGreaterThanOrEqual(20);
    expect(lists).toBeLessThanOrEqual(41);
    await stop();
  });

  it('C29: many starts at once are one stream, and a cancelled one leaves nothing', async () => {
    const { clock, informer, source, stop } = world(new ScriptedSource([snapshot(5)]));
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const runs = controllers.map(({ signal }) => informer.run(signal));
    await clock.settle();
    expect(source.calls).toEqual(['list', 'watch 5']);
    expect(source.open).toBe(1);
    for (const controller of controllers) controller.abort(new Error('cancelled'));
    await Promise.all(runs);
    await stop();
    expect(source.calls).toEqual(['list', 'watch 5']);
    const again = new AbortController();
    void informer.run(again.signal);
    await clock.settle();
    expect(source.open).toBe(1);
    again.abort();
    await clock.settle();
    expect([source.open, clock.pending]).toEqual([0, 0]);
  });

  it('C29: an abort at any point of the start leaves nothing', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const { clock, start, controller, source } = world(
        new ScriptedSource([snapshot(5, widget('a', 1))], [[added('b', 6), 'hang']]),
      );
      const run = start();
      for (let i = 0; i < turns; i++) await Promise.resolve();
      controller.abort(new Error('stop'));
      await run;
      await clock.settle();
      expect([source.open, clock.pending]).toEqual([0, 0]);
    }
  });

  it('C32: an hour of bookmarks reaches no handler, and the watch resumes from the last without a list', async () => {
    const source = new ScriptedSource(
      [snapshot(5, widget('a', 1))],
      [[...Array.from({ length: 60 }, (_, i) => bookmark(100 + i)), 'end'], ['hang']],
    );
    const { clock, start, took, stop } = world(source);
    void start();
    await clock.advance(1_000);
    expect(source.calls).toEqual(['list', 'watch 5', 'watch 159']);
    expect(took()).toEqual(['added a@1 list']);
    await stop();
  });

  it('C32: after silence it lists: the server may be another than we thought', async () => {
    const source = new ScriptedSource(
      [snapshot(500, widget('a', 400)), snapshot(300, widget('a', 250))],
      [[new SilentStreamError(1)], ['hang']],
    );
    const { clock, start, took, stop } = world(source);
    void start();
    await clock.advance(1_000);
    expect(source.calls).toEqual(['list', 'watch 500', 'list', 'watch 300']);
    expect(took()).toEqual(['added a@400 list', 'updated a@250 list']);
    await stop();
  });

  it.each([
    { name: 'ends at once', script: ['end'] as Script[] },
    { name: 'sends an ERROR', script: [error('unavailable', 500)] as Script[] },
  ])('C36: a server that $name is listed after three tries, and not hammered', async ({ script }) => {
    const source = new ScriptedSource([snapshot(500), snapshot(501)], [script]);
    const { clock, start, stop } = world(source);
    void start();
    await clock.advance(10_000);
    expect(source.calls.slice(0, 6)).toEqual(['list', 'watch 500', 'watch 500', 'watch 500', 'list', 'watch 501']);
    source.calls.length = 0;
    await clock.advance(600_000);
    // Waits of 15 to 30 s by now; a list follows each third watch at once.
    expect(source.calls.length).toBeLessThan(60);
    await stop();
  });

  it('C36: ERROR 410 lists, any other ERROR resumes', async () => {
    const source = new ScriptedSource(
      [snapshot(5), snapshot(9)],
      [[added('a', 6), error('unavailable', 500)], [added('b', 7), error('gone', 410)], ['hang']],
    );
    const { clock, start, stop } = world(source);
    void start();
    await clock.advance(10_000);
    expect(source.calls).toEqual(['list', 'watch 5', 'watch 6', 'list', 'watch 9']);
    await stop();
  });

  it('C36: requests come at a steady rate again after an outage, one stream at a time', async () => {
    const source = new ScriptedSource([snapshot(5)], [error('unavailable')]);
    const { clock, start, stop, informer } = world(source);
    informer.subscribe(() => void start());
    void start();
    await clock.advance(60_000);
    expect(source.calls.length).toBeLessThan(12);
    source.watches = [['hang']];
    await clock.advance(60_000);
    expect(source.open).toBe(1);
    source.calls.length = 0;
    await clock.advance(60_000);
    expect(source.calls).toEqual([]);
    await stop();
  });

  it('C37: a list that does not finish deletes nothing', async () => {
    const source = new ScriptedSource(
      [snapshot(5, widget('a', 1)), error('gone', 410), error('unavailable', 500), snapshot(9, widget('a', 1))],
      [error('gone', 410), ['hang']],
    );
    const { clock, start, took, stop } = world(source);
    void start();
    await clock.advance(30_000);
    expect(source.calls).toEqual(['list', 'watch 5', 'list', 'list', 'list', 'watch 9']);
    expect(took()).toEqual(['added a@1 list']);
    await stop();
  });

  it.each([
    { name: 'a hint longer than our own wait', hint: 7_000, before: 6_999, after: 7_001 },
    { name: 'an absurd hint, cut to five minutes', hint: 1e12, before: 299_999, after: 300_001 },
    { name: 'a hint that makes no sense', hint: -1, before: 399, after: 801 },
  ])('C38: mid-watch 429 resumes without a list, after $name', async ({ hint, before, after }) => {
    const source = new ScriptedSource([snapshot(5)], [[bookmark(8), error('throttled', 429, hint)], ['hang']]);
    const { clock, start, stop } = world(source);
    void start();
    await clock.advance(before);
    expect(source.calls).toEqual(['list', 'watch 5']);
    await clock.advance(after - before);
    expect(source.calls).toEqual(['list', 'watch 5', 'watch 8']);
    await stop();
  });

  it('C44: what is held cannot be changed by a reader', async () => {
    const { clock, start, stop, informer } = world(new ScriptedSource([snapshot(5, widget('a', 1))]));
    void start();
    await clock.settle();
    expect(() => Object.assign(informer.store.get('default/a')?.metadata ?? {}, { annotations: {} })).toThrow(
      TypeError,
    );
    await stop();
  });

  it('a watch that ends in peace is opened again at once', async () => {
    const source = new ScriptedSource([snapshot(5)], [[bookmark(8), 'end'], ['hang']]);
    const { clock, start, stop } = world(source);
    void start();
    await clock.settle();
    expect(source.calls).toEqual(['list', 'watch 5', 'watch 8']);
    await stop();
  });

  it('an outage is one line in the log, not one for each try', async () => {
    const source = new ScriptedSource([snapshot(5)], [error('unavailable', 503)]);
    const { clock, start, stop, lines } = world(source);
    void start();
    await clock.advance(600_000);
    expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
    source.watches = [[bookmark(6), error('unavailable', 503)], ['hang']];
    await clock.advance(60_000);
    expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(2);
    await stop();
  });
});

describe('replacing the source', () => {
  it('swaps a synced cache over with no event for what is the same there', async () => {
    const first = new ScriptedSource([snapshot(5, widget('a', 1), widget('b', 2))]);
    const second = new ScriptedSource([snapshot(7, widget('a', 1), widget('b', 6))], [[added('c', 8), 'hang']]);
    const { clock, start, took, stop, informer } = world(first);
    void start();
    await clock.settle();
    took();
    informer.replaceSource(second);
    await clock.settle();
    expect(first.open).toBe(0);
    expect(second.open).toBe(1);
    expect(took()).toEqual(['updated b@6 list', 'added c@8 watch']);
    await stop();
    expect(second.open).toBe(0);
  });

  it('cuts a wait short: the new place may be well', async () => {
    const { clock, start, stop, informer } = world(new ScriptedSource([error('forbidden', 403)]));
    void start();
    await clock.settle();
    expect(informer.status.at).toBe('unavailable');
    informer.replaceSource(new ScriptedSource([snapshot(5)]));
    await clock.settle();
    expect(informer.status).toEqual({ at: 'synced' });
    await stop();
  });

  it('keeps what it holds while the new place cannot be reached', async () => {
    const { clock, start, took, stop, informer } = world(new ScriptedSource([snapshot(5, widget('a', 1))]));
    void start();
    await clock.settle();
    took();
    informer.replaceSource(new ScriptedSource([error('unavailable')]));
    await clock.advance(600_000);
    expect(took()).toEqual([]);
    expect(informer.store.size).toBe(1);
    expect(informer.status.at).toBe('stale');
    await stop();
  });
});

it('a bug between reflector and store is logged, counted, and listed past', async () => {
  let bugs = 1;
  const source = new ScriptedSource([snapshot(5, widget('a', 1))]);
  const { clock, start, stop, informer, lines } = world(source, {
    intercept: (delta, deliver) => {
      if (bugs-- > 0) throw new TypeError('interceptor bug');
      deliver(delta);
    },
  });
  void start();
  await clock.advance(29_999);
  expect(informer.status.at).toBe('syncing');
  expect(lines.filter((line) => line.startsWith('error') && line.includes('interceptor bug'))).toHaveLength(1);
  await clock.advance(1);
  expect(informer.status.at).toBe('synced');
  expect(source.open).toBe(1);
  await stop();
});

it('a bug in the store is listed past too: nothing queues up behind it for ever', async () => {
  let bugs = 1;
  const source = new ScriptedSource([snapshot(5, widget('a', 1))], [[added('b', 6), 'hang']]);
  const { clock, start, took, stop, informer } = world(source, {
    indexes: { broken: () => (bugs-- > 0 ? (undefined as never) : []) },
  });
  void start();
  await clock.advance(30_000);
  expect(informer.status.at).toBe('synced');
  expect(took().at(-1)).toContain('b');
  await stop();
});

it('an interceptor may hold, drop, repeat and reorder what the store learns', async () => {
  const script: Script[] = [
    added('a', 6),
    { type: 'modified', object: widget('a', 7) },
    added('b', 8),
    added('c', 9),
    'hang',
  ];
  const source = new ScriptedSource([snapshot(5)], [script]);
  const held: Delta<unknown>[] = [];
  let release = (): void => undefined;
  const { clock, start, took, stop, informer } = world(source, {
    intercept: (delta, deliver) => {
      if (delta.type === 'replaced') return deliver(delta);
      held.push(delta);
      release = () => {
        for (const late of held.toReversed()) deliver(late as typeof delta);
        for (const late of held) deliver(late as typeof delta);
      };
    },
  });
  void start();
  await clock.settle();
  expect(took()).toEqual([]);
  held.splice(2, 1);
  release();
  expect(took()).toEqual(['added c@9 watch', 'added a@7 watch']);
  expect([...informer.store.keys()]).toEqual(['default/c', 'default/a']);
  await stop();
});

describe('following', () => {
  const unavailable = error('unavailable', 503);
  /** A watch that says a word, so that it counts as alive, and ends as told. */
  const said = (...script: readonly Script[]): readonly Script[] => [bookmark(6), ...script];

  it('begins with the first list, and is the same stretch while watches are opened again at once', async () => {
    const { clock, informer, start, stop } = world(
      new ScriptedSource([snapshot(5)], [said('end'), said(unavailable), said('hang')]),
    );
    expect(informer.following).toBeUndefined();
    await clock.advance(7_000);
    void start();
    await clock.settle();
    const { following } = informer;
    expect(following).toEqual({ since: 7_000 });
    await clock.advance(4_000);
    expect(informer.following).toBe(following);
    await stop();
  });

  it('is undefined once no watch was open for more than 5 s, and begins anew when one is', async () => {
    const source = new ScriptedSource([snapshot(5)], [said('hang')]);
    const { clock, informer, start, stop } = world(source);
    void start();
    await clock.settle();
    const before = informer.following;
    source.lists = [unavailable];
    informer.replaceSource();
    await clock.advance(5_000);
    expect(informer.following).toBe(before);
    await clock.advance(1);
    expect(informer.following).toBeUndefined();
    source.lists = [snapshot(5)];
    await clock.advance(60_000);
    expect(informer.following).not.toBe(before);
    expect(informer.following?.since).toBeGreaterThan(5_000);
    await stop();
  });

  it('begins anew when a watch is opened again after a gap, without a list', async () => {
    const source = new ScriptedSource([snapshot(5)], [said(unavailable), unavailable]);
    const { clock, informer, start, stop } = world(source);
    void start();
    await clock.advance(20_000);
    expect(informer.following).toBeUndefined();
    source.watches = [said('hang')];
    await clock.advance(40_000);
    expect(informer.following?.since).toBeGreaterThan(20_000);
    expect(source.calls.filter((call) => call === 'list')).toHaveLength(1);
    await stop();
  });

  it.each([
    { name: 'the server was restored', end: bookmark(4) },
    { name: 'the revision is too old', end: error('gone', 410) },
    { name: 'the watch went silent', end: new SilentStreamError(150_000) },
  ])('begins anew at once when it cannot be told what was missed: $name', async ({ end }) => {
    const source = new ScriptedSource([snapshot(5)], [['hang']]);
    const { clock, informer, start, stop } = world(source);
    const stretches = new Set<object | undefined>();
    informer.subscribe(() => stretches.add(informer.following));
    void start();
    await clock.settle();
    const before = informer.following;
    source.lists = [snapshot(5, widget('a', 5)), snapshot(9, widget('a', 8))];
    source.watches = [said(end), ['hang']];
    informer.replaceSource();
    await clock.advance(2_000);
    expect(informer.following).not.toBe(before);
    expect(informer.following).toBeDefined();
    // It is there before the changes of the list are told.
    expect([...stretches]).toEqual([before, informer.following]);
    await stop();
  });

  it.each(['kind-missing', 'forbidden'] as const)('is undefined while the kind is %s', async (code) => {
    const source = new ScriptedSource([snapshot(5)], [[bookmark(6), error(code)]]);
    const { clock, informer, start, stop } = world(source);
    void start();
    source.lists = [snapshot(5), error(code)];
    await clock.settle();
    expect(informer.following).toBeUndefined();
    await stop();
  });
});
