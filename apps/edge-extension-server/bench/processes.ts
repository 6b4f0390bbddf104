/** A process under measurement: where it listens, what it costs. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first connectors, `flip` of them, go on or off. */
export interface ToServer {
  readonly flip: number;
  readonly online: boolean;
}

/** A tick of the kernel's process clock; 100 a second on every Linux that Node runs on. */
const msPerTick = 10;

export class MeasuredProcess implements Disposable {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(file: string, ...words: readonly string[]): Promise<MeasuredProcess> {
    const child = fork(join(import.meta.dirname, file), words, { execArgv: ['--conditions=@lifeline/source'] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new MeasuredProcess(child, port);
  }

  async flip(order: ToServer): Promise<void> {
    this.#child.send(order);
    await once(this.#child, 'message');
  }

  /** User and system time of all its threads since it started. */
  get cpuMs(): number {
    const [, after = ''] = readFileSync(`/proc/${this.#child.pid ?? 0}/stat`, 'utf8').split(') ');
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  }

  /** Resident memory now, and the most that it ever was. */
  get memoryMiB(): { readonly now: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.#child.pid ?? 0}/status`, 'utf8');
    const of = (key: string): number => Math.round(Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { now: of('VmRSS'), peak: of('VmHWM') };
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
