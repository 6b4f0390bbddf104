import type { Mutant } from './types.ts';

const file = 'apps/hub-replicator/src/mirror/echoes.ts';
const test = 'apps/hub-replicator/src/mirror/echoes.test.ts';

export const mutants: Mutant[] = [
  {
    id: 'echo-of-any-version',
    file,
    find: "event.type === 'updated' && expected === resourceVersion",
    replace: "event.type === 'updated'",
    test,
    name: 'what others write, before it or after it, is news',
    why: 'somebody who edits a copy beside our own write is seen',
  },
  {
    id: 'echo-hides-what-was-left',
    file,
    find: 'return !isEcho || !deepEqual(event.old.metadata.labels, event.object.metadata.labels);',
    replace: 'return !isEcho;',
    test,
    name: 'a copy whose labels move is news to what it has left',
    why: 'the object that an edited copy seemed to belong to is looked at again',
  },
  {
    id: 'echo-waited-for-in-vain',
    file,
    find: 'if (!resourceVersion || held?.metadata.resourceVersion === resourceVersion) return;',
    replace: 'if (!resourceVersion) return;',
    test,
    name: 'what the cache has already is not waited for',
    why: 'nothing is held of copies at rest',
  },
];
