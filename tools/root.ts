import { resolve } from 'node:path';

/** The root of this repository. */
export const root = resolve(import.meta.dirname, '..');
