/** A platform whose planes live in another process and are reached over TLS. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DurationMs, systemClock } from '@lifeline/core';
import { type Client, createTransportFactory, systemFiles } from '@lifeline/k8s';
import { clientOf, delayed, type Reach } from './app.ts';
import type { PlatformOptions } from './platform.ts';

/** What is asked of the other process; it answers each with one message. */
export type Ask =
  | { readonly to: 'fill' }
  /** The app runs: until every connector is online on the hub, and for long. */
  | { readonly to: 'bring online' }
  | { readonly to: 'hold' | 'let go'; readonly turn: number };

/** What it says of itself when it listens: URLs, the hub's first, and the authority of their certificates. */
export interface Listens {
  readonly urls: readonly string[];
  readonly authority: string;
}

export class PlanesApart implements Disposable {
  readonly listens: Listens;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, listens: Listens) {
    this.#child = child;
    this.listens = listens;
  }

  static async start(options: PlatformOptions): Promise<PlanesApart> {
    const child = fork(join(import.meta.dirname, 'planes-process.ts'), [JSON.stringify(options)], {
      execArgv: ['--conditions=@lifeline/source'],
    });
    const [listens] = (await once(child, 'message')) as [Listens];
    return new PlanesApart(child, listens);
  }

  /** For the app. Each request begins `latencyMs` later. */
  reach(latencyMs: DurationMs = 0): Reach {
    const { urls, authority } = this.listens;
    const [hub = '', ...projects] = urls;
    const factory = createTransportFactory({ clock: systemClock, files: systemFiles });
    return {
      transport: (endpoint, signal) =>
        delayed(factory({ ...endpoint, tls: { ca: { inline: authority } } }, signal), latencyMs),
      hub,
      projects: new Map(projects.map((url, i) => [`p${i}`, url])),
    };
  }

  /** A client of the hub as the app has one. */
  hubClient(): Client {
    const { transport, hub } = this.reach();
    return clientOf(transport({ server: hub }, new AbortController().signal), hub);
  }

  async ask(ask: Ask): Promise<void> {
    this.#child.send(ask);
    await once(this.#child, 'message');
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
