/** The example app, one plane of it behind a real server on the loopback interface: for what only real sockets show. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { app, config } from '@lifeline/example-mirror';
import { ConfigMap, deepEqual, type DurationMs, Lease, type Transport, type TransportResponse } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createLog, createTransportFactory } from '@lifeline/k8s';
import {
  kubeconfig,
  createScriptedApi,
  filesOf,
  type ScriptedApi,
  SimulatedProcess,
  until,
} from '@lifeline/k8s/testing';
import { isWatch } from './wires.ts';
import { configMap } from './world.ts';

/** What the server's handler is given. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
}

/** Answers over the wire in place of the plane, or shapes its answer. */
export interface Manners {
  readonly refuse?: ((asked: Asked) => TransportResponse | undefined) | undefined;
  /** Writes the body. Default: piece by piece, as it comes. */
  readonly send?:
    ((asked: Asked, body: AsyncIterable<Uint8Array>, response: ServerResponse) => Promise<void>) | undefined;
}

/** Turns of the event loop without a request under way, until the clock goes on: what watches bring gets through in them. */
const quietTurns = 200;
/** A request that takes more turns is one that waits for the clock. */
const mostTurns = 50_000;

export class LoopbackWorld implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly plane: ScriptedApi;
  readonly target: ScriptedApi;
  readonly logLines: string[] = [];
  readonly files: Record<string, string>;
  #underWay = 0;
  #process: SimulatedProcess | undefined;
  #running: Promise<void> = Promise.resolve();

  /** @param files beside those of the target */
  constructor(files: Record<string, string> = {}) {
    const api = (name: string): ScriptedApi =>
      createScriptedApi({ clock: this.clock, random: seeded(name), kinds: [ConfigMap, Lease] });
    this.plane = api('p1');
    this.target = api('target');
    this.target.put(Lease, {
      metadata: { namespace: 'mirrors', name: 'example-mirror' },
      spec: { holderIdentity: '' },
    });
    this.files = { '/target.kubeconfig': kubeconfig('https://target.test'), ...files };
  }

  /** The plane as a handler of a server. */
  handler({ refuse = () => undefined, send = plainly }: Manners = {}) {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const serve = async (): Promise<void> => {
        const gone = new AbortController();
        response.once('close', () => gone.abort(new Error('the client has gone')));
        const { method = 'GET', url = '/', headers, socket } = request;
        const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
        const asked = { method, url, headers, socket };
        const sent = {
          method,
          url: `http://loopback${url}`,
          headers: plainHeaders(headers),
          ...(body.length > 0 && { body }),
        };
        const answer = refuse(asked) ?? (await this.plane.transport(sent, { signal: gone.signal }));
        response.statusCode = answer.status;
        for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
        await send(asked, answer.body, response);
        response.end();
      };
      serve().catch(() => response.destroy());
    };
  }

  start(): void {
    const { clock, target } = this;
    const files = filesOf(this.files);
    const log = createLog({ clock, write: (line) => this.logLines.push(line) });
    const sockets = createTransportFactory({ clock, files, log });
    this.#process = new SimulatedProcess({
      name: 'a',
      clock,
      random: seeded('a'),
      files,
      log,
      transport: (endpoint, life) =>
        endpoint.server === 'https://target.test' ? target.transport : this.#counted(sockets(endpoint, life)),
    });
    const settings = {
      sources: { kubeconfigs: '/sources' },
      target: { kubeconfig: '/target.kubeconfig' },
      leaderElection: {},
    };
    this.#running = app.start(this.#process.env, config.parse(settings));
  }

  /** Time passes, and sockets get theirs. */
  async after(ms: DurationMs, stepMs: DurationMs = 1_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(Math.min(stepMs, ms - passed));
      await this.#turn();
    }
  }

  /** Resolves as soon as the copies are these. @throws Error when they are not within a minute */
  async copied(copies: Record<string, Readonly<Record<string, string>>>): Promise<void> {
    for (let step = 0; step < 600; step++) {
      if (deepEqual(this.#copies(), copies)) return;
      await this.after(100, 100);
    }
    throw new Error(`copies are ${JSON.stringify(this.#copies()).slice(0, 2_000)}`);
  }

  edit(name: string, data: Record<string, string>): void {
    const held = this.plane.get(ConfigMap, { namespace: 'default', name })?.metadata;
    this.plane.put(ConfigMap, configMap(name, data, held));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process?.terminate();
    let stopped = false;
    void this.#running.then(
      () => (stopped = true),
      () => (stopped = true),
    );
    for (let step = 0; step < 1_000 && !stopped; step++) await this.after(100, 100);
    await this.#running;
    for (let step = 0; step < 100 && this.clock.pending > 0; step++) await this.#turn();
    if (this.clock.pending > 0) throw new Error(`left behind: ${this.clock.pending} timers`);
  }

  /** Real I/O has no virtual time: it is waited for. */
  async #turn(): Promise<void> {
    let turn = 0;
    let quiet = 0;
    await until(() => {
      quiet = this.#underWay === 0 ? quiet + 1 : 0;
      return quiet > quietTurns || ++turn > mostTurns;
    });
  }

  /** Counts requests from their start to the end of the answer; a watch, to the beginning of it. */
  #counted(transport: Transport): Transport {
    return async (request, options) => {
      this.#underWay++;
      try {
        const response = await transport(request, options);
        if (isWatch(request)) return response;
        this.#underWay++;
        return { ...response, body: this.#toEnd(response.body) };
      } finally {
        this.#underWay--;
      }
    };
  }

  async *#toEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body;
    } finally {
      this.#underWay--;
    }
  }

  /** By name of the source. */
  #copies(): Record<string, Readonly<Record<string, string>>> {
    const copies = this.target.objects(ConfigMap).filter(({ metadata }) => metadata.namespace === 'mirrors');
    return Object.fromEntries(
      copies.map(({ metadata, data }) => [
        metadata.annotations?.['example.lifeline.dev/source-name'] ?? '',
        data ?? {},
      ]),
    );
  }
}

/** Waits while the socket is full. */
export async function write(response: ServerResponse, piece: Uint8Array): Promise<void> {
  if (!response.write(piece)) await once(response, 'drain');
}

async function plainly(_: Asked, body: AsyncIterable<Uint8Array>, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  for await (const piece of Readable.from(body)) await write(response, piece as Uint8Array);
}

const plainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !name.startsWith(':') ? [[name, value]] : [],
    ),
  );
