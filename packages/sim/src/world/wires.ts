/** What lies between a replica and a plane: views, faults, and a record of what passes. */
import {
  abortable,
  type Clock,
  type DurationMs,
  type Random,
  type Transport,
  type TransportInterceptor,
} from '@lifeline/core';
import type { Trace } from '@lifeline/k8s/testing';
import type { Audit } from './audit.ts';
import type { Plane } from './plane.ts';
import { holdOpen, type OpenWatch } from './open-watches.ts';
import { isWatch, pathOf, type Sent } from './record.ts';

/** What a fault does to one request; undefined when it has nothing to do with it. Asked when the request leaves the app. */
export type WireFault = (sent: Sent) => TransportInterceptor | undefined;

/** Which wires. Undefined: all. */
export interface WireSelection {
  readonly actor?: string | undefined;
  readonly plane?: string | undefined;
}

/** Told of requests as they go: their leaving, and their end. */
export interface WireObserver {
  readonly sent?: ((sent: Sent) => void) | undefined;
  /** An answer came, or none will. */
  readonly settled?: ((sent: Sent) => void) | undefined;
}

export interface WiresOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: Audit;
  readonly trace: Trace;
  /** How long a message is under way, either way. */
  readonly latencyMs?: readonly [DurationMs, DurationMs] | undefined;
}

interface Fault {
  readonly fault: WireFault;
  readonly on: WireSelection;
}

export class Wires {
  readonly #options: WiresOptions;
  readonly #faults = new Set<Fault>();
  readonly #observers: WireObserver[] = [];
  readonly #views = new Map<string, Transport>();
  readonly #watches = new Set<OpenWatch>();
  #seq = 0;

  constructor(options: WiresOptions) {
    this.#options = options;
  }

  /** Puts a fault on wires until it is disposed. The one put last is the nearest to the app. */
  put(fault: WireFault, on: WireSelection = {}): Disposable {
    const entry: Fault = { fault, on };
    this.#faults.add(entry);
    return { [Symbol.dispose]: () => void this.#faults.delete(entry) };
  }

  observe(observer: WireObserver): void {
    this.#observers.push(observer);
  }

  /** Keeps what is sent from now on. */
  record(): Disposable & { readonly sent: readonly Sent[] } {
    const sent: Sent[] = [];
    const observer: WireObserver = { sent: (each) => void sent.push(each) };
    this.#observers.push(observer);
    const stop = (): void => void this.#observers.splice(this.#observers.indexOf(observer), 1);
    return { sent, [Symbol.dispose]: stop };
  }

  /** Nothing arrives at a plane any more, and nothing comes from it. */
  cut(plane: string): Disposable {
    for (const watch of this.watches({ plane })) watch.silence();
    return this.put(() => hangs, { plane });
  }

  /** Serves an actor another view of a plane, from its next request on; undefined: the plane itself. */
  view(actor: string, plane: string, transport: Transport | undefined): void {
    const key = `${actor} ${plane}`;
    if (transport) this.#views.set(key, transport);
    else this.#views.delete(key);
  }

  /** Watches that are open now. */
  watches({ actor, plane }: WireSelection = {}): readonly OpenWatch[] {
    return [...this.#watches].filter(
      ({ sent }) => (actor ?? sent.actor) === sent.actor && (plane ?? sent.plane) === sent.plane,
    );
  }

  /** The way from a process to a plane. */
  between(who: Pick<Sent, 'actor' | 'incarnation'>, plane: Plane): Transport {
    return this.#recorded(who, plane, (sent, direct) => this.#through(sent, direct));
  }

  /** A way on which nothing goes wrong. */
  direct(who: Pick<Sent, 'actor' | 'incarnation'>, plane: Plane): Transport {
    return this.#recorded(who, plane, (_sent, direct) => direct);
  }

  #recorded(
    who: Pick<Sent, 'actor' | 'incarnation'>,
    plane: Plane,
    through: (sent: Sent, direct: Transport) => Transport,
  ): Transport {
    const { clock, audit } = this.#options;
    return async (request, { signal, admit }) => {
      const sent: Sent = {
        ...who,
        seq: ++this.#seq,
        at: clock.monotonic(),
        plane: plane.name,
        request,
        taken: false,
        status: undefined,
        settledAt: undefined,
        retryAfterMs: undefined,
        writes: [],
      };
      for (const { sent: tell } of this.#observers) tell?.(sent);
      const take = (): void => {
        admit?.();
        audit.take(sent);
      };
      const served = this.#views.get(`${who.actor} ${plane.name}`) ?? plane.api.transport;
      const direct: Transport = (asked, options) => served(asked, { signal: options.signal, admit: take });
      try {
        const response = await through(sent, direct)(request, { signal });
        sent.status = response.status;
        sent.retryAfterMs = pauseOf(response.headers['retry-after']);
        const isOpen = response.status === 200 && isWatch(request);
        return isOpen ? holdOpen(sent, response, { signal, watches: this.#watches }) : response;
      } finally {
        sent.settledAt = clock.monotonic();
        this.#note(sent);
        for (const { settled } of this.#observers) settled?.(sent);
      }
    };
  }

  #through(sent: Sent, direct: Transport): Transport {
    let send = this.#options.latencyMs ? delayed(direct, this.#options.latencyMs, this.#options) : direct;
    for (const { fault, on } of this.#faults) {
      if ((on.actor ?? sent.actor) !== sent.actor || (on.plane ?? sent.plane) !== sent.plane) continue;
      const interceptor = fault(sent);
      if (interceptor) send = interceptor(send);
    }
    return send;
  }

  #note({ seq, at, actor, incarnation, plane, request, status, writes }: Sent): void {
    const { trace, clock } = this.#options;
    const made = writes.map(({ revision }) => revision.revision).join(',');
    const what = isWatch(request) ? 'WATCH' : request.method;
    trace.note(
      clock.monotonic(),
      `${actor}.${incarnation}`,
      `#${seq}`,
      what,
      plane,
      pathOf(request.url),
      status ?? 'no answer',
      made && `→ ${made}`,
      at,
    );
  }
}

/** Neither an answer nor an error, for as long as its sender waits. */
export const noAnswer = (signal: AbortSignal): Promise<never> => abortable(new Promise<never>(() => undefined), signal);

/** Nothing arrives, and nobody is told. */
export const hangs: TransportInterceptor =
  () =>
  (_request, { signal }) =>
    noAnswer(signal);

const delayed = (
  next: Transport,
  [least, most]: readonly [DurationMs, DurationMs],
  { clock, random }: Pick<WiresOptions, 'clock' | 'random'>,
): Transport => {
  const wait = (signal: AbortSignal): Promise<void> =>
    clock.sleep(Math.round(least + random.next() * (most - least)), signal);
  return async (request, options) => {
    await wait(options.signal);
    const response = await next(request, options);
    await wait(options.signal);
    return response;
  };
};

const pauseOf = (seconds: string | undefined): DurationMs | undefined =>
  seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
