import { watch } from 'node:fs';

/** Tells of changes in a folder, as a hint to look: too often, too early, or not at all. */
export type WatchFolder = (folder: string, changed: () => void) => Disposable;

/** The real one. A folder that cannot be watched is not. */
export const watchFolder: WatchFolder = (folder, changed) => {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return { [Symbol.dispose]: () => watcher.close() };
  } catch {
    return { [Symbol.dispose]: () => undefined };
  }
};
