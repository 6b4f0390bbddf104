import type { Resource } from '../resources/resource.ts';
import { groupsOf } from './groups.ts';

const fixed = ['/healthz', '/livez', '/openapi/v3', '/readyz', '/version'];

/** Where something is served, sorted: the answer at `/`. */
export const rootPaths = (resources: Iterable<Resource>): readonly string[] =>
  [
    '/api',
    '/apis',
    '/apis/',
    ...fixed,
    ...groupsOf(resources).flatMap(({ name, versions }) => {
      const group = name === '' ? '/api' : `/apis/${name}`;
      return [...(name === '' ? [] : [group]), ...versions.map((version) => `${group}/${version.name}`)];
    }),
  ].sort();
