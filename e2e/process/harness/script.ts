import { join } from 'node:path';
import { root } from './names.ts';
import type { ProcessSpec } from './process-table.ts';

/** One of our own scripts beside this file, from its source. */
export const script = (name: string, ...args: readonly string[]): Pick<ProcessSpec, 'command' | 'args'> => ({
  command: process.execPath,
  args: ['--conditions=@lifeline/source', join(root, 'e2e/process/harness', name), ...args],
});
