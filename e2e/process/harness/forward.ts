/**
 * Carries connections: between a network namespace and the machine, and to the ready ones of several replicas, as a Service does.
 *
 *     node harness/forward.ts '[{"from": "127.0.0.1:5005", "to": ["127.0.0.1:5105", "127.0.0.1:5205"], "ready": ["http://127.0.0.1:8105/readyz", …]}]'
 *
 * A place is `host:port`, or the path of a Unix socket.
 */
import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { systemClock } from '@lifeline/core';
import { answersHttp } from './probes.ts';
import { tellReady } from './script.ts';

export interface Forward {
  readonly from: string;
  readonly to: readonly string[];
  /** For each of `to`: a connection is given to it only while this answers 200, as of the last look. Default: always. */
  readonly ready?: readonly string[] | undefined;
}

/** What a kubelet does in seconds: tests wait for it. */
const probeMs = 500;

const placeOf = (place: string): NetConnectOpts & { readonly path?: string } => {
  if (place.startsWith('/')) return { path: place };
  const colon = place.lastIndexOf(':');
  return { host: place.slice(0, colon), port: Number(place.slice(colon + 1)) };
};

class Forwarder {
  readonly #forward: Forward;
  readonly #isReady: boolean[];
  #next = 0;

  constructor(forward: Forward) {
    this.#forward = forward;
    this.#isReady = forward.to.map(() => forward.ready === undefined);
  }

  /** Resolves when it can be used. */
  async start(): Promise<void> {
    const { from, ready } = this.#forward;
    const place = placeOf(from);
    if (place.path !== undefined) rmSync(place.path, { force: true });
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#carry(socket));
    server.listen(place);
    for (const [index, url] of (ready ?? []).entries()) void this.#probe(index, url);
    await once(server, 'listening');
  }

  async #probe(index: number, url: string): Promise<never> {
    for (;;) {
      const wasReady = this.#isReady[index];
      const isReady = await answersHttp(url);
      this.#isReady[index] = isReady;
      if (isReady !== wasReady) console.log(`${url} is ${isReady ? '' : 'not '}ready`);
      await systemClock.sleep(probeMs);
    }
  }

  #carry(socket: Socket): void {
    const target = this.#target();
    if (target === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const far = connect({ ...placeOf(target), allowHalfOpen: true });
    // A reset on one side is one on the other: what was lost may not look finished.
    const reset = (one: Socket) => (error: NodeJS.ErrnoException | null) => {
      if (error && !one.destroyed) one.resetAndDestroy();
    };
    pipeline(socket, far, reset(socket));
    pipeline(far, socket, reset(far));
  }

  #target(): string | undefined {
    const { to } = this.#forward;
    const ready = to.filter((_, index) => this.#isReady[index]);
    return ready[this.#next++ % ready.length];
  }
}

if (import.meta.main) {
  const forwards = JSON.parse(process.argv[2] ?? '[]') as Forward[];
  await Promise.all(forwards.map((forward) => new Forwarder(forward).start()));
  tellReady();
}
