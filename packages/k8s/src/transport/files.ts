/** The real file system, read only. */
import { readdir, readFile } from 'node:fs/promises';
import { PlatformError } from '@lifeline/core';
import type { Files } from '../app/env.ts';

export class FileError extends PlatformError<'not-found' | 'unreadable'> {}

export const systemFiles: Files = {
  read: (path, signal) => readFile(path, { signal }).catch((error: unknown) => fail(path, error, signal)),
  list: async (path, signal) => {
    signal.throwIfAborted();
    return (await readdir(path).catch((error: unknown) => fail(path, error, signal))).sort();
  },
};

function fail(path: string, error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') throw new FileError('not-found', `no such file or directory: ${path}`, { cause: error });
  throw new FileError('unreadable', `cannot read ${path}`, { cause: error });
}
