import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** What a command of ours was called with. */
export interface Called {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** Reads the arguments of this process. `--help` prints the usage and exits with 0; a flag that is not there, with 2. */
export function called(
  usage: string,
  options: Readonly<Record<string, { type: 'string' | 'boolean'; default?: string }>> = {},
): Called {
  const all: ParseArgsOptionsConfig = { ...options, help: { type: 'boolean', short: 'h' } };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: all });
    if (values.help === undefined) return { words: positionals, values: values as Called['values'] };
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

/** A flag's positive whole number. Exits with 2 when it is none. */
export function positive({ values }: Called, flag: string): number {
  const value = Number(values[flag]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${flag} takes a whole number from 1, not "${values[flag]}"`);
  process.exit(2);
}
