import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './names.ts';
import type { ProcessSpec } from './process-table.ts';

/** One of our own scripts beside this file, from its source: it can be used once it calls {@link tellReady}. */
export const script = (name: string, ...args: readonly string[]): Pick<ProcessSpec, 'command' | 'args' | 'ready'> => ({
  ready: 'told',
  command: process.execPath,
  args: ['--conditions=@lifeline/source', join(root, 'e2e/process/harness', name), ...args],
});

/** A script of ours, to whoever started it. By hand there is nobody. */
export function tellReady(): void {
  const { READY_FILE: path } = process.env;
  if (path !== undefined) writeFileSync(path, '');
}
