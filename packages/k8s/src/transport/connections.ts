/** The connections to one server under one set of certificates. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { abortable, type Clock, type TransportResponse } from '@lifeline/core';
import { dial, type Target, withinConnectTimeout } from './dial.ts';
import { H1Connections } from './h1-connections.ts';
import type { H2Session } from './h2-session.ts';
import { openH2Session } from './open-h2-session.ts';
import type { TlsMaterial } from './tls-identity.ts';
import { TransportError } from './transport-error.ts';
import type { ExchangeOptions, Lane, WireRequest } from './wire.ts';

export interface ConnectionsOptions {
  readonly target: Target;
  readonly material: TlsMaterial | undefined;
  readonly clock: Clock;
  /** The life of them all. */
  readonly signal: AbortSignal;
  /** Told when it drains and the last connection is gone. */
  readonly onEmpty: () => void;
}

/** Which protocol the server speaks is learned by the first connection. */
type Protocol =
  | { readonly at: 'unknown' }
  | { readonly at: 'h2'; readonly capacity: Readonly<Record<Lane, number>> }
  | { readonly at: 'h1'; readonly connections: H1Connections };

interface Attempt {
  readonly opened: Promise<void>;
  waiting: number;
}

/** Handshakes at once. */
const maxAttempts = 4;

/**
 * Guarantees: a request waits for a stream that it may have, never behind a watch; further HTTP/2 sessions open as the streams of the
 * others are taken. Until the first connection has told protocol and limit, everybody waits for that one.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Set<H2Session>();
  readonly #attempts = new Set<Attempt>();
  #protocol: Protocol = { at: 'unknown' };
  #draining = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  async exchange(request: WireRequest, options: ExchangeOptions): Promise<TransportResponse> {
    for (;;) {
      options.signal.throwIfAborted();
      if (this.#draining) throw this.#refused();
      if (this.#protocol.at === 'h1') return this.#protocol.connections.exchange(request, options);
      const session = this.#pick(options.lane);
      if (session) return session.exchange(request, options, session.take(options.lane));
      await this.#wait(options);
    }
  }

  /** Nothing new starts here any more (`refused`); what runs goes on to its end. */
  drain(): void {
    this.#draining = true;
    for (const session of this.#sessions) session.drain();
    if (this.#protocol.at === 'h1') this.#protocol.connections.drain();
    this.#checkEmpty();
  }

  /** Ends everything that runs. */
  destroy(): void {
    this.#draining = true;
    const reason = new TransportError(
      'connection-lost',
      `the connections to ${this.#options.target.authority} were closed`,
    );
    for (const session of this.#sessions) session.destroy(reason);
    if (this.#protocol.at === 'h1') this.#protocol.connections.destroy();
  }

  /** The fullest that has room: the others may become unused and close. */
  #pick(lane: Lane): H2Session | undefined {
    let best: H2Session | undefined;
    for (const session of this.#sessions) {
      if (session.hasRoom(lane) && (!best || session.load > best.load)) best = session;
    }
    return best;
  }

  /** Waits for a connection under way that has room for one more, or for a new one. */
  async #wait({ lane, signal }: ExchangeOptions): Promise<void> {
    const attempt = this.#attempt(lane);
    attempt.waiting++;
    try {
      await abortable(attempt.opened, signal);
    } finally {
      attempt.waiting--;
    }
  }

  #attempt(lane: Lane): Attempt {
    const room = this.#protocol.at === 'h2' ? this.#protocol.capacity[lane] : Infinity;
    const attempts = [...this.#attempts].toSorted((a, b) => a.waiting - b.waiting);
    const emptiest = attempts[0];
    if (emptiest && (emptiest.waiting < room || attempts.length >= maxAttempts)) return emptiest;
    const attempt: Attempt = { opened: this.#open(), waiting: 0 };
    const ended = (): void => {
      this.#attempts.delete(attempt);
      this.#checkEmpty();
    };
    this.#attempts.add(attempt);
    attempt.opened.then(ended, ended);
    return attempt;
  }

  #open(): Promise<void> {
    return withinConnectTimeout(this.#options, async (signal) => {
      const { target, material } = this.#options;
      const socket = await dial(target, material, signal);
      if (material && (socket as TLSSocket).alpnProtocol === 'h2') await this.#addSession(socket, signal);
      else this.#useH1(socket);
    });
  }

  async #addSession(socket: Socket, signal: AbortSignal): Promise<void> {
    const { target, clock } = this.#options;
    const session = await openH2Session(target, socket, {
      clock,
      signal,
      onClosed: (closed) => {
        this.#sessions.delete(closed);
        this.#checkEmpty();
      },
    });
    this.#sessions.add(session);
    this.#protocol = { at: 'h2', capacity: { unary: session.capacity('unary'), watch: session.capacity('watch') } };
    if (this.#draining) session.drain();
  }

  #useH1(first: Socket): void {
    const { target, material, clock } = this.#options;
    const connections = new H1Connections({
      target,
      clock,
      first,
      dial: () => withinConnectTimeout(this.#options, (signal) => dial(target, material, signal)),
      onIdle: () => this.#checkEmpty(),
    });
    this.#protocol = { at: 'h1', connections };
    if (this.#draining) connections.drain();
  }

  #checkEmpty(): void {
    const running = this.#protocol.at === 'h1' ? this.#protocol.connections.running : 0;
    if (this.#draining && this.#sessions.size + this.#attempts.size + running === 0) this.#options.onEmpty();
  }

  #refused(): TransportError {
    return new TransportError('refused', `the connections to ${this.#options.target.authority} are being replaced`);
  }
}
