import type { Resource } from '../resource.ts';

/** Every built-in resource. Shared by all servers. */
export const builtinResources: readonly Resource[] = [];
