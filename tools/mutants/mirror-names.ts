import type { Mutant } from './types.ts';

const file = 'apps/hub-replicator/src/mirror/controller-name.ts';
const test = 'apps/hub-replicator/src/mirror/controller-name.test.ts';

export const mutants: Mutant[] = [
  {
    id: 'c13-mirrors-by-plural-alone',
    file,
    find: "(kindById(id) || group === '' ? [] : group.split('.'))",
    replace: '[]',
    test,
    name: 'tells all kinds apart',
    why: 'two kinds of one plural in different API groups both have a mirror, and the app starts',
  },
  {
    id: 'c13-mirror-names-that-meet',
    file,
    find: "part.replaceAll('-', '--')",
    replace: 'part',
    test,
    name: 'tells all kinds apart',
    why: 'a dash in a name and a dot between two names are not the same',
  },
];
