import type { Server } from '../server-parts.ts';

/** Serves what the CustomResourceDefinitions in the store say, for as long as they say so, and writes their status. */
export const serveCustomResources = (_server: Server): Disposable => ({ [Symbol.dispose]: () => undefined });
