/** Runs a credential plugin. */
import { spawn } from 'node:child_process';

export interface ProcessResult {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  /** On top of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Kills the process. */
  readonly signal: AbortSignal;
}

/** Runs a command without a terminal to its end. Rejects when it cannot be started (`code` says why) or the signal aborts. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => Promise<ProcessResult>;

/** More output than any credential has. */
const maxOutputBytes = 1024 * 1024;

export const systemSpawn: Spawn = (command, args, { env, signal }) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const output = { stdout: '', stderr: '' };
    const kill = (): void => void child.kill('SIGKILL');
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (output[name].length > maxOutputBytes) kill();
      });
    }
    const onAbort = (): void => {
      kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (exitCode) => settle(() => resolve({ exitCode, ...output })));
  });
