import type { Mutant } from './types.ts';

const file = 'apps/hub-replicator/src/mirror/echoes.ts';
const test = 'apps/hub-replicator/src/mirror/echoes.test.ts';

export const mutants: Mutant[] = [
  {
    id: 'echo-of-any-version',
    file,
    find: 'expected.answer.metadata.resourceVersion === resourceVersion',
    replace: "resourceVersion !== ''",
    test,
    name: 'what others write after it is news',
    why: 'somebody who edits a copy beside our own write is seen',
  },
  {
    id: 'echo-hides-what-was-left',
    file,
    find: 'return !isOurs || !deepEqual(event.old.metadata.labels, event.object.metadata.labels);',
    replace: 'return !isOurs;',
    test,
    name: 'a copy whose labels move is news to what it has left',
    why: 'the object that an edited copy seemed to belong to is looked at again',
  },
  {
    id: 'echo-waited-for-in-vain',
    file,
    find: '|| hasMoved || after?.metadata.resourceVersion === resourceVersion) return;',
    replace: '|| hasMoved) return;',
    test,
    name: 'what the cache has already is not waited for',
    why: 'nothing is held of copies at rest',
  },
  {
    id: 'echo-waited-for-when-it-may-have-passed',
    file,
    find: '|| hasMoved ||',
    replace: '||',
    test,
    name: 'what the cache has already is not waited for',
    why: 'a copy is never judged by an answer that the cache has gone past',
  },
  {
    id: 'echo-believed-for-ever',
    file,
    find: 'if (now < expected.until) return expected.answer;',
    replace: 'if (now >= 0) return expected.answer;',
    test,
    name: 'is not believed for ever',
    why: 'a write that a restored hub has lost is made again',
  },
  {
    id: 'copy-judged-by-what-it-was',
    file: 'apps/hub-replicator/src/mirror/gather.ts',
    find: '.map((copy) => memory.echoes.newest(copy, clock.monotonic())),',
    replace: ',',
    test: 'e2e/hub-replicator/mirror-flips.test.ts',
    name: 'taken back before',
    why: 'a flip that is taken back while the hub’s watch is behind does not leave the hub with the first one',
  },
  {
    id: 'flip-is-not-urgent',
    file: 'apps/hub-replicator/src/mirror/watches.ts',
    find: 'urgent: isFlip(rules), ',
    replace: '',
    test: 'e2e/hub-replicator/mirror-flips.test.ts',
    name: 'waits for no spacing of writes',
    why: 'a flip is mirrored at once',
  },
];
