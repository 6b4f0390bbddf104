import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { root } from './root.ts';

export interface RunOptions {
  /** Default: the root of the repository. */
  readonly cwd?: string;
  /** On top of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the output is shown while it comes. Default true. */
  readonly show?: boolean;
}

export interface RunResult {
  /** The exit code; 128 when a signal ended it, 127 when it could not be started. */
  readonly code: number;
  /** Standard output and error, as they came. */
  readonly output: string;
}

/** Runs a program to its end. Programs of the dependencies are found by name, as in an npm script. */
export function run(
  command: string,
  args: readonly string[],
  { cwd = root, env, show = true }: RunOptions = {},
): Promise<RunResult> {
  const { promise, resolve } = Promise.withResolvers<RunResult>();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: string): void => {
    output += chunk;
    if (show) process.stdout.write(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
  child.on('close', (code) => resolve({ code: code ?? 128, output }));
  return promise;
}
