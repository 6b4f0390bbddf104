import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';

/** A folder of its own, gone when disposed. */
export interface Scratch extends Disposable {
  readonly path: string;
  /** Writes files by their path in the folder; a script (`#!…`) becomes executable. */
  write(files: Readonly<Record<string, string>>): void;
}

/** A folder under `.cache`, so that what runs in it finds this repository's dependencies, and no tool of ours finds it. */
export function scratch(files: Readonly<Record<string, string>> = {}): Scratch {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const path = mkdtempSync(join(cache, 'scratch-'));
  const write = (written: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(written)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
  };
  write(files);
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
