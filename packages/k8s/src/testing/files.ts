import { FileError } from '../transport/files.ts';
import type { Files } from '../app/env.ts';

/** Files held in memory. The record is read on each call: change it to change the files. */
export function filesOf(contents: Readonly<Record<string, string | Uint8Array>>): Files {
  return {
    async read(path) {
      const content = contents[path];
      if (content === undefined) throw new FileError('not-found', `no such file or directory: ${path}`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    async list(path) {
      const prefix = path.endsWith('/') ? path : `${path}/`;
      const names = Object.keys(contents).filter((name) => name.startsWith(prefix));
      if (names.length === 0) throw new FileError('not-found', `no such file or directory: ${path}`);
      return [...new Set(names.map((name) => name.slice(prefix.length).split('/')[0] as string))].sort();
    },
  };
}
