import { describe, expect, it } from 'vitest';
import { KubeError, type KubeErrorCode } from '../client/kube-error.ts';
import { barrenLimit, type Delta, type EventStream, type State, step } from './reflector.ts';
import { SilentStreamError } from './watchdog.ts';
import {
  bookmark,
  type Script,
  ScriptedSource,
  scriptedStream,
  snapshot,
  type Widget,
  widget,
} from './widget.fixture.ts';

const running = new AbortController().signal;

const watching = (
  from: number | string,
  script: readonly Script[],
  barren = 1,
): State<Widget> & { events: EventStream<Widget> & { open: boolean } } => ({
  at: 'watching',
  from: String(from),
  barren,
  events: scriptedStream(script),
});
const listed = (from: number | string, barren = 0): State<Widget> => ({ at: 'listed', from: String(from), barren });
const error = (code: KubeErrorCode, status?: number, message = ''): KubeError =>
  new KubeError(code, message, { status });

/** A state without its stream. */
const outline = ({ at, ...rest }: State<Widget>): object =>
  'events' in rest ? { at, from: rest.from, barren: rest.barren } : { at, ...rest };

describe('step from empty', () => {
  const empty: State<Widget> = { at: 'empty' };

  it('lists, and is listed at the revision of the list', async () => {
    const items = [widget('a', 3), widget('b', 5)];
    const taken = await step(empty, new ScriptedSource([snapshot(7, ...items)]), running);
    expect(taken).toEqual({ next: listed(7), deltas: [{ type: 'replaced', items }] });
  });

  it('goes on reading when the list came over a stream', async () => {
    const events = scriptedStream(['hang']);
    const taken = await step(empty, new ScriptedSource([{ ...snapshot(7), events }]), running);
    expect(taken.next).toEqual({ at: 'watching', from: '7', barren: 0, events });
  });

  it.each([
    { name: 'a server error', error: error('unavailable', 503), reason: 'failed' },
    { name: '410 on a page', error: error('gone', 410), reason: 'failed' },
    { name: 'a kind that is not served', error: error('kind-missing', 404), reason: 'kind-missing' },
    { name: 'a refusal', error: error('forbidden', 403), reason: 'forbidden' },
    { name: 'a bug', error: new TypeError('x is not a function'), reason: 'failed' },
  ])('$name changes nothing: still empty, no delta', async ({ error, reason }) => {
    const taken = await step(empty, new ScriptedSource([error]), running);
    expect(taken).toEqual({ next: empty, deltas: [], end: { reason, error } });
  });

  it('does not believe a list with an object that has no uid', async () => {
    const broken = { ...widget('b', 4), metadata: { name: 'b', resourceVersion: '4' } };
    const taken = await step(empty, new ScriptedSource([snapshot(7, widget('a', 3), broken)]), running);
    expect(taken).toMatchObject({ next: empty, deltas: [], end: { reason: 'failed', error: { code: 'malformed' } } });
  });
});

describe('step from listed', () => {
  it('watches from its revision', async () => {
    const source = new ScriptedSource([], [['hang']]);
    const { next } = await step(listed(7, 1), source, running);
    expect(source.calls).toEqual(['watch 7']);
    expect(outline(next)).toEqual({ at: 'watching', from: '7', barren: 2 });
  });

  it.each([
    { name: '410', error: error('gone', 410), reason: 'expired', next: { at: 'empty' } },
    {
      name: 'a revision that the server has not reached',
      error: error('unavailable', 504, 'Too large resource version: 9, current: 4'),
      reason: 'expired',
      next: { at: 'empty' },
    },
    {
      name: 'a revision that is none to this server',
      error: error('invalid', 400),
      reason: 'expired',
      next: { at: 'empty' },
    },
    { name: '404 for the kind', error: error('kind-missing', 404), reason: 'kind-missing', next: { at: 'empty' } },
    { name: '403', error: error('forbidden', 403), reason: 'forbidden', next: { at: 'empty' } },
    { name: '504', error: error('unavailable', 504), reason: 'failed', next: listed(7, 1) },
    { name: '429', error: error('throttled', 429), reason: 'failed', next: listed(7, 1) },
    { name: '401', error: error('unauthorized', 401), reason: 'failed', next: listed(7, 1) },
    { name: 'no connection', error: error('unavailable'), reason: 'failed', next: listed(7, 1) },
    { name: 'no answer', error: new SilentStreamError(1), reason: 'silent', next: { at: 'empty' } },
  ])('$name → $reason', async ({ error, reason, next }) => {
    const taken = await step(listed(7, 1), new ScriptedSource([], [error]), running);
    expect(taken).toEqual({ next, deltas: [], end: { reason, error } });
  });
});

