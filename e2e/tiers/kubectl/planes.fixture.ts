/** Test planes as a user brings them up, and an unmodified kubectl that talks to them. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

const root = resolve(import.meta.dirname, '../../..');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const spawnPlanes = (flags: readonly string[]): ChildProcessByStdio<null, Readable, Readable> =>
  spawn('npm', ['run', '--silent', 'planes', '--', ...flags], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });

/** `npm run planes`, to its end. */
export async function runPlanes(...flags: readonly string[]): Promise<Ran> {
  const child = spawnPlanes(flags);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 128, stdout: stdout(), stderr: stderr() };
}

export class Planes implements AsyncDisposable {
  readonly dir: string;
  /** Undefined: somebody else's. */
  readonly #process: ChildProcess | undefined;
  readonly #followed = new Set<ChildProcess>();

  private constructor(dir: string, process?: ChildProcess) {
    this.dir = dir;
    this.#process = process;
  }

  /**
   * `npm run planes`, until it says that it is ready. With `LIFELINE_PLANES` set, a folder of kubeconfigs, those planes are used: that is
   * how these tests are held against real API servers.
   */
  static async start(...flags: readonly string[]): Promise<Planes> {
    const given = process.env['LIFELINE_PLANES'];
    if (given) return new Planes(given);
    const dir = await mkdtemp(join(tmpdir(), 'lifeline-planes-'));
    const child = spawnPlanes(['--dir', dir, ...flags]);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const planes = new Planes(dir, child);
    const stop = new AbortController();
    child.once('exit', (code) => stop.abort(new Error(`the planes exited with ${code}:\n${output}`)));
    const changes = watch(dir, { signal: stop.signal });
    try {
      while (!(await planes.has('ready'))) await changes[Symbol.asyncIterator]().next();
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    }
    return planes;
  }

  async has(name: string): Promise<boolean> {
    return await readFile(join(this.dir, name)).then(
      () => true,
      () => false,
    );
  }

  /** Runs kubectl against a plane, to its end. */
  async kubectl(plane: string, args: readonly string[], { stdin, env }: KubectlOptions = {}): Promise<Ran> {
    const child = this.#spawn(plane, args, env);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.stdin.end(stdin ?? '');
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 128, stdout: stdout(), stderr: stderr() };
  }

  /** What kubectl prints, line by line, while it runs. Returning ends it. */
  async *follow(plane: string, args: readonly string[]): AsyncGenerator<string, void, undefined> {
    const child = this.#spawn(plane, args);
    this.#followed.add(child);
    try {
      let rest = '';
      for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
    } finally {
      child.kill('SIGTERM');
      this.#followed.delete(child);
    }
  }

  /** Asks the command to stop, as whoever started it knows it: by npm's process. Gives its exit code. */
  async stop(): Promise<number | null> {
    const process = this.#process;
    if (!process) return null;
    if (process.exitCode === null) {
      const gone = once(process, 'exit');
      process.kill('SIGTERM');
      await gone;
    }
    return process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#followed) child.kill('SIGTERM');
    if (!this.#process) return;
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  #spawn(plane: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const kubectl = process.env['KUBECTL'];
    if (!kubectl) throw new Error('KUBECTL is not set: run the tests with `npm run tier -- kubectl`');
    return spawn(kubectl, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // Its caches of discovery outlive planes that share a port.
        KUBECACHEDIR: join(this.dir, 'cache', plane),
        HOME: this.dir,
        KUBECONFIG: join(this.dir, `${plane}.kubeconfig`),
        ...env,
      },
    });
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let all = '';
  stream.setEncoding('utf8').on('data', (text: string) => (all += text));
  return () => all;
}
