import { run, type RunOptions } from '../process.ts';

/** Where a binary is to be made. */
export interface Place {
  /** Where it shall stand afterwards. The folder is there. */
  readonly path: string;
  /** A folder for what else comes about. */
  readonly work: string;
}

export interface Maker {
  /** What it does, in a few words. */
  readonly deed: string;
  /** Why it cannot do so on this machine: one line that says what to install. */
  lacks(): Promise<string | undefined>;
  /** @throws Error with the last lines that the tool printed */
  make(place: Place): Promise<void>;
}

/** The machine, as far as makers care. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Where programs are found: a PATH. */
  readonly path: string;
  /** Where Go is when it is not on the PATH. */
  readonly goBin: string;
}

export const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  path: process.env.PATH ?? '',
  goBin: '/usr/local/go/bin',
});

const tailLines = 20;

/** Runs a tool that shows nothing; gives what it printed. @throws Error with the last lines of it when it fails */
export async function runQuietly(
  command: string,
  args: readonly string[],
  options: Omit<RunOptions, 'show'>,
): Promise<string> {
  const { code, output } = await run(command, args, { ...options, show: false });
  if (code === 0) return output;
  const tail = output.trim().split('\n').slice(-tailLines).join('\n');
  throw new Error(`${[command, ...args].join(' ')} ended with exit code ${code}:\n${tail}`);
}