describe('step while watching from 7', () => {
  it.each<{ name: string; event: Script; from: string; deltas: Delta<Widget>[] }>([
    {
      name: 'a new object',
      event: { type: 'added', object: widget('a', 8) },
      from: '8',
      deltas: [{ type: 'applied', object: widget('a', 8) }],
    },
    {
      name: 'a change',
      event: { type: 'modified', object: widget('a', 10) },
      from: '10',
      deltas: [{ type: 'applied', object: widget('a', 10) }],
    },
    {
      name: 'a deletion',
      event: { type: 'deleted', object: widget('a', 9) },
      from: '9',
      deltas: [{ type: 'deleted', object: widget('a', 9) }],
    },
    { name: 'a bookmark moves the revision and is no change', event: bookmark(99), from: '99', deltas: [] },
    { name: 'a repeat of what the list had', event: { type: 'added', object: widget('a', 7) }, from: '7', deltas: [] },
    { name: 'an older state, told again', event: { type: 'modified', object: widget('a', 6) }, from: '7', deltas: [] },
    {
      name: 'a deletion with an old revision, for the store to judge',
      event: { type: 'deleted', object: widget('a', 5) },
      from: '7',
      deltas: [{ type: 'deleted', object: widget('a', 5) }],
    },
    {
      name: 'a revision that is no number',
      event: { type: 'modified', object: widget('a', 'x') },
      from: 'x',
      deltas: [{ type: 'applied', object: widget('a', 'x') }],
    },
  ])('$name', async ({ event, from, deltas }) => {
    const taken = await step(watching(7, [event]), new ScriptedSource([]), running);
    expect(taken.end).toBeUndefined();
    expect(taken.deltas).toEqual(deltas);
    expect(outline(taken.next)).toEqual({ at: 'watching', from, barren: 0 });
  });

  it.each([
    { name: 'a clean end', last: 'end' as const, reason: 'closed', next: listed(7, 1) },
    { name: 'ERROR 410', last: error('gone', 410), reason: 'expired', next: { at: 'empty' } },
    { name: 'ERROR 500', last: error('unavailable', 500), reason: 'failed', next: listed(7, 1) },
    {
      name: 'ERROR 429 resumes, and says nothing against the revision',
      last: error('throttled', 429),
      reason: 'failed',
      next: listed(7, 0),
    },
    { name: 'a cut line', last: error('unavailable'), reason: 'failed', next: listed(7, 0) },
    { name: 'silence', last: new SilentStreamError(1), reason: 'silent', next: { at: 'empty' } },
    {
      name: 'a bookmark behind us: the server was restored',
      last: bookmark(6),
      reason: 'rewound',
      next: { at: 'empty' },
    },
    {
      name: 'ERROR 404: the kind is gone',
      last: error('kind-missing', 404),
      reason: 'kind-missing',
      next: { at: 'empty' },
    },
    {
      name: 'an object without identity',
      last: { type: 'added' as const, object: { ...widget('a', 8), metadata: { name: 'a' } } },
      reason: 'failed',
      next: listed(7, 1),
    },
  ])('$name → $reason, and the stream is over', async ({ last, reason, next }) => {
    const state = watching(7, [last]);
    const taken = await step(state, new ScriptedSource([]), running);
    expect(taken).toMatchObject({ next, deltas: [], end: { reason } });
    expect(state.events.open).toBe(false);
  });

  it.each([
    { name: 'ends at once without a word', last: 'end' as const },
    { name: 'sends an ERROR each time', last: error('unavailable', 500) },
  ])('lists again when the server $name, barrenLimit times', async ({ last }) => {
    expect((await step(watching(7, [last], barrenLimit - 1), new ScriptedSource([]), running)).next.at).toBe('listed');
    const taken = await step(watching(7, [last], barrenLimit), new ScriptedSource([]), running);
    expect(taken).toMatchObject({ next: { at: 'empty' }, end: { reason: 'barren' } });
  });

  it('never counts cut lines and 429s as such', async () => {
    for (const last of [error('unavailable'), error('throttled', 429)]) {
      const taken = await step(watching(7, [last], barrenLimit), new ScriptedSource([]), running);
      expect(taken.next).toEqual(listed(7, barrenLimit - 1));
    }
  });
});

it('an abort is no failure: its reason is all that a step throws', async () => {
  const controller = new AbortController();
  controller.abort(new Error('stop'));
  for (const state of [{ at: 'empty' }, listed(7), watching(7, [error('unavailable')])] as State<Widget>[]) {
    await expect(
      step(state, new ScriptedSource([error('unavailable')], [error('unavailable')]), controller.signal),
    ).rejects.toThrow('stop');
  }
});
