/**
 * Follows one kind of one plane: list, then watch from there, for ever. As a state machine: {@link step} is one exchange with the
 * server, and says what is to be done next and what changed. When to take the next step is not its business (`run-reflector.ts`).
 */
import type { KubeObject } from '@lifeline/core';
import type { WatchEvent } from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';
import { identityOf } from './identity.ts';
import { isBefore, isRepeat } from './revision.ts';
import { SilentStreamError } from './watchdog.ts';

/** The events of one watch. */
export type EventStream<T> = AsyncIterator<WatchEvent<T>, void, undefined>;

/** All objects at one revision. */
export interface Snapshot<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** The stream that the snapshot came over, when there was one: it goes on as a watch. */
  readonly events?: EventStream<T> | undefined;
}

/** Where a reflector reads from. Both end when `signal` aborts, streams that they gave included. */
export interface ListerWatcher<T> {
  /** A consistent, complete snapshot, or an error: never a part of one, never an old one. */
  list(signal: AbortSignal): Promise<Snapshot<T>>;
  /** What happened after `from`. Ends cleanly when the server ends it; throws a {@link SilentStreamError} when the server says nothing. */
  watch(from: string, signal: AbortSignal): Promise<EventStream<T>>;
}

export type State<T> =
  /** Nothing is known that a watch could continue from: list next. */
  | { readonly at: 'empty' }
  /** All that happened up to `from` was told: open a watch next. */
  | { readonly at: 'listed'; readonly from: string; readonly barren: number }
  /** Reading what happened after `from`. */
  | Watching<T>;

interface Watching<T> {
  readonly at: 'watching';
  readonly from: string;
  /** Watches in a row, this one included, that the server accepted and over which it said nothing. */
  readonly barren: number;
  readonly events: EventStream<T>;
}

/** A change that the store is to take over. Every object in it has a name, a uid and a resourceVersion; no more was checked. */
export type Delta<T> =
  | { readonly type: 'replaced'; readonly items: readonly T[] }
  | { readonly type: 'applied'; readonly object: T }
  | { readonly type: 'deleted'; readonly object: T };

export interface End {
  readonly reason:
    /** The server ended the watch in order. */
    | 'closed'
    /** It did so {@link barrenLimit} times in a row without a word. */
    | 'barren'
    /** Nothing came for longer than the silence limit. */
    | 'silent'
    /** A bookmark lies behind us: the server was restored, its history is not the one that we followed. */
    | 'rewound'
    /** The server cannot continue from our revision. */
    | 'expired'
    /** The kind is not served, or we may not read it. */
    | 'kind-missing'
    | 'forbidden'
    /** Anything else that a later try may get past. */
    | 'failed';
  readonly error?: unknown;
}

export interface Step<T> {
  readonly next: State<T>;
  /** What changed, in order. */
  readonly deltas: readonly Delta<T>[];
  /** Why a list or a watch did not go on. */
  readonly end?: End;
}

/** Some servers end a watch from a revision that they cannot serve at once, without saying so; this many times is no chance. */
export const barrenLimit = 3;

/**
 * One exchange: a list, the opening of a watch, or the reading of one event.
 *
 * Guarantees: deltas only ever come from a complete list or from events later than all before; a step that failed has no deltas, and its
 * next state continues without a gap. At most one stream is open at any time; it is in the state.
 * @throws only the reason of `signal`
 */
export async function step<T extends KubeObject>(
  state: State<T>,
  source: ListerWatcher<T>,
  signal: AbortSignal,
): Promise<Step<T>> {
  try {
    switch (state.at) {
      case 'empty':
        return onSnapshot(await source.list(signal));
      case 'listed':
        return {
          next: { ...state, at: 'watching', barren: state.barren + 1, events: await source.watch(state.from, signal) },
          deltas: [],
        };
      case 'watching': {
        const { done, value } = await state.events.next();
        if (!done) return await onEvent(state, value);
        return state.barren < barrenLimit
          ? { next: resume(state), deltas: [], end: { reason: 'closed' } }
          : { next: { at: 'empty' }, deltas: [], end: { reason: 'barren' } };
      }
    }
  } catch (error) {
    // A stream that broke has ended; one whose event makes no sense has not.
    if (state.at === 'watching') await state.events.return?.();
    if (signal.aborted) throw signal.reason;
    return onError(state, error);
  }
}

function onSnapshot<T extends KubeObject>({ items, resourceVersion: from, events }: Snapshot<T>): Step<T> {
  for (const item of items) identityOf(item);
  const next: State<T> = events ? { at: 'watching', from, barren: 0, events } : { at: 'listed', from, barren: 0 };
  return { next, deltas: [{ type: 'replaced', items }] };
}

async function onEvent<T extends KubeObject>(state: Watching<T>, event: WatchEvent<T>): Promise<Step<T>> {
  switch (event.type) {
    case 'bookmark':
      if (!isBefore(event.resourceVersion, state.from)) return moved(state, event.resourceVersion);
      await state.events.return?.();
      return { next: { at: 'empty' }, deltas: [], end: { reason: 'rewound' } };
    case 'added':
    case 'modified': {
      const { resourceVersion } = identityOf(event.object);
      return isRepeat(resourceVersion, state.from)
        ? moved(state, state.from)
        : moved(state, resourceVersion, { type: 'applied', object: event.object });
    }
    case 'deleted': {
      // Not every server gives a deletion a revision of its own: whether it is a repeat is told by what the store holds.
      const { resourceVersion } = identityOf(event.object);
      const from = isRepeat(resourceVersion, state.from) ? state.from : resourceVersion;
      return moved(state, from, { type: 'deleted', object: event.object });
    }
  }
}

const moved = <T>(state: Watching<T>, from: string, ...deltas: readonly Delta<T>[]): Step<T> => ({
  next: { ...state, from, barren: 0 },
  deltas,
});

const resume = <T>({ from, barren }: Pick<Watching<T>, 'from' | 'barren'>): State<T> => ({
  at: 'listed',
  from,
  barren,
});

function onError<T>(state: State<T>, error: unknown): Step<T> {
  const listAgain = (reason: End['reason']): Step<T> => ({ next: { at: 'empty' }, deltas: [], end: { reason, error } });
  // A kind that comes back may hold anything.
  if (isKubeError(error, 'kind-missing')) return listAgain('kind-missing');
  if (isKubeError(error, 'forbidden')) return listAgain('forbidden');
  if (state.at === 'empty') return listAgain('failed');
  if (error instanceof SilentStreamError) return listAgain('silent');
  if (isExpired(error)) return listAgain('expired');
  const { at, from, barren } = state;
  if (at === 'watching' && barren >= barrenLimit && isAnswer(error)) return listAgain('barren');
  const counted = at === 'listed' || isAnswer(error) ? barren : Math.max(0, barren - 1);
  return { next: resume({ from, barren: counted }), deltas: [], end: { reason: 'failed', error } };
}

/**
 * Our revision is too old, is one that this server has never reached (504, after a restore), or is not even a revision to it (400).
 * @see kubernetes/kubernetes@v1.34.0 staging/src/k8s.io/apiserver/pkg/storage/errors.go (NewTooLargeResourceVersionError)
 */
const isExpired = (error: unknown): boolean =>
  isKubeError(error, 'gone', 'invalid') ||
  (isKubeError(error) && error.status === 504 && /too large resource version/i.test(error.message));

/** The server's own word about this watch, not a lost connection and not "later". */
const isAnswer = (error: unknown): boolean =>
  isKubeError(error) && error.code !== 'throttled' && (error.status !== undefined || error.code === 'malformed');
