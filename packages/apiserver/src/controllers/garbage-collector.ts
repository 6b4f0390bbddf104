import type { Server } from '../server-parts.ts';

/** Deletes objects whose owners are all gone, and what foreground deletion waits for. */
export const startGarbageCollector = (_server: Server): Disposable => ({ [Symbol.dispose]: () => undefined });
