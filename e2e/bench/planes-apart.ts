/** A platform whose planes live in another process and are reached over TLS. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

  async ask(ask: Ask): Promise<void> {
    this.#child.send(ask);
    await once(this.#child, 'message');
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
